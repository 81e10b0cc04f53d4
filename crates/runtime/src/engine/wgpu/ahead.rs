//! Launches of a call that are recorded while the GPU works on the call before it.
//!
//! To record launches takes the host about as long as it takes the GPU to run small ones, and while it waits for results it has
//! nothing else to do. So once a plan was used twice in a row, the launches of its next call are recorded before the results are
//! waited for. They name the buffers and the places that every call of the plan has: what a call brings is written into those,
//! and only that is left to do when it comes. A call that needs other launches records its own.

use std::sync::Weak;

use super::compiled::CompiledPlan;
use super::device::Gpu;
use super::record::launch_into;

/// Launches up to which recording is as quick as submitting one more list of commands.
const FEW: usize = 8;

/// The launches of a plan, recorded for a state and a generation of memory.
#[derive(Debug)]
pub(super) struct Ahead {
    state: Weak<()>,
    generation: u64,
    commands: wgpu::CommandBuffer,
}

impl Ahead {
    /// The launches of the next call of a plan, which is bound as the last one was; nothing where there are few.
    pub(super) fn of(plan: &CompiledPlan, gpu: &Gpu, state: Weak<()>, generation: u64) -> Option<Ahead> {
        // The values of a call that is alone in its submit are in the first place.
        let launches = plan.launches(0);
        if launches.len() <= FEW {
            return None;
        }
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        launch_into(&mut encoder.begin_compute_pass(&Default::default()), launches);
        Some(Ahead { state, generation, commands: encoder.finish() })
    }

    /// The commands, where they are for this state and this memory.
    pub(super) fn commands(self, state: &Weak<()>, generation: u64) -> Option<wgpu::CommandBuffer> {
        (self.state.ptr_eq(state) && self.generation == generation).then_some(self.commands)
    }
}
