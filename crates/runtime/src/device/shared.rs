//! The one device of programs that were put on none.

use async_lock::Mutex;

use super::{Device, DeviceChoice};
use crate::error::Result;

/// The device, opened on first need and again where it is lost. Who comes while it is being opened waits for it.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) async fn device() -> Result<Device> {
    static SHARED: Mutex<Option<Device>> = Mutex::new(None);
    open_once(&SHARED).await
}

/// The device, opened on first need and again where it is lost. In a browser each thread has its own, since its objects
/// belong to one thread.
#[cfg(target_arch = "wasm32")]
pub(crate) async fn device() -> Result<Device> {
    thread_local! {
        static SHARED: &'static Mutex<Option<Device>> = Box::leak(Box::default());
    }
    open_once(SHARED.with(|shared| *shared)).await
}

async fn open_once(shared: &Mutex<Option<Device>>) -> Result<Device> {
    let mut shared = shared.lock().await;
    let device = match shared.as_ref() {
        Some(device) if !device.is_lost() => return Ok(device.clone()),
        Some(device) => device.reopen_async().await?,
        None => Device::open_async(DeviceChoice::Auto).await?,
    };
    // The reference engine costs nothing to open, and a GPU may be there the next time.
    *shared = (!device.is_cpu()).then(|| device.clone());
    Ok(device)
}
