//! Tensors that are computed where a join has them, so that the join copies nothing.
//!
//! A join (`cat`, `stack`) whose parts lie one behind the other repeats each of them whole. A part that only this graph sees
//! can have the join's memory at that place for its own. WebGPU lets no launch read and write one buffer, so a part that is
//! computed from what lies in the same join keeps memory of its own, and is copied.

use pteron_ops::Caps;
use pteron_ops::plan::Repeated;

use super::PlannedTensor;
use super::memory::{Owner, UnplacedDispatch};
use crate::graph::Graph;
use crate::passes::IN_PAGES;

/// A node whose output is values one behind the other.
#[derive(Debug)]
pub(super) struct Join {
    pub(super) node: usize,
    pub(super) output: u32,
    /// In order and without gaps.
    pub(super) parts: Vec<Repeated>,
}

/// Where a value's memory is: some bytes of another's, or all of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) root: u32,
    pub(super) offset: u64,
}

/// Values that lie in the memory of joins.
#[derive(Debug, Default)]
pub(super) struct Joined {
    /// By the id of a value that would own its memory; nothing where it does.
    spots: Vec<Option<Spot>>,
    /// What each join finds in place, by node.
    placed: Vec<(usize, Vec<Repeated>)>,
}

impl Joined {
    /// Finds what can lie in the memory of `joins`, which are in the order of their nodes, in a graph that is planned without that.
    /// What is `lasting` keeps memory of its own.
    pub(super) fn find(
        graph: &Graph,
        tensors: &[Option<PlannedTensor>],
        dispatches: &[UnplacedDispatch],
        joins: &[Join],
        lasting: impl Iterator<Item = u32>,
        caps: &Caps,
    ) -> Joined {
        let mut search = Search { tensors, joins, caps, free: vec![false; tensors.len()] };
        let computed = graph.nodes.iter().flat_map(|node| &node.outputs);
        computed.for_each(|&id| search.free[id as usize] = true);
        lasting.for_each(|id| search.free[id as usize] = false);
        loop {
            let joined = search.joined();
            if !search.part_conflicts(&joined, dispatches) {
                return joined;
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.spots.iter().all(Option::is_none)
    }

    /// Where the memory of a value is that owns it unless a join has it.
    pub(super) fn spot(&self, root: u32) -> Spot {
        self.moved(root).filter(|_| !IN_PAGES).unwrap_or(Spot { root, offset: 0 })
    }

    fn moved(&self, root: u32) -> Option<Spot> {
        self.spots.get(root as usize).copied().flatten()
    }

    /// What a node that joins finds in place.
    pub(super) fn placed(&self, node: usize) -> &[Repeated] {
        let found = self.placed.iter().find(|(join, _)| !IN_PAGES && *join == node);
        found.map_or(&[], |(_, placed)| placed)
    }
}

struct Search<'a> {
    tensors: &'a [Option<PlannedTensor>],
    joins: &'a [Join],
    caps: &'a Caps,
    /// By value id, whether the memory of what nodes give may be any.
    free: Vec<bool>,
}

impl Search<'_> {
    /// Places as many parts as fit. Later joins come first: what an earlier one joins may be the beginning of a later one.
    fn joined(&self) -> Joined {
        let mut joined = Joined { spots: vec![None; self.tensors.len()], placed: Vec::new() };
        for join in self.joins.iter().rev() {
            let Some(output) = self.own(join.output) else { continue };
            if let Some(spot) = self.common(join, &joined).filter(|_| self.is_free(join.output, &joined)) {
                joined.spots[join.output as usize] = Some(spot);
            }
            for part in &join.parts {
                if let Some((root, spot)) = self.place(join, output, part, &joined) {
                    joined.spots[root as usize] = Some(spot);
                }
            }
        }
        for join in self.joins {
            let placed = join.parts.iter().filter(|part| self.is_placed(join, part, &joined)).copied().collect();
            joined.placed.push((join.node, placed));
        }
        joined
    }

    /// A value that owns its memory as planned.
    fn own(&self, id: u32) -> Option<PlannedTensor> {
        self.tensors[id as usize].filter(|tensor| tensor.root == id)
    }

    /// Whether a value's memory may be any, and no join has it.
    fn is_free(&self, root: u32, joined: &Joined) -> bool {
        self.free[root as usize] && joined.moved(root).is_none()
    }

