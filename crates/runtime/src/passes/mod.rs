//! Passes over a delegate's graph before it is planned for a GPU: each replaces a pattern of nodes by one that gives the
//! same values in fewer launches. The reference engine runs graphs as they were written.

mod attention;
mod convolution;
mod linear;
mod mlp;
mod norm;
mod product;
mod prune;
mod residual;
mod rewrite;
mod scores;
mod siblings;
mod swiglu;
mod uses;

use crate::graph::{Graph, MethodGraph};

/// Runs every pass over the delegates of a method, which also keeps them as they were written.
pub(crate) fn fuse(method: &mut MethodGraph) {
    method.written = method.delegates.clone();
    method.delegates.iter_mut().for_each(run);
}

/// Runs every pass. A graph that no pass knows stays as it is.
fn run(graph: &mut Graph) {
    attention::run(graph);
    scores::run(graph);
    convolution::run(graph);
    product::run(graph);
    linear::run(graph);
    swiglu::run(graph);
    residual::run(graph);
    siblings::run(graph);
    norm::run(graph);
    mlp::run(graph);
    prune::run(graph);
}
