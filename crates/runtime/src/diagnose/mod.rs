//! Finding the node that computes wrongly: every node of a method on a GPU against its reference, on the same inputs.

mod compare;
mod trace;

use pteron_tensor::HostTensor;

use self::trace::Trace;
use crate::device::{Device, Kind};
use crate::error::{Error, Result};
use crate::method::Method;
use crate::options::MethodOptions;
use crate::program::Program;
use crate::value::Value;

/// The most findings that are kept, with their tensors.
const KEPT: usize = 8;

/// What became of the nodes of a method that were compared with their references.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Diagnosis {
    /// Nodes that were compared.
    pub compared: usize,
    /// Nodes that were not, since a later one overwrites what they read or give, or since they draw numbers at random.
    pub skipped: usize,
    /// What is wrong, in the order of the nodes; the first few of them.
    pub findings: Vec<Finding>,
    /// The first infinity, which the reference gives too: often a mask, and now and then an overflow.
    pub infinity: Option<Finding>,
}

/// A node whose result is wrong.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// Where it is: delegate and node.
    pub at: String,
    /// The operator.
    pub op: String,
    /// The number of its result that is wrong.
    pub output: usize,
    /// What is wrong with it.
    pub wrong: Wrong,
    /// The tensors that it read, each with the number of its argument.
    pub inputs: Vec<(usize, HostTensor)>,
    /// What the GPU gave.
    pub got: HostTensor,
    /// What the reference gives for the same inputs.
    pub expected: HostTensor,
}

/// What is wrong with a result.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Wrong {
    /// It is further from the reference than operators of its class may be.
    Differs {
        /// The element that differs most.
        element: usize,
        /// What the GPU gave.
        got: f64,
        /// What the reference gives.
        expected: f64,
    },
    /// It holds a NaN or an infinity, and what the node read is finite.
    NotFinite {
        /// The element.
        element: usize,
        /// What it is.
        value: f64,
    },
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Wrong::Differs { element, got, expected } => {
                write!(f, "element {element} is {got}, and the reference gives {expected}")
            }
            Wrong::NotFinite { element, value } => {
                write!(f, "element {element} is {value}, though all that the node read is finite")
            }
        }
    }
}

impl Program {
    /// Like [`Program::diagnose_async`], and waits for it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn diagnose(&self, name: &str, options: &MethodOptions, inputs: &[Value]) -> Result<Diagnosis> {
        crate::block_on(self.diagnose_async(name, options, inputs))
    }

    /// Runs a method once on its GPU, and computes each node again with its reference, on what the GPU gave it to read.
    ///
    /// So an error is found where it arises, and not where it is seen. Fused operators are compared at their borders. All
    /// results of all nodes are kept, which takes more memory than a call. What is appended or carried is left out.
    pub async fn diagnose_async(&self, name: &str, options: &MethodOptions, inputs: &[Value]) -> Result<Diagnosis> {
        let device = match self.device() {
            Some(device) => device.clone(),
            None => Device::shared_async().await?,
        };
        let Kind::Gpu(_) = &device.0 else {
            return Err(Error::Device("the reference engine has nothing to be compared with".to_owned()));
        };
        let options = options.clone().with_append(Vec::new()).with_carry(Vec::new());
        let (graph, caps) = self.graph(name, &options, &device).await?;
        let trace = Trace::new(graph);
        let load = Method::load(
            self.shared_constants(),
            device.clone(),
            caps.clone(),
            trace.graph.clone(),
            self.data_files(),
            *self.limits(),
            &options.on_progress,
        );
        let mut method = device.scoped(load).await?;
        let before = trace.states(&method).await?;
        let outputs = method.run_async(inputs).await?;
        let after = trace.states(&method).await?;
        compare::nodes(&trace, self.data_files(), &caps, (inputs, outputs), &before, &after).await
    }
}
