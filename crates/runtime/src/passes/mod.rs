//! Passes over a delegate's graph before it is planned for a GPU: each replaces a pattern of nodes by one that gives the
//! same values in fewer launches. The reference engine runs graphs as they were written.

mod attention;
mod caches;
mod chain;
mod convolution;
mod epilogue;
mod fold;
mod linear;
mod mlp;
mod norm;
mod permute;
mod product;
mod prune;
mod residual;
mod rewrite;
mod rms_norm;
mod rotary;
mod scores;
mod siblings;
mod silu;
mod swiglu;
mod uses;

use pteron_ops::Caps;

use crate::data::DataFiles;
use crate::error::Result;
use crate::graph::{Graph, MethodGraph};

/// Runs every pass over the delegates of a method, which also keeps them as they were written.
pub(crate) async fn fuse(method: &mut MethodGraph, files: &DataFiles, caps: &Caps) -> Result<()> {
    method.written = method.delegates.clone();
    for graph in &mut method.delegates {
        fold::run(graph, files, caps).await?;
        rms_norm::run(graph, files).await?;
        run(graph);
    }
    Ok(())
}

/// Runs every pass. A graph that no pass knows stays as it is.
fn run(graph: &mut Graph) {
    caches::run(graph);
    rotary::run(graph);
    attention::run(graph);
    scores::run(graph);
    permute::run(graph);
    convolution::run(graph);
    product::run(graph);
    linear::run(graph);
    swiglu::run(graph);
    residual::run(graph);
    siblings::run(graph);
    norm::run(graph);
    mlp::run(graph);
    silu::run(graph);
    epilogue::run(graph);
    chain::run(graph);
    prune::run(graph);
}
