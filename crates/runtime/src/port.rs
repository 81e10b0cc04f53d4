//! Inputs and outputs of a method, named before it is loaded.

use std::fmt;

use crate::append::AppendedPorts;
use crate::graph::MethodGraph;

/// An input or an output of a method, named before it is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Port {
    /// One of the program's own, by its number.
    Program(usize),
    /// One of an operator that is appended.
    Appended {
        /// The number of the operator in [`MethodOptions::append`](crate::MethodOptions::append).
        operator: usize,
        /// The number among its new inputs, or among its outputs.
        number: usize,
    },
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Port::Program(number) => write!(f, "{number}"),
            Port::Appended { operator, number } => write!(f, "{number} of appended operator {operator}"),
        }
    }
}

impl Port {
    /// Its number among the inputs of a method.
    pub(crate) fn input(self, method: &MethodGraph) -> Result<usize, String> {
        self.find(method, method.inputs.len(), |ports| &ports.inputs).ok_or_else(|| format!("there is no input {self}"))
    }

    /// Its number among the outputs of a method.
    pub(crate) fn output(self, method: &MethodGraph) -> Result<usize, String> {
        self.find(method, method.outputs.len(), |ports| &ports.outputs)
            .ok_or_else(|| format!("there is no output {self}"))
    }

    fn find(self, method: &MethodGraph, count: usize, of: fn(&AppendedPorts) -> &[usize]) -> Option<usize> {
        match self {
            // Those of appended operators follow the program's own.
            Port::Program(number) => {
                let own = count - method.appended.iter().map(|ports| of(ports).len()).sum::<usize>();
                (number < own).then_some(number)
            }
            Port::Appended { operator, number } => of(method.appended.get(operator)?).get(number).copied(),
        }
    }
}
