//! What persists between the calls of a method, and the states that take turns on it.

use std::sync::Arc;

use pteron_tensor::HostTensor;

use super::{Delegate, Method, Slot};
use crate::engine::reference::ReferenceState;
use crate::engine::wgpu::GpuState;
use crate::error::{Error, Result};
use crate::graph::ProgramValue;
use crate::value::Value;

/// What persists between the calls of a method: key-value caches, counters, whatever the program changes in place.
///
/// A method has one of its own; [`Method::new_state`] makes others, and [`Method::swap_state`] lets them take turns. Two
/// conversations with one language model are two states, and share its weights.
#[derive(Debug)]
pub struct State {
    /// The identity of the method that it belongs to.
    method: Arc<()>,
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

impl Method {
    /// A state as it was when the method was loaded. The method's own stays as it is.
    pub fn new_state(&self) -> Result<State> {
        let mut delegates = Vec::with_capacity(self.delegates.len());
        for (delegate, graph) in self.delegates.iter().zip(&self.graph.delegates) {
            delegates.push(match delegate {
                Delegate::Reference(delegate) => DelegateState::Reference(delegate.new_state(graph)?),
                Delegate::Gpu(delegate) => DelegateState::Gpu(delegate.new_state(graph)?),
            });
        }
        Ok(State { method: self.identity.clone(), values: self.first_values(), delegates })
    }

    /// Exchanges the method's state with another of its own. Nothing is copied. A state of another method is an error.
    pub fn swap_state(&mut self, state: &mut State) -> Result<()> {
        if !Arc::ptr_eq(&self.identity, &state.method) {
            return Err(Error::Misuse(format!("the state belongs to another method than this {}", self.graph.name)));
        }
        std::mem::swap(&mut self.values, &mut state.values);
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
        for (delegate, graph) in self.delegates.iter_mut().zip(&self.graph.delegates) {
            match delegate {
                Delegate::Reference(delegate) => delegate.reset(graph)?,
                Delegate::Gpu(delegate) => delegate.reset(graph),
            }
        }
        self.values = self.first_values();
        Ok(())
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
            Delegate::Reference(reference) => reference.state(id).ok_or_else(missing),
            Delegate::Gpu(gpu) => {
                let tensor = gpu.state_tensor(&self.graph.delegates[delegate], id).ok_or_else(missing)?;
                tensor.to_host_async().await
            }
        }
    }
}
