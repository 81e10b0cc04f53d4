//! Outputs that can lie in the memory of the inputs that the next call takes them as.

use super::PlannedTensor;
use super::memory::{Owner, UnplacedDispatch};
use crate::graph::{Carried, Graph, Role, Value};

/// What can be put into the memory of the input that it is carried into: an output that is first touched after the input
/// is touched for the last time, where nothing else that outlives the call is in that memory.
pub(super) fn in_place(
    graph: &Graph,
    tensors: &[Option<PlannedTensor>],
    dispatches: &[UnplacedDispatch],
) -> Vec<Carried> {
    let root = |id: u32| tensors[id as usize].map_or(id, |tensor| tensor.root);
    let is_plain = |id: u32| matches!(&graph.values[id as usize], Value::Tensor(tensor) if tensor.role == Role::Plain);
    let touches = |id: u32| move |unplaced: &UnplacedDispatch| unplaced.owners.contains(&Owner::Value(id));
    let mut placed: Vec<Carried> = Vec::new();
    for &carried in &graph.carried {
        let Carried { input, output } = carried;
        let is_own = root(output) == output && is_plain(output) && !graph.inputs.contains(&output);
        let lasting = graph.updates.iter().map(|(_, computed)| computed).chain(&graph.outputs);
        let is_shown = lasting.copied().any(|id| root(id) == input);
        let is_placed = placed.iter().any(|other| other.output == output);
        let last_read = dispatches.iter().rposition(touches(input));
        let first_write = dispatches.iter().position(touches(output));
        if is_own && !is_shown && !is_placed && last_read.is_some() && last_read < first_write {
            placed.push(carried);
        }
    }
    placed
}
