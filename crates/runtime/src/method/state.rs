//! What persists between the calls of a method, and the states that take turns on it.

use std::sync::Arc;

use pteron_tensor::HostTensor;

use super::condition::Validity;
use super::{Delegate, Method, Slot};
use crate::engine::reference::ReferenceState;
use crate::engine::wgpu::GpuState;
use crate::error::{Error, Result};
use crate::graph::{Graph, ProgramValue};
use crate::value::Value;

/// What persists between the calls of a method: key-value caches, counters, whatever the program changes in place.
///
/// A method has one of its own; [`Method::new_state`] makes others, and [`Method::swap_state`] lets them take turns. Two
/// conversations with one language model are two states, and share its weights.
#[derive(Debug)]
pub struct State {
    /// The identity of the method that it belongs to.
    method: Arc<()>,
    validity: Validity,
    values: Vec<Slot>,
    delegates: Vec<DelegateState>,
}

#[derive(Debug)]
enum DelegateState {
    Reference(ReferenceState),
    Gpu(GpuState),
}

impl State {
    /// Bytes on the GPU.
    pub fn gpu_bytes(&self) -> u64 {
        let held = |delegate: &DelegateState| match delegate {
            DelegateState::Gpu(state) => state.bytes(),
            DelegateState::Reference(_) => 0,
        };
        self.delegates.iter().map(held).sum()
    }
}

/// What a call may change, as it was before.
#[derive(Debug)]
pub(super) struct Before {
    values: Vec<Slot>,
    /// The states of delegates on the reference engine. Those on a GPU are backed up when they are at stake.
    reference: Vec<ReferenceState>,
}

impl Method {
    /// What a call may change.
    pub(super) fn before(&self) -> Before {
        let reference = self.delegates.iter().filter_map(|delegate| match delegate {
            Delegate::Reference(delegate) => Some(delegate.state().clone()),
            Delegate::Gpu(_) => None,
        });
        Before { values: self.values.clone(), reference: reference.collect() }
    }

    /// Undoes what a call that failed has changed.
    pub(super) fn roll_back(&mut self, before: Before) {
        self.values = before.values;
        let mut reference = before.reference.into_iter();
        for delegate in &mut self.delegates {
            match delegate {
                Delegate::Reference(delegate) => {
                    if let Some(mut state) = reference.next() {
                        delegate.swap_state(&mut state);
                    }
                }
                Delegate::Gpu(delegate) => delegate.restore_state(),
            }
        }
    }

    /// Forgets how to undo what a call has changed.
    pub(super) fn keep_changes(&mut self) {
        for delegate in &mut self.delegates {
            if let Delegate::Gpu(delegate) = delegate {
                delegate.drop_backup();
            }
        }
    }

    /// A state as it was when the method was loaded. The method's own stays as it is.
    pub fn new_state(&self) -> Result<State> {
        let state = |(delegate, graph): (&Delegate, &Graph)| -> Result<DelegateState> {
            Ok(match delegate {
                Delegate::Reference(delegate) => DelegateState::Reference(delegate.new_state(graph)?),
                Delegate::Gpu(delegate) => DelegateState::Gpu(delegate.new_state(graph)?),
            })
        };
        let delegates = self.delegates.iter().zip(&self.graph.delegates);
        let delegates = self.device.scoped_now(|| delegates.map(state).collect())?;
        let (method, validity) = (self.identity.clone(), Validity::new());
        Ok(State { method, validity, values: self.first_values(), delegates })
    }

    /// Exchanges the method's state with another of its own. Nothing is copied. A state of another method is an error.
    pub fn swap_state(&mut self, state: &mut State) -> Result<()> {
        if !Arc::ptr_eq(&self.identity, &state.method) {
            return Err(Error::Misuse(format!("the state belongs to another method than this {}", self.graph.name)));
        }
        std::mem::swap(&mut self.values, &mut state.values);
        std::mem::swap(&mut self.validity, &mut state.validity);
        for pair in self.delegates.iter_mut().zip(&mut state.delegates) {
            match pair {
                (Delegate::Reference(delegate), DelegateState::Reference(state)) => delegate.swap_state(state),
                (Delegate::Gpu(delegate), DelegateState::Gpu(state)) => delegate.swap_state(state),
                _ => unreachable!("a state has the engines of its method"),
            }
        }
        Ok(())
    }

    /// Sets the current state back to what it was when the method was loaded.
    pub fn reset(&mut self) -> Result<()> {
        let reset = |(delegate, graph): (&mut Delegate, &Graph)| -> Result<()> {
            match delegate {
                Delegate::Reference(delegate) => delegate.reset(graph)?,
                Delegate::Gpu(delegate) => delegate.reset(graph),
            }
            Ok(())
        };
        let mut delegates = self.delegates.iter_mut().zip(&self.graph.delegates);
        self.device.scoped_now(|| delegates.try_for_each(reset))?;
        self.values = self.first_values();
        self.validity = Validity::new();
        Ok(())
    }

    /// What a value of the program holds between calls, on the host: a constant, or what persists. Nothing where it is empty,
    /// or state of a graph on the device. `id` is its number in the program's file.
    pub fn kept_value(&self, id: u32) -> Option<&Value> {
        match self.values.get(id as usize)? {
            Slot::Value(value) => Some(value),
            Slot::Empty | Slot::Borrowed { .. } => None,
        }
    }

