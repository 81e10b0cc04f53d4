//! output[i] = input[i], a word an invocation: a few words that come to their place between launches.
//! One workgroup copies all.

#import tensor

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(local_invocation_index) lane: u32) {
    for (var i = lane; i < arrayLength(&input); i += WG_SIZE) {
        output[i] = input[i];
    }
}
