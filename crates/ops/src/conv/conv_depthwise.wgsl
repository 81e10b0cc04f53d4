//! output[b, o, y, x] = epilogue(Σ_v Σ_u input[b, i, y · STRIDE + v − padding, x · STRIDE + u − padding] · weight[o, v, u]),
//! where each output channel o reads one input channel i, through SIDE×SIDE taps.
//! Each invocation owns four outputs below each other, which share rows of the input.
//!
//! trusted: the input is not empty, lines and columns are clamped to it, and outputs past the last are not written.
//!
//! variants: T = f32 | f16
//! variants: SIDE = 3 | 5 | 7
//! variants: STRIDE = 1 | 2
//! variants: EPILOGUE = on | off

#import tensor
#import epilogue

struct Params {
    epilogue: Epilogue,
    /// Height and width.
    input: vec2<u32>,
    result: vec2<u32>,
    padding: vec2<u32>,
    /// Output channels, of which as many neighbours as `multiplier` read one input channel.
    channels: u32,
    multiplier: u32,
    batch: u32,
}

@group(0) @binding(0) var<storage, read> input: array<T>;
@group(0) @binding(1) var<storage, read> weight: array<T>;
@group(0) @binding(2) var<storage, read> bias: array<T>;
@group(0) @binding(3) var<storage, read> addend: array<T>;
@group(0) @binding(4) var<storage, read_write> output: array<T>;
@group(0) @binding(5) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let size = params.input;
    let result = params.result;
    let strips = (result.x + 3u) / 4u;
    let index = flat_index(id, groups);
    let column = index % result.y;
    let row = index / result.y % strips * 4u;
    let plane = index / result.y / strips;
    if plane >= params.batch * params.channels {
        return;
    }
    let channel = plane % params.channels;
    let image = plane / params.channels;
    let start = (image * (params.channels / params.multiplier) + channel / params.multiplier) * size.x * size.y;
    // Positions before the first wrap around to large numbers. What is not there is read elsewhere and left out.
    let top = row * STRIDE - params.padding.x;
    let first = column * STRIDE - params.padding.y;
    var sums = vec4<f32>();
#for u in SIDE
    let column_$u = min(first + $uu, size.y - 1u);
    let inside_$u = first + $uu < size.y;
#end
#for v in SIDE
#for u in SIDE
    let weight_$v_$u = f32(weight[(channel * SIDE + $vu) * SIDE + $uu]);
#for r in 4
    let line_$v_$u_$r = top + $ru * STRIDE + $vu;
    let value_$v_$u_$r = f32(input[start + min(line_$v_$u_$r, size.x - 1u) * size.y + column_$u]);
    sums[$r] += weight_$v_$u * select(0.0, value_$v_$u_$r, inside_$u && line_$v_$u_$r < size.x);
#end
#end
#end
    for (var r = 0u; r < 4u; r++) {
        if row + r < result.x {
            let at = (plane * result.x + row + r) * result.y + column;
            output[at] = T(finished(params.epilogue, sums[r], channel, 0u, at));
        }
    }
}
