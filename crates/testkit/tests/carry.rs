//! Outputs that are carried into inputs of the next call.

use pteron_runtime::{
    Appended, Argument, Carry, DType, Device, DeviceChoice, ErrorKind, HostTensor, Method, MethodOptions, Port,
    Program, Result, Submitted, TensorType, Value,
};

fn gpu() -> Device {
    Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")
}

fn load(name: &str, append: Vec<Appended>, carry: &[(Port, Port)], device: &Device) -> Result<Method> {
    let path = pteron_testkit::fixtures().join(name).join("model.pte");
    let carry = carry.iter().map(|&(output, input)| Carry { output, input }).collect();
    let options = MethodOptions::default().with_append(append).with_carry(carry);
    Program::open(path).expect("the program opens").on(device).load("forward", &options)
}

fn f32s(values: &[f32], dims: &[usize]) -> Value {
    HostTensor::from_slice(values, dims).expect("values fill the shape").into()
}

fn read(submitted: Submitted) -> Vec<f64> {
    submitted.read().expect("it ran").remove(0).to_f64s()
}

/// It gives x · y, x + y and (x + y) · y, where x has three rows of two and y two numbers.
const SEVERAL: &str = "programs/outputs/several";

fn x() -> Value {
    f32s(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[3, 2])
}

fn y() -> Value {
    f32s(&[2.0, 0.5], &[2])
}

/// Five calls, each on an output of the one before, all submitted before any is read.
fn five_calls(method: &mut Method, output: usize) -> Vec<Vec<f64>> {
    let (mut next, mut calls) = (x(), Vec::new());
    for _ in 0..5 {
        let submitted = method.submit(&[next, y()], &[output]).expect("it is submitted");
        next = submitted.outputs()[output].clone();
        calls.push(submitted);
    }
    calls.into_iter().map(read).collect()
}

/// x + y reads x where it writes its result, so the two cannot be in one memory; (x + y) · y can be where x was.
#[test]
fn an_output_is_carried_whether_or_not_it_can_lie_in_the_inputs_memory() {
    for device in [Device::cpu(), gpu()] {
        for (output, step) in
            [(1, |x: f64, y: f64| x + y), (2, |x: f64, y: f64| (x + y) * y)] as [(_, fn(f64, f64) -> f64); 2]
        {
            let mut expected: Vec<f64> = (1..7).map(f64::from).collect();
            let expected: Vec<Vec<f64>> = (0..5)
                .map(|_| {
                    expected.iter_mut().zip([2.0, 0.5].into_iter().cycle()).for_each(|(x, y)| *x = step(*x, y));
                    expected.clone()
                })
                .collect();
            let carry = [(Port::Program(output), Port::Program(0))];
            let mut method = load(SEVERAL, Vec::new(), &carry, &device).expect("it loads");
            assert_eq!(five_calls(&mut method, output), expected, "output {output}");
            // What the host gives afterwards is not what was carried.
            assert_eq!(five_calls(&mut method, output), expected, "output {output}, again");
        }
    }
}

#[test]
fn what_is_carried_takes_no_memory_of_its_own_where_the_order_of_work_allows_it() {
    let device = gpu();
    let scratch = |carry: &[(Port, Port)]| {
        // In one launch, sum and product would read x where the product is written.
        let carry = carry.iter().map(|&(output, input)| Carry { output, input }).collect();
        let options = MethodOptions::default().with_fuse(false).with_carry(carry);
        let path = pteron_testkit::fixtures().join(SEVERAL).join("model.pte");
        let program = Program::open(path).expect("the program opens").on(&device);
        let mut method = program.load("forward", &options).expect("it loads");
        method.run(&[x(), y()]).expect("it runs");
        method.gpu_bytes().scratch
    };
    let [without, sum, product] = [
        scratch(&[]),
        scratch(&[(Port::Program(1), Port::Program(0))]),
        scratch(&[(Port::Program(2), Port::Program(0))]),
    ];
    assert_eq!(sum, without);
    assert!(product < without, "{product} bytes, and {without} without");
}

/// A sum of all y so far, in the input of an operator that only this caller knows.
#[test]
fn an_appended_operator_can_keep_a_sum() {
    let port = |number| Port::Appended { operator: 0, number };
    for device in [Device::cpu(), gpu()] {
        let total = TensorType::fixed(DType::F32, &[3, 2]).expect("a small shape");
        let sum = Appended {
            op: "aten.add.Tensor".to_owned(),
            args: vec![Argument::Input(total), Argument::Output(Port::Program(1)), Argument::Int(1)],
            outputs: vec![total],
        };
        let mut method = load(SEVERAL, vec![sum], &[(port(0), port(0))], &device).expect("it loads");
        let ports = method.appended()[0].clone();
        assert_eq!((&ports.inputs[..], &ports.outputs[..]), (&[2][..], &[3][..]));
        let mut total = f32s(&[0.0; 6], &[3, 2]);
        let mut calls = Vec::new();
        for _ in 0..4 {
            let submitted = method.submit(&[x(), y(), total], &ports.outputs).expect("it is submitted");
            total = submitted.outputs()[ports.outputs[0]].clone();
            calls.push(read(submitted));
        }
        assert_eq!(calls[3], [12.0, 10.0, 20.0, 18.0, 28.0, 26.0]);
    }
}

