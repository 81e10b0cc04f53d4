//! Passes over a delegate's graph before it is planned for a GPU: each replaces a pattern of nodes by one that gives the
//! same values in fewer launches. The reference engine runs graphs as they were written.

mod activations;
mod attention;
mod attention_layer;
mod batch_norm;
mod batches;
mod caches;
mod chain;
mod constants;
mod convolution;
mod epilogue;
mod fold;
mod gates;
mod layout;
mod linear;
mod linear_norm;
mod mlp;
mod norm;
mod permute;
mod product;
mod projections;
mod prune;
mod repeated;
mod residual;
mod rewrite;
mod rms_norm;
mod rotary;
mod scores;
mod siblings;
mod swiglu;
mod turns;
mod uses;
mod vectors;

use pteron_ops::Caps;

use crate::data::DataFiles;
use crate::error::Result;
use crate::graph::{Graph, MethodGraph};

/// Runs every pass over the delegates of a method, which also keeps them as they were written.
pub(crate) async fn fuse(method: &mut MethodGraph, files: &DataFiles, caps: &Caps) -> Result<()> {
    method.written = method.delegates.clone();
    let fixed = method.has_fixed_sizes();
    for graph in &mut method.delegates {
        product::share_weights(graph);
        fold::run(graph, files, caps).await?;
        let mut known = constants::Known::new();
        let ids = [constants::scalars(graph), batch_norm::parameters(graph)].concat();
        constants::load(&mut known, graph, files, &ids).await?;
        constants::keep_scalars(graph, &known);
        rms_norm::run(graph);
        batch_norm::run(graph, &known);
        run(graph, fixed);
    }
    Ok(())
}

/// Whether this is for pages, which pay for what passes can do in bytes, and whose networks are small: they leave some of it out.
pub(crate) const IN_PAGES: bool = cfg!(target_arch = "wasm32");

/// Runs every pass. A graph that no pass knows stays as it is. Where sizes are not `fixed`, calls may have smaller ones.
fn run(graph: &mut Graph, fixed: bool) {
    if !IN_PAGES {
        repeated::views(graph);
    }
    caches::run(graph);
    rotary::run(graph);
    attention::run(graph);
    product::run(graph);
    epilogue::biases(graph);
    scores::run(graph, fixed);
    if fixed && graph.symbols == 0 {
        if !IN_PAGES {
            batches::run(graph);
            turns::run(graph);
        }
        vectors::run(graph);
        if !IN_PAGES {
            projections::run(graph);
        }
    }
    permute::run(graph);
    convolution::run(graph);
    linear::run(graph);
    swiglu::run(graph);
    residual::run(graph);
    siblings::run(graph);
    norm::run(graph);
    mlp::run(graph);
    if !IN_PAGES {
        attention_layer::run(graph);
    }
    activations::run(graph);
    epilogue::run(graph);
    gates::run(graph);
    linear_norm::run(graph);
    chain::run(graph);
    if !IN_PAGES {
        repeated::run(graph);
    }
    prune::run(graph);
}
