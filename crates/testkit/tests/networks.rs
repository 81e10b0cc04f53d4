//! Whole networks at their usual size are one submit, in which the host waits for nothing, and in few launches.
//!
//! `tools/export/speed.py --skeletons --small 1024` writes them without their weights, which are random here.

use pteron_runtime::{
    DType, Device, DeviceChoice, HostTensor, Method, MethodOptions, Program, Shape, Spec, Tolerance, Value,
};
use pteron_testkit::{FilledSource, Manifest, fixtures};

/// A network, and the most launches that a call may take on a device that binds memory from every 256th byte on.
type Network = (&'static str, u64);

/// Those that a software adapter runs in a second or two.
const SMALL: [Network; 4] = [("mobilenet_v3_small", 68), ("efficientnet_b0", 103), ("encoder", 41), ("vit", 67)];
const LARGE: [Network; 2] = [("resnet18", 41), ("resnet50_batch8", 82)];

fn gpu() -> Device {
    Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")
}

fn open(network: &str) -> Program {
    let path = fixtures().join("networks").join(format!("{network}.skel.pte"));
    let manifest = Manifest::beside(&path).expect("the manifest is readable");
    let filled = FilledSource::new(&path, &manifest).expect("the skeleton fits its manifest");
    Program::from_source(std::sync::Arc::new(filled)).expect("the program opens")
}

fn load(network: &str, device: &Device, options: &MethodOptions) -> Method {
    let method = open(network).on(device).load("forward", options).expect("the method loads");
    let on_host: Vec<_> = method.placements().iter().filter(|placement| placement.on_host.is_some()).collect();
    assert!(on_host.is_empty(), "{network}: {on_host:?}");
    method
}

/// Numbers for every input: pictures, or words of a vocabulary.
fn inputs(method: &Method) -> Vec<Value> {
    let input = |spec| {
        let Spec::Tensor { dtype, shape, .. } = spec else { panic!("{spec:?} is no tensor") };
        tensor(dtype, shape).into()
    };
    method.inputs().into_iter().map(input).collect()
}

fn tensor(dtype: DType, shape: Shape) -> HostTensor {
    let words = (1u32..).map(|i| i.wrapping_mul(0x9e37_79b9) >> 16).take(shape.numel());
    let made = match dtype {
        DType::F32 => HostTensor::from_f64s(dtype, shape, words.map(|word| f64::from(word) / 32768.0 - 1.0)),
        _ => HostTensor::from_i64s(dtype, shape, words.map(|word| i64::from(word % 1000))),
    };
    made.expect("values fill the shape")
}

fn first(outputs: &[Value]) -> HostTensor {
    outputs[0].tensor().expect("the output is a tensor").clone()
}

#[test]
fn a_call_is_one_submit_of_few_launches() {
    let device = gpu();
    for (network, launches) in SMALL {
        let mut method = load(network, &device, &MethodOptions::default());
        let given = inputs(&method);
        method.run(&given).expect("the method runs");
        assert_eq!((method.submits(), method.host_round_trips()), (1, 0), "{network}");
        assert!(method.dispatches() <= launches, "{network} makes {} launches", method.dispatches());
    }
}

/// However workgroups divide the work, and whether or not launches were recorded ahead.
#[test]
fn every_call_gives_the_same_bits() {
    let device = gpu();
    for (network, _) in SMALL {
        let mut method = load(network, &device, &MethodOptions::default());
        let given = inputs(&method);
        let [expected, second, third] = [(); 3].map(|()| first(&method.run(&given).expect("the method runs")));
        assert!(method.recorded_ahead(), "{network}");
        for got in [second, third] {
            assert!(got.bytes() == expected.bytes(), "{network} gives other numbers when it is called again");
        }
    }
}

/// A batch makes the exporter leave convolutions outside of delegates.
#[test]
fn no_operator_of_large_networks_runs_on_the_host() {
    let device = gpu();
    for (network, _) in LARGE {
        load(network, &device, &MethodOptions::default());
    }
}

#[test]
fn networks_give_the_same_without_fusion() {
    let device = gpu();
    for (network, _) in SMALL {
        let run = |fuse| {
            let mut method = load(network, &device, &MethodOptions::default().with_fuse(fuse));
            let given = inputs(&method);
            (first(&method.run(&given).expect("the method runs")), method.dispatches())
        };
        let ((fused, few), (plain, many)) = (run(true), run(false));
        let largest = plain.to_f64s().into_iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        assert!(largest.is_finite() && largest > 0.0, "{network} gives {largest}");
        let tolerance = Tolerance { atol: 1e-4 * largest, rtol: 1e-4 };
        let comparison = tolerance.compare(&fused, &plain).expect("the same shape");
        assert!(comparison.passed(), "{network}: {comparison:?}");
        assert!(few < many, "{network}: {few} launches fused, {many} not");
    }
}