    /// What the values of the program hold before the first call.
    pub(super) fn first_values(&self) -> Vec<Slot> {
        let first = |(value, initial): (&ProgramValue, &Option<HostTensor>)| match (value, initial) {
            (_, Some(tensor)) => Slot::Value(Value::Tensor(tensor.clone())),
            (&ProgramValue::Int(value), _) => Slot::Value(Value::Int(value)),
            (&ProgramValue::Double(value), _) => Slot::Value(Value::Double(value)),
            (&ProgramValue::Bool(value), _) => Slot::Value(Value::Bool(value)),
            (ProgramValue::Str(text), _) => Slot::Value(Value::Str(text.clone())),
            (ProgramValue::Null, _) => Slot::Value(Value::Null),
            _ => Slot::Empty,
        };
        self.graph.values.iter().zip(&self.initial).map(first).collect()
    }

    /// The current state of a delegate's value.
    pub(crate) async fn state(&self, delegate: usize, id: u32) -> Result<HostTensor> {
        let missing = || Error::NotFound(format!("value {id} is no state"));
        match self.delegates.get(delegate).ok_or_else(missing)? {
            Delegate::Reference(reference) => reference.state().get(id as usize).cloned().flatten().ok_or_else(missing),
            Delegate::Gpu(gpu) => {
                let tensor = gpu.state_tensor(&self.graph.delegates[delegate], id).ok_or_else(missing)?;
                tensor.to_host_async().await
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;
    use pteron_pte::Dynamism;
    use pteron_tensor::{DType, Shape};

    use super::*;
    use crate::device::{Device, DeviceChoice};
    use crate::graph::{
        Constant, DataRef, Graph, MethodGraph, Node, ProgramTensor, Role, Step, TensorValue, Value as GraphValue,
    };
    use crate::testing;

    /// A delegate adds its input to its state, and gives the sum and its double. Then the host looks rows of the sum up.
    fn accumulator(device: &Device) -> Method {
        let shape = Shape::new(&[2, 3]).unwrap();
        let tensor = |role| GraphValue::Tensor(TensorValue { dtype: DType::F32, shape, role });
        let data = DataRef::Bytes(HostTensor::zeros(DType::F32, shape).into_bytes());
        let add = catalogue::lookup("aten.add.Tensor").unwrap();
        let delegate = Graph {
            name: "test".to_owned(),
            values: vec![
                tensor(Role::Plain),
                tensor(Role::State(0)),
                GraphValue::Int(1),
                tensor(Role::Plain),
                tensor(Role::Plain),
            ],
            nodes: vec![
                Node { id: 0, op: add, args: vec![1, 0, 2], outputs: vec![3] },
                Node { id: 1, op: add, args: vec![3, 3, 2], outputs: vec![4] },
            ],
            inputs: vec![0],
            outputs: vec![3, 4],
            constants: vec![Constant { data, stored: DType::F32, dtype: DType::F32, shape }],
            updates: vec![(1, 3)],
            ..Graph::default()
        };
        let value = |dtype, dims: &[usize]| {
            let (shape, dynamism) = (Shape::new(dims).unwrap(), Dynamism::Static);
            ProgramValue::Tensor(ProgramTensor { dtype, shape, dynamism, data: None, order: None, allocation: None })
        };
        let rows = catalogue::lookup_portable("aten::embedding.out").unwrap();
        let method = MethodGraph {
            name: "forward".to_owned(),
            values: vec![
                value(DType::F32, &[2, 3]),
                value(DType::I64, &[1]),
                value(DType::F32, &[2, 3]),
                value(DType::F32, &[2, 3]),
                value(DType::F32, &[1, 3]),
            ],
            inputs: vec![0, 1],
            outputs: vec![4, 3],
            steps: vec![
                Step::Delegate { index: 0, inputs: vec![0], outputs: vec![2, 3], numbers: Vec::new() },
                Step::Kernel { op: rows, args: vec![2, 1], outputs: vec![4] },
            ],
            delegates: vec![delegate],
            ..MethodGraph::default()
        };
        pollster::block_on(testing::load(device, device.caps(), method)).unwrap()
    }

    fn inputs(row: i64) -> [Value; 2] {
        let ones = HostTensor::from_slice(&[1.0f32; 6], &[2, 3]).unwrap();
        [ones.into(), HostTensor::from_slice(&[row], &[1]).unwrap().into()]
    }

    /// What the first row of the sum is after a call.
    fn sum(outputs: &[Value]) -> f32 {
        outputs[0].tensor().unwrap().as_slice::<f32>().unwrap()[0]
    }

    #[test]
    fn a_call_that_fails_after_work_was_submitted_is_undone() {
        for device in [Device::cpu(), Device::open(&DeviceChoice::Gpu).unwrap()] {
            let mut method = accumulator(&device);
            for calls in [1.0, 2.0] {
                assert_eq!(sum(&method.run(&inputs(1)).unwrap()), calls);
                let error = method.run(&inputs(2)).unwrap_err().to_string();
                assert!(error.contains("index 2 is out of range: valid are 0 to 1"), "{error}");
            }
            let mut other = method.new_state().unwrap();
            method.swap_state(&mut other).unwrap();
            method.run(&inputs(-1)).unwrap_err();
            assert_eq!(sum(&method.run(&inputs(0)).unwrap()), 1.0);
            method.swap_state(&mut other).unwrap();
            assert_eq!(sum(&method.run(&inputs(0)).unwrap()), 3.0);
        }
    }

    #[test]
    fn a_call_that_fails_after_work_was_submitted_ends_no_lease() {
        let mut method = accumulator(&Device::open(&DeviceChoice::Gpu).unwrap());
        let submitted = method.submit(&inputs(0), &[]).unwrap();
        let Value::Device(double) = submitted.outputs()[1].clone() else { panic!("the double left the device") };
        method.submit(&inputs(2), &[]).unwrap_err();
        assert_eq!(double.to_host().unwrap().as_slice::<f32>().unwrap(), [2.0; 6]);
    }
}
