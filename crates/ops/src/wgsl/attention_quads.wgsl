//! Four neighbouring elements of a query (unless the kernel turns queries itself: ROPE), key or value. The kernel declares
//! the three as arrays of `Cell`, and `params.it`.
//!
//! With LOAD = any a cell is one element, and what lies past the end of a vector is zero. Otherwise every vector begins
//! and ends with a whole cell of four. `column` is a multiple of four within the vector that begins at `at`.
//!
//! axes: LOAD = quad | staged | any
//! optional: ROPE = on | off

#if LOAD_any
alias Cell = T;

fn query_quad(at: u32, column: u32) -> vec4<f32> {
    var quad = vec4<f32>();
    for (var i = 0u; i < min(4u, params.it.depth - column); i++) {
        quad[i] = f32(query[at + column + i]);
    }
    return quad;
}

fn key_quad(at: u32, column: u32) -> vec4<f32> {
    var quad = vec4<f32>();
    for (var i = 0u; i < min(4u, params.it.depth - column); i++) {
        quad[i] = f32(key[at + column + i]);
    }
    return quad;
}

fn value_quad(at: u32, column: u32) -> vec4<f32> {
    var quad = vec4<f32>();
    for (var i = 0u; i < min(4u, params.it.width - column); i++) {
        quad[i] = f32(value[at + column + i]);
    }
    return quad;
}
#else
alias Cell = vec4<T>;

#if !ROPE
fn query_quad(at: u32, column: u32) -> vec4<f32> {
    return vec4<f32>(query[(at + column) / 4u]);
}
#endif

fn key_quad(at: u32, column: u32) -> vec4<f32> {
    return vec4<f32>(key[(at + column) / 4u]);
}

fn value_quad(at: u32, column: u32) -> vec4<f32> {
    return vec4<f32>(value[(at + column) / 4u]);
}
#endif
