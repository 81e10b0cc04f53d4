//! What follows the products of linear layers, as a launch of its own: products[m, n] are added to `addend` (EPILOGUE
//! add), become gate · sigmoid(gate) · factor with the factor `columns` further (swiglu), or are only divided among up to
//! three outputs, whose columns follow each other. Where the depth was divided, `products` are the sum of several matrices.
//! One invocation per output cell: an element, or four beside each other (WIDE). Columns are counted in cells.
//!
//! variants: T = f32 | f16
//! variants: P = f32 | f16
//! except: T = f32, P = f16
//! variants: EPILOGUE = plain | add | swiglu
//! variants: WIDE = on | off

#import tensor

struct Params {
    rows: u32,
}

/// Columns of the outputs together, and the first ones of the second and third output.
override COLUMNS: u32 = 1024u;
override SECOND: u32 = 1024u;
override THIRD: u32 = 1024u;
/// Columns of `products`, and how many matrices there are of them.
override STRIDE: u32 = 1024u;
override PARTS: u32 = 1u;

#if WIDE
alias Product = vec4<P>;
alias Cell = vec4<T>;
alias Sum = vec4<f32>;
#else
alias Product = P;
alias Cell = T;
alias Sum = f32;
#endif

@group(0) @binding(0) var<storage, read> products: array<Product>;
@group(0) @binding(1) var<storage, read> addend: array<Cell>;
@group(0) @binding(2) var<storage, read_write> output: array<Cell>;
@group(0) @binding(3) var<storage, read_write> output1: array<Cell>;
@group(0) @binding(4) var<storage, read_write> output2: array<Cell>;
@group(0) @binding(5) var<uniform> params: Params;

fn product(row: u32, column: u32) -> Sum {
    var sum = Sum();
    for (var part = 0u; part < PARTS; part++) {
        sum += Sum(products[(part * params.rows + row) * STRIDE + column]);
    }
    return sum;
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    if index >= params.rows * COLUMNS {
        return;
    }
    let row = index / COLUMNS;
    let column = index % COLUMNS;
    var value = product(row, column);
#if EPILOGUE_add
    value += Sum(addend[index]);
#endif
#if EPILOGUE_swiglu
    value = value / (1.0 + exp(-value)) * product(row, COLUMNS + column);
#endif
    if column < SECOND {
        output[row * SECOND + column] = Cell(value);
    } else if column < THIRD {
        output1[row * (THIRD - SECOND) + column - SECOND] = Cell(value);
    } else {
        output2[row * (COLUMNS - THIRD) + column - THIRD] = Cell(value);
    }
}
