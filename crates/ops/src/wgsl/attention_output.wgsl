//! Four neighbouring elements of an attention's output, which is an array of `OutputCell`: see `attention_quads`.
//!
//! axes: LOAD = quad | staged | any

#if LOAD_any
alias OutputCell = T;

fn store_quad(at: u32, column: u32, quad: vec4<f32>) {
    for (var i = 0u; i < min(4u, params.it.width - column); i++) {
        output[at + column + i] = T(quad[i]);
    }
}
#else
alias OutputCell = vec4<T>;

fn store_quad(at: u32, column: u32, quad: vec4<f32>) {
    output[(at + column) / 4u] = vec4<T>(quad);
}
#endif