#[test]
fn what_is_carried_may_grow_and_shrink_with_the_input() {
    let expected = |rows: u8| -> Vec<f64> { (0..rows).flat_map(|row| [f64::from(row) * 3.0; 5]).collect() };
    let rows = |count: u8| {
        let values: Vec<f32> = (0..count).flat_map(|row| [f32::from(row); 5]).collect();
        f32s(&values, &[count.into(), 5])
    };
    for device in [Device::cpu(), gpu()] {
        let carry = [(Port::Program(0), Port::Program(0))];
        let mut method = load("ops/add/dynamic", Vec::new(), &carry, &device).expect("it loads");
        for count in [3, 9, 2, 16, 1] {
            let first = method.submit(&[rows(count), rows(count)], &[]).expect("it is submitted");
            let second = method.submit(&[first.outputs()[0].clone(), rows(count)], &[0]).expect("it is submitted");
            assert_eq!(read(second), expected(count), "{count} rows");
        }
    }
}

#[test]
fn what_does_not_fit_is_not_carried() {
    let (first, second) = (Port::Program(0), Port::Program(1));
    for device in [Device::cpu(), gpu()] {
        for (name, carry, reason) in [
            (SEVERAL, &[(first, second)][..], "it is f32[3, 2], and the input takes f32[2]"),
            (SEVERAL, &[(first, Port::Program(2))], "there is no input 2"),
            (SEVERAL, &[(Port::Program(3), first)], "there is no output 3"),
            (SEVERAL, &[(Port::Appended { operator: 0, number: 0 }, first)], "there is no output 0 of appended"),
            (SEVERAL, &[(first, first), (second, first)], "another output is"),
            ("ops/argmax/last", &[(first, first)], "and the input takes"),
        ] {
            let error = load(name, Vec::new(), carry, &device).expect_err("it does not fit");
            assert_eq!(error.kind(), ErrorKind::Input);
            let text = error.to_string();
            assert!(text.contains("cannot be carried into input") && text.contains(reason), "{text}");
        }
    }
}

/// Twice the first output of a program on three numbers, carried into its first input.
fn twice(name: &str) -> Method {
    let row = TensorType::fixed(DType::F32, &[3]).expect("a small shape");
    let twice = Appended {
        op: "aten.add.Tensor".to_owned(),
        args: vec![Argument::Output(Port::Program(0)), Argument::Output(Port::Program(0)), Argument::Int(1)],
        outputs: vec![row],
    };
    let carry = [(Port::Appended { operator: 0, number: 0 }, Port::Program(0))];
    load(name, vec![twice], &carry, &gpu()).expect("it loads")
}

fn rows() -> [Value; 2] {
    [f32s(&[1.0, 2.0, 3.0], &[3]), f32s(&[0.5, 0.25, 0.125], &[3])]
}

/// The program gives x + y twice.
#[test]
fn what_lies_in_the_memory_of_an_input_is_another_input_only_beside_it() {
    let mut method = twice("programs/outputs/returned_twice");
    let [x, y] = rows();
    let first = method.submit(&[x.clone(), y], &[2]).expect("it is submitted");
    let carried = first.outputs()[2].clone();
    let error = method.submit(&[x, carried.clone()], &[0]).expect_err("the memory takes the new x");
    assert!(error.to_string().contains("input 1: it is carried into input 0 of the next call"), "{error}");
    let second = method.submit(&[carried.clone(), carried], &[0]).expect("it is submitted");
    assert_eq!(read(second), [6.0, 9.0, 12.5]);
    assert_eq!(read(first), [3.0, 4.5, 6.25]);
}

/// The program gives x + y and shows x, which must not become what is carried.
#[test]
fn an_input_that_is_shown_keeps_its_memory() {
    let mut method = twice("programs/outputs/input_copied");
    let [x, y] = rows();
    let first = method.submit(&[x.clone(), y.clone()], &[1]).expect("it is submitted");
    let second = method.submit(&[first.outputs()[2].clone(), first.outputs()[1].clone()], &[0]);
    assert_eq!(read(second.expect("it is submitted")), [4.0, 6.5, 9.25]);
    assert_eq!(read(first), [1.0, 2.0, 3.0]);
}
