//! Programs on a device that the application has opened with `wgpu`.

#[path = "../examples/heat_map.rs"]
#[expect(dead_code, reason = "a test needs no main function")]
mod heat_map;

use std::sync::{Arc, Mutex};

use pteron::{DType, Device, ErrorKind, HostTensor, Method, Program, Value, wgpu};

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embedding.pte");

/// What an application opens.
struct Application {
    adapter: wgpu::Adapter,
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// What its handler was told.
    told: Arc<Mutex<Vec<String>>>,
}

fn open(limits: wgpu::Limits) -> Application {
    pteron::block_on(async {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapter = instance.request_adapter(&Default::default()).await.expect("tests need a WebGPU adapter");
        let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
        let (device, queue) = adapter.request_device(&descriptor).await.expect("the adapter opens");
        let told: Arc<Mutex<Vec<String>>> = Arc::default();
        let note = told.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            note.lock().expect("nobody panicked").push(error.to_string());
        }));
        Application { adapter, device, queue, told }
    })
}

impl Application {
    fn share(&self) -> pteron::Result<Device> {
        Device::from_wgpu(&self.adapter, self.device.clone(), self.queue.clone())
    }

    fn told(&self) -> Vec<String> {
        self.told.lock().expect("nobody panicked").clone()
    }
}

fn rows(ids: &[i64]) -> [Value; 1] {
    [HostTensor::from_slice(ids, &[ids.len()]).expect("a row of ids").into()]
}

fn forward(device: &Device) -> Method {
    Program::open(DEMO).expect("the program opens").on(device).method("forward").expect("the method loads")
}

fn floats(value: &Value) -> Vec<f32> {
    value.tensor().expect("a tensor").as_slice::<f32>().expect("floats").to_vec()
}

#[test]
fn a_device_of_the_application_gives_what_the_reference_gives() {
    let application = open(wgpu::Limits::default());
    let device = application.share().expect("it has what every WebGPU device has");
    assert!(!device.caps().f16, "a feature that the device was opened without");
    assert_eq!(device.caps().max_binding_bytes, application.device.limits().max_storage_buffer_binding_size);
    let expected = forward(&Device::cpu()).run(&rows(&[3, 30])).expect("the reference runs");
    let mut method = forward(&device);
    assert_eq!(floats(&method.run(&rows(&[3, 30])).expect("it runs")[0]), floats(&expected[0]));

    // A host tensor outlives the device.
    let outputs = method.run(&rows(&[3, 30])).expect("it runs");
    application.device.destroy();
    application.device.poll(wgpu::PollType::wait_indefinitely()).expect("it ends");
    assert_eq!(floats(&outputs[0]), floats(&expected[0]));
    assert_eq!(method.run(&rows(&[3])).expect_err("the device is gone").kind(), ErrorKind::Device);
    assert_eq!(application.told(), [""; 0]);
}

#[test]
fn errors_do_not_reach_the_handler_of_the_application() {
    let application = open(wgpu::Limits { max_buffer_size: 256 << 20, ..wgpu::Limits::default() });
    let device = application.share().expect("it has what every WebGPU device has");
    let mut method = forward(&device);
    // A tensor of another device is refused before anything is recorded.
    let stranger = open(wgpu::Limits::default());
    let outside = stranger.share().expect("it has what every WebGPU device has");
    let tensor = outside.upload(&HostTensor::from_slice(&[1i64], &[1]).expect("an id")).expect("it fits");
    assert_eq!(method.run(&[tensor.into()]).expect_err("it lives elsewhere").kind(), ErrorKind::Input);

    // What the application itself does wrong is still its own.
    let descriptor = wgpu::BufferDescriptor {
        label: None,
        size: 3 << 40,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    };
    drop(application.device.create_buffer(&descriptor));
    assert_eq!(application.told().len(), 1);
    assert_eq!(floats(&method.run(&rows(&[1])).expect("it runs")[0]).len(), 32);

    // Destroyed memory is found out when it is read.
    let outputs = method.run_on_device(&rows(&[1])).expect("it runs");
    let Value::Device(output) = &outputs[0] else { panic!("it is on the device") };
    output.buffer().expect("it is valid").buffer.destroy();
    let error = output.to_host().expect_err("its memory is gone");
    assert_eq!(error.kind(), ErrorKind::Device);
    assert!(error.to_string().to_lowercase().contains("destroy"), "{error}");
    assert_eq!(application.told().len(), 1);
}

#[test]
fn a_device_with_too_little_is_refused() {
    let application = open(wgpu::Limits::downlevel_defaults());
    let error = application.share().expect_err("it has too few bindings").to_string();
    assert!(error.contains("max_storage_buffers_per_shader_stage is 4, and must be 8"), "{error}");
}

#[test]
fn a_buffer_tells_what_lies_in_it() {
    let application = open(wgpu::Limits::default());
    let device = application.share().expect("it has what every WebGPU device has");
    let ids = device.upload(&HostTensor::from_slice(&[1i64, 2, 3], &[3]).expect("ids")).expect("it fits");
    let memory = ids.buffer().expect("it is valid");
    assert_eq!((ids.dtype(), memory.dtype, memory.shape.dims(), memory.bytes), (DType::I64, DType::I32, &[3][..], 12));

    // The application changes an input in place, and the next call sees it.
    application.queue.write_buffer(memory.buffer, 4, &7i32.to_le_bytes());
    let mut method = forward(&device);
    let changed = method.run(&[ids.into()]).expect("it runs");
    assert_eq!(floats(&changed[0]), floats(&method.run(&rows(&[1, 7, 3])).expect("it runs")[0]));

    let submitted = method.submit(&rows(&[5]), &[]).expect("it is submitted");
    let Value::Device(lent) = submitted.outputs()[0].clone() else { panic!("it is on the device") };
    assert!(lent.buffer().is_ok());
    method.run(&rows(&[6])).expect("it runs");
    assert!(lent.buffer().is_err(), "a later call has overwritten it");
}

#[test]
fn an_output_is_drawn_without_leaving_the_device() {
    let ids = [0, 30];
    let picture = heat_map::draw(&ids).expect("the example draws");
    let expected = forward(&Device::cpu()).run(&rows(&ids)).expect("the reference runs");
    let expected = floats(&expected[0]);
    assert_eq!((picture.width as usize, picture.height), (expected.len() / 2, 16));
    for (number, pixel) in picture.pixels.chunks_exact(4).enumerate() {
        let (line, column) = (number / picture.width as usize, number % picture.width as usize);
        let value = expected[line / 8 * picture.width as usize + column];
        let shade = |value: f32| value.clamp(0.0, 1.0) * 255.0;
        let wanted = [shade(value), shade(0.25), shade(-value), 255.0];
        for (got, wanted) in pixel.iter().zip(wanted) {
            assert!((f32::from(*got) - wanted).abs() <= 1.0, "pixel {column} of line {line} is {pixel:?} for {value}");
        }
    }
    assert!(picture.pixels.chunks_exact(4).any(|pixel| pixel[0] != pixel[2]), "the picture is empty");
}
