//! The bind groups of a plan: the memory of every launch, for each state that was used lately.

use std::collections::HashMap;
use std::sync::Weak;

#[cfg(feature = "fault-injection")]
use pteron_ops::kernel::Kernel;

use super::compiled::CompiledPlan;
use super::device::Gpu;
use super::memory::GraphMemory;
use super::state::GpuState;
use super::storage::Storage;
use crate::error::Result;
use crate::plan::Memory;

/// States whose bind groups are kept; the one unused for longest goes first.
const KEPT: usize = 8;

/// Buffers that launches bind in the place of a graph's own.
pub(super) type Instead = HashMap<Memory, Storage>;

/// The bind groups of a plan for each state that was used lately.
#[derive(Debug, Default)]
pub(super) struct BindGroups {
    /// The last are those used most recently.
    kept: Vec<StateGroups>,
    /// Those of launches that touch no state, which are the same for all states, and the generation of their memory.
    shared: (u64, Vec<Option<wgpu::BindGroup>>),
}

/// The bind groups of a plan for one state.
#[derive(Debug)]
struct StateGroups {
    state: Weak<()>,
    /// The generation of the graph's memory.
    generation: u64,
    /// One for each launch.
    groups: Vec<wgpu::BindGroup>,
}

impl BindGroups {
    /// Those used most recently.
    pub(super) fn latest(&self) -> &[wgpu::BindGroup] {
        self.kept.last().map_or(&[], |kept| &kept.groups)
    }

    /// Drops those of states that are gone: they hold their memory.
    pub(super) fn forget_dropped(&mut self) {
        self.kept.retain(|kept| kept.state.strong_count() > 0);
    }

    /// Makes those of a state the ones used most recently; whether they are there.
    fn take_up(&mut self, state: &Weak<()>, generation: u64) -> bool {
        let fits = |kept: &StateGroups| kept.generation == generation && kept.state.ptr_eq(state);
        let Some(at) = self.kept.iter().rposition(fits) else { return false };
        self.kept[at..].rotate_left(1);
        true
    }

    /// That of a launch, where it is the same for all states and known.
    fn of_any_state(&self, generation: u64, index: usize) -> Option<&wgpu::BindGroup> {
        let (known, groups) = &self.shared;
        groups.get(index).filter(|_| *known == generation)?.as_ref()
    }

    /// Keeps those of a state, and drops those that are outdated.
    fn keep(&mut self, new: StateGroups) {
        self.kept.retain(|kept| kept.generation == new.generation);
        if self.kept.len() >= KEPT {
            self.kept.remove(0);
        }
        self.kept.push(new);
    }
}

impl CompiledPlan {
    /// Makes the bind groups of this state and memory the ones used most recently.
    pub(super) fn bind(&mut self, gpu: &Gpu, memory: &GraphMemory, state: &GpuState) -> Result<()> {
        let (identity, generation) = (state.identity(), memory.generation);
        if self.bind_groups.take_up(&identity, generation) {
            return Ok(());
        }
        let nothing = Instead::new();
        let group = |index: usize| match self.bind_groups.of_any_state(generation, index) {
            Some(known) => Ok(known.clone()),
            None => self.bind_launch(gpu, index, memory, state, &nothing),
        };
        let groups = (0..self.pipelines.len()).map(group).collect::<Result<Vec<_>>>()?;
        let shared =
            groups.iter().enumerate().map(|(index, group)| (!self.touches_state(index)).then(|| group.clone()));
        self.bind_groups.shared = (generation, shared.collect());
        self.bind_groups.keep(StateGroups { state: identity, generation, groups });
        Ok(())
    }

    /// Bind groups with other buffers in the place of some. They are not kept.
    pub(super) fn bind_instead(
        &self,
        gpu: &Gpu,
        memory: &GraphMemory,
        state: &GpuState,
        instead: &Instead,
    ) -> Result<Vec<wgpu::BindGroup>> {
        (0..self.pipelines.len()).map(|index| self.bind_launch(gpu, index, memory, state, instead)).collect()
    }

    fn touches_state(&self, index: usize) -> bool {
        self.plan.dispatches[index].operands.iter().any(|operand| matches!(operand.memory, Memory::State(_)))
    }

    fn bind_launch(
        &self,
        gpu: &Gpu,
        index: usize,
        memory: &GraphMemory,
        state: &GpuState,
        instead: &Instead,
    ) -> Result<wgpu::BindGroup> {
        let planned = &self.plan.dispatches[index];
        let kernel = planned.dispatch.kernel;
        let mut entries = Vec::new();
        for (storage, operand) in planned.operands.iter().enumerate() {
            let buffer = match instead.get(&operand.memory) {
                Some(buffer) => buffer,
                None => memory.buffer(operand.memory, state)?,
            };
            let parts = planned.dispatch.parts.of(kernel, storage, operand.bytes);
            entries.extend(parts.iter().map(|part| {
                let offset = operand.offset + part.offset;
                entry(part.binding, buffer, offset, buffer.bound_bytes(offset, part.bytes, kernel.trusted))
            }));
        }
        #[cfg(feature = "fault-injection")]
        let outside = gpu.outside(kernel);
        #[cfg(feature = "fault-injection")]
        if let Some(outside) = &outside {
            entries.push(entry(Kernel::WATCH_BINDING, outside, 0, outside.size()));
        }
        if let Some(binding) = kernel.status {
            entries.push(wgpu::BindGroupEntry { binding, resource: memory.status.as_entire_binding() });
        }
        for (info, uniforms) in [(&kernel.params, &self.params), (&kernel.call, &self.call)] {
            if let Some(info) = info {
                entries.push(entry(info.binding, &uniforms.buffer, uniforms.offsets[index], u64::from(info.size)));
            }
        }
        Ok(gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(kernel.name),
            layout: &self.pipelines[index].layout,
            entries: &entries,
        }))
    }
}

/// Bytes of a buffer at a binding.
pub(super) fn entry(binding: u32, buffer: &wgpu::Buffer, offset: u64, bytes: u64) -> wgpu::BindGroupEntry<'_> {
    let size = wgpu::BufferSize::new(bytes);
    let resource = wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset, size });
    wgpu::BindGroupEntry { binding, resource }
}
