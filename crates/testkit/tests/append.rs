//! Operators that are appended to a method when it is loaded.

use pteron_runtime::{
    Appended, Argument, DType, Device, DeviceChoice, ErrorKind, HostTensor, Method, MethodOptions, Port, Program,
    Result, TensorType, Value,
};

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")]
}

fn load(name: &str, append: Vec<Appended>, device: &Device) -> Result<Method> {
    let path = pteron_testkit::fixtures().join(name).join("model.pte");
    let options = MethodOptions::default().with_append(append);
    Program::open(path).expect("the program opens").on(device).load("forward", &options)
}

fn fixed(dtype: DType, dims: &[usize]) -> TensorType {
    TensorType::fixed(dtype, dims).expect("a small shape")
}

fn f32s(values: &[f32], dims: &[usize]) -> Value {
    HostTensor::from_slice(values, dims).expect("values fill the shape").into()
}

fn read(value: &Value) -> Vec<f64> {
    value.tensor().expect("a host tensor").to_f64s()
}

/// An output plus `alpha` times another argument, as f32[3, 2].
fn sum(of: Port, other: Argument, alpha: i64) -> Appended {
    let args = vec![Argument::Output(of), other, Argument::Int(alpha)];
    Appended { op: "aten.add.Tensor".to_owned(), args, outputs: vec![fixed(DType::F32, &[3, 2])] }
}

/// It gives x · y, x + y and (x + y) · y.
const SEVERAL: &str = "programs/outputs/several";

fn several() -> [Value; 2] {
    [f32s(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[3, 2]), f32s(&[10.0, 100.0], &[2])]
}

#[test]
fn operators_take_results_of_the_program_and_of_each_other() {
    for device in devices() {
        let append = vec![
            // x · y + 2 · (x + y)
            sum(Port::Program(0), Argument::Output(Port::Program(1)), 2),
            // … − z
            sum(Port::Appended { operator: 0, number: 0 }, Argument::Input(fixed(DType::F32, &[2])), -1),
        ];
        let mut method = load(SEVERAL, append, &device).expect("it loads");
        let [first, second] = method.appended() else { panic!("two operators were appended") };
        assert_eq!((&first.inputs[..], &first.outputs[..]), (&[][..], &[3][..]));
        assert_eq!((&second.inputs[..], &second.outputs[..]), (&[2][..], &[4][..]));
        let [x, y] = several();
        let outputs = method.run(&[x, y, f32s(&[0.5, 0.25], &[2])]).expect("it runs");
        assert_eq!(read(&outputs[1]), [11.0, 102.0, 13.0, 104.0, 15.0, 106.0]);
        assert_eq!(read(&outputs[3]), [32.0, 404.0, 56.0, 608.0, 80.0, 812.0]);
        assert_eq!(read(&outputs[4]), [31.5, 403.75, 55.5, 607.75, 79.5, 811.75]);
    }
}

#[test]
fn indices_come_as_the_program_would_give_them() {
    for device in devices() {
        let greatest = Appended {
            op: "aten.argmax.default".to_owned(),
            args: vec![Argument::Output(Port::Program(2)), Argument::Int(0), Argument::Bool(false)],
            outputs: vec![fixed(DType::I64, &[2])],
        };
        let mut method = load(SEVERAL, vec![greatest], &device).expect("it loads");
        let outputs = method.run(&several()).expect("it runs");
        let greatest = outputs[3].tensor().expect("a host tensor");
        assert_eq!((greatest.dtype(), greatest.to_i64s()), (DType::I64, vec![2, 2]));
    }
}

#[test]
fn what_cannot_be_appended_is_refused() {
    let other = || Argument::Output(Port::Program(1));
    let unknown = Appended { op: "aten.no_such.default".to_owned(), ..sum(Port::Program(0), other(), 1) };
    let without =
        Appended { args: vec![Argument::Input(fixed(DType::F32, &[2]))], ..sum(Port::Program(0), other(), 1) };
    let short = Argument::Input(fixed(DType::I16, &[3, 2]));
    let later = Port::Appended { operator: 1, number: 0 };
    for device in devices() {
        for (name, appended, reason) in [
            (SEVERAL, unknown.clone(), "no such operator"),
            (SEVERAL, without.clone(), "none of its arguments is a result"),
            (SEVERAL, sum(Port::Program(3), other(), 1), "there is no output 3"),
            (SEVERAL, sum(later, other(), 1), "there is no output 0 of appended operator 1"),
            (SEVERAL, sum(Port::Program(0), short.clone(), 1), "no device has"),
            (
                "programs/outputs/input_only",
                sum(Port::Program(0), Argument::Null, 1),
                "output 0 is not the result of one",
            ),
            ("programs/portable/nonzero", sum(Port::Program(0), Argument::Null, 1), "output 0 is not the result"),
        ] {
            let error = load(name, vec![appended], &device).expect_err("it cannot be appended");
            assert_eq!(error.kind(), ErrorKind::Input);
            let text = error.to_string();
            assert!(text.contains("cannot be appended to forward") && text.contains(reason), "{name}: {text}");
        }
    }
}

#[test]
fn what_the_caller_says_of_an_output_must_be_so() {
    for device in devices() {
        let other = Argument::Output(Port::Program(1));
        let wrong = Appended { outputs: vec![fixed(DType::F32, &[3, 3])], ..sum(Port::Program(0), other, 1) };
        let error = load(SEVERAL, vec![wrong], &device).expect_err("it gives another shape").to_string();
        assert!(error.contains("gives f32[3, 2], and is said to give f32[3, 3]"), "{error}");
    }
}
