//! Constants that are on a device already, shared by every method of a program.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use pteron_tensor::DType;

use super::buffers::Uploader;
use super::device::Gpu;
use super::faults::Faults;
use super::storage::Storage;
use crate::data::DataFiles;
use crate::error::Result;
use crate::graph::{Constant, DataRef};
use crate::plan::buffer_bytes;

/// The constants of a program on the devices that its methods were loaded onto.
///
/// They are there as long as the program or one of its clones is. Those of a device that is closed or lost are let go.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedConstants(Arc<Mutex<Vec<OnDevice>>>);

/// The constants of a program on one device.
#[derive(Debug)]
struct OnDevice {
    gpu: Weak<Gpu>,
    faults: Faults,
    /// Locked while constants are uploaded, so that each is uploaded once.
    buffers: Arc<Buffers>,
}

type Buffers = async_lock::Mutex<HashMap<(DataRef, DType), Storage>>;

/// The programs that have constants on a device. They let them go when it is closed.
#[derive(Debug, Default)]
pub(super) struct Holders(Mutex<Vec<Weak<Mutex<Vec<OnDevice>>>>>);

impl Drop for Holders {
    fn drop(&mut self) {
        let Ok(holders) = self.0.get_mut() else { return };
        for holder in holders.iter().filter_map(Weak::upgrade) {
            if let Ok(mut devices) = holder.lock() {
                devices.retain(|entry| entry.gpu.strong_count() > 0);
            }
        }
    }
}

impl SharedConstants {
    /// The buffers of these constants on a device; each goes there once.
    pub(crate) async fn load(
        &self,
        gpu: &Arc<Gpu>,
        constants: &[Constant],
        files: &DataFiles,
        mut sent: impl FnMut(u64),
    ) -> Result<Vec<Storage>> {
        let on_device = self.on_device(gpu);
        let mut known = on_device.lock().await;
        let mut uploader = Uploader::new(gpu);
        let mut buffers = vec![None; constants.len()];
        // In the order of the file, which may come over a network.
        let mut order: Vec<_> = (0..constants.len()).collect();
        order.sort_by_key(|&at| constants[at].data.position());
        for at in order {
            let constant = &constants[at];
            let key = (constant.data.clone(), constant.dtype);
            let bytes = constant.shape.numel() as u64 * constant.dtype.size() as u64;
            let buffer = match known.get(&key).filter(|buffer| buffer.size() >= buffer_bytes(bytes)) {
                Some(buffer) => {
                    sent(constant.shape.numel() as u64 * constant.stored.size() as u64);
                    buffer.clone()
                }
                None => {
                    let buffer = uploader.upload(constant, files, &mut sent).await?;
                    known.insert(key, buffer.clone());
                    buffer
                }
            };
            buffers[at] = Some(buffer);
        }
        uploader.flush().await?;
        Ok(buffers.into_iter().flatten().collect())
    }

    /// What is on a device already.
    fn on_device(&self, gpu: &Arc<Gpu>) -> Arc<Buffers> {
        // What a lock protects here is whole at any time.
        let mut devices = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        devices.retain(|entry| entry.gpu.strong_count() > 0 && entry.faults.lost().is_none());
        if let Some(entry) = devices.iter().find(|entry| entry.gpu.as_ptr() == Arc::as_ptr(gpu)) {
            return entry.buffers.clone();
        }
        let mut holders = gpu.holders.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        holders.retain(|holder| holder.strong_count() > 0);
        holders.push(Arc::downgrade(&self.0));
        let entry = OnDevice { gpu: Arc::downgrade(gpu), faults: gpu.faults.clone(), buffers: Arc::default() };
        let buffers = entry.buffers.clone();
        devices.push(entry);
        buffers
    }
}

#[cfg(test)]
mod tests {
    use pteron_tensor::Shape;

    use super::*;
    use crate::device::{Device, DeviceChoice, Kind};

    #[test]
    fn constants_of_a_device_that_is_closed_are_let_go() {
        let device = Device::open(&DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README");
        let Kind::Gpu(gpu) = &device.0 else { panic!("a GPU was asked for") };
        let shape = Shape::new(&[4]).expect("a small shape");
        let data = DataRef::Bytes(vec![0; 16].into());
        let constant = Constant { data, stored: DType::F32, dtype: DType::F32, shape };
        let shared = SharedConstants::default();
        let load = async { shared.load(gpu, std::slice::from_ref(&constant), &DataFiles::default(), drop).await };
        let buffers = crate::block_on(load).expect("it is uploaded");
        assert_eq!(shared.0.lock().expect("nobody panicked").len(), 1);
        drop((buffers, device));
        assert!(shared.0.lock().expect("nobody panicked").is_empty());
    }
}
