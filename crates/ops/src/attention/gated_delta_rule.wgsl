//! For each token t: s ← d·s, s ← s + k·(v − Σ s·k)·β, output = Σ s·q, where s is a state [row, column] of each head that
//! begins as `initial` and is left in `state`; d is a decay of each row, or one for all.
//! Each invocation owns a column of a head's state, through all tokens.

#import tensor

struct Params {
    /// Columns of all heads.
    count: u32,
    tokens: u32,
    rows: u32,
    columns: u32,
    /// Heads of queries that read one state.
    queries: u32,
    /// Decays of a token.
    decays: u32,
}

@group(0) @binding(0) var<storage, read> query: array<f32>;
@group(0) @binding(1) var<storage, read> key: array<f32>;
@group(0) @binding(2) var<storage, read> value: array<f32>;
@group(0) @binding(3) var<storage, read> decay: array<f32>;
@group(0) @binding(4) var<storage, read> beta: array<f32>;
@group(0) @binding(5) var<storage, read> initial: array<f32>;
@group(0) @binding(6) var<storage, read_write> output: array<f32>;
@group(0) @binding(7) var<storage, read_write> state: array<f32>;
@group(0) @binding(8) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = flat_index(id, groups);
    if number >= params.count {
        return;
    }
    let head = number / params.columns;
    let column = number % params.columns;
    let own = head * params.rows * params.columns + column;
    for (var row = 0u; row < params.rows; row++) {
        state[own + row * params.columns] = initial[own + row * params.columns];
    }
    for (var step = 0u; step < params.tokens; step++) {
        let token = head * params.tokens + step;
        var predicted = 0.0;
        for (var row = 0u; row < params.rows; row++) {
            let kept = decay[token * params.decays + row % params.decays];
            predicted += kept * state[own + row * params.columns] * key[token * params.rows + row];
        }
        let missed = (value[token * params.columns + column] - predicted) * beta[token];
        for (var row = 0u; row < params.rows; row++) {
            let at = own + row * params.columns;
            let kept = decay[token * params.decays + row % params.decays];
            state[at] = kept * state[at] + key[token * params.rows + row] * missed;
        }
        for (var reader = 0u; reader < params.queries; reader++) {
            let asked = (head * params.queries + reader) * params.tokens + step;
            var read = 0.0;
            for (var row = 0u; row < params.rows; row++) {
                read += state[own + row * params.columns] * query[asked * params.rows + row];
            }
            output[asked * params.columns + column] = read;
        }
    }
}
