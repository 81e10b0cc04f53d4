//! What threads may share, and which futures may move between them, checked when the crate is compiled.

use std::sync::Arc;

use crate::{
    AdapterReport, Condition, Device, DeviceChoice, DeviceOptions, DeviceTensor, Error, MemorySource, Method,
    MethodGraph, MethodOptions, Program, Source, State, Submitted, Value,
};

const fn is_shared<T: Send + Sync>() {}
const fn is_movable<T: Send>(_: &T) {}

const _: () = {
    is_shared::<AdapterReport>();
    is_shared::<Condition>();
    is_shared::<Device>();
    is_shared::<DeviceOptions>();
    is_shared::<DeviceTensor>();
    is_shared::<Error>();
    is_shared::<MemorySource>();
    is_shared::<Method>();
    is_shared::<MethodGraph>();
    is_shared::<MethodOptions>();
    is_shared::<Program>();
    is_shared::<State>();
    is_shared::<Submitted>();
    is_shared::<Value>();
};

const _: fn(&Device) = |device| {
    is_movable(&Device::open_async(DeviceChoice::Auto));
    is_movable(&Device::shared_async());
    is_movable(&Device::adapters_async());
    is_movable(&Device::unfit_adapters_async());
    is_movable(&device.measure_bandwidth_async());
    is_movable(&device.reopen_async());
};

const _: fn(Program, Arc<dyn Source>) = |program, source| {
    is_movable(&Program::from_source_async(source.clone()));
    is_movable(&program.method_async("forward"));
    is_movable(&program.load_async("forward", &MethodOptions::default()));
    is_movable(&program.check_async("forward", &crate::Caps::webgpu_minimum()));
    is_movable(&program.with_data_source_async(source));
};

const _: fn(&Program, &mut Method) = |program, method| {
    is_movable(&program.restore_async(method));
};

const _: fn(&mut Method, Submitted, &DeviceTensor) = |method, submitted, tensor| {
    is_movable(&method.run_async(&[]));
    is_movable(&method.run_on_device_async(&[]));
    is_movable(&method.submit_async(&[], &[]));
    is_movable(&method.submit_series_async(1, &[], |_, _| Vec::new()));
    is_movable(&method.profile_async(&[]));
    is_movable(&method.repeat_async(&[], 1));
    is_movable(&submitted.read_async());
    is_movable(&tensor.to_host_async());
};