    /// Where all parts of a join lie already, as a later one has them.
    fn common(&self, join: &Join, joined: &Joined) -> Option<Spot> {
        let mut spots = join.parts.iter().map(|part| {
            let Spot { root, offset } = self.shown(part.value, joined)?;
            joined.moved(self.tensors[part.value as usize]?.root)?;
            let offset = offset.checked_sub(part.offset).filter(|&offset| self.binds(offset))?;
            Some(Spot { root, offset })
        });
        let first = spots.next()??;
        spots.all(|spot| spot == Some(first)).then_some(first)
    }

    /// Where a part of a join can be computed in its memory: the value that owns the part, and its place.
    fn place(&self, join: &Join, output: PlannedTensor, part: &Repeated, joined: &Joined) -> Option<(u32, Spot)> {
        let shown = self.tensors[part.value as usize]?;
        let whole = self.own(shown.root).filter(|whole| whole.dtype == output.dtype)?;
        let Spot { root, offset: base } = joined.spot(join.output);
        // What is shown may be a part of what was computed, whose other parts must be the join's neighbouring ones then.
        let begin = part.offset.checked_sub(shown.offset)?;
        let end = begin + whole.bytes();
        let first = join.parts.partition_point(|other| other.offset < begin);
        let begins_there = join.parts.get(first).is_some_and(|other| other.offset == begin);
        let mut within = join.parts[first..].iter().take_while(|other| other.offset < end);
        let fits_around = begins_there
            && within.all(|other| {
                let tensor = self.tensors[other.value as usize].filter(|tensor| tensor.root == shown.root);
                tensor.is_some_and(|tensor| other.offset.checked_sub(tensor.offset) == Some(begin))
            });
        // Launches may fill the last 16 bytes of what they write.
        let is_last = root == join.output && end == output.bytes();
        let ends_well = is_last || (base + end).is_multiple_of(16);
        let fits = fits_around && ends_well && end <= output.bytes() && self.binds(base + begin);
        let small = self.tensors[root as usize].is_some_and(|root| root.bytes() <= self.caps.max_binding_bytes);
        let is_some = whole.bytes() > 0 && shown.root != join.output;
        let free = self.is_free(shown.root, joined);
        (fits && small && is_some && free).then_some((shown.root, Spot { root, offset: base + begin }))
    }

    /// Whether a binding may begin at a byte.
    fn binds(&self, offset: u64) -> bool {
        offset.is_multiple_of(self.caps.part_alignment())
    }

    /// Where the bytes that a value shows are.
    fn shown(&self, id: u32, joined: &Joined) -> Option<Spot> {
        let tensor = self.tensors[id as usize]?;
        let Spot { root, offset } = joined.spot(tensor.root);
        Some(Spot { root, offset: offset + tensor.offset })
    }

    fn is_placed(&self, join: &Join, part: &Repeated, joined: &Joined) -> bool {
        let Spot { root, offset } = joined.spot(join.output);
        self.shown(part.value, joined) == Some(Spot { root, offset: offset + part.offset })
    }

    /// Keeps values apart whose places would have a launch read and write one buffer; whether there are any.
    fn part_conflicts(&mut self, joined: &Joined, dispatches: &[UnplacedDispatch]) -> bool {
        let mut found = false;
        let free = &mut self.free;
        let mut part = |root: u32, memory: u32| {
            let meets = joined.moved(root).is_some_and(|spot| spot.root == memory);
            if meets {
                free[root as usize] = false;
                found = true;
            }
            meets
        };
        for unplaced in dispatches {
            if self.joins.binary_search_by_key(&unplaced.node, |join| join.node).is_ok() {
                continue;
            }
            let bound = || unplaced.owners.iter().zip(unplaced.dispatch.kernel.storage);
            for (&owner, _) in bound().filter(|(_, storage)| storage.writes) {
                let Owner::Value(written) = owner else { continue };
                for (&other, _) in bound().filter(|&(&other, _)| other != owner) {
                    let Owner::Value(other) = other else { continue };
                    let memory = joined.spot(other).root;
                    if !part(written, memory) && joined.spot(written).root == memory {
                        part(other, memory);
                    }
                }
            }
        }
        // A join that copies some of its parts writes to its memory, too.
        for join in self.joins {
            let Spot { root: memory, offset } = joined.spot(join.output);
            for copied in &join.parts {
                let Some(tensor) = self.tensors[copied.value as usize] else { continue };
                let place = joined.spot(tensor.root).offset + tensor.offset;
                if place != offset + copied.offset {
                    part(tensor.root, memory);
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
