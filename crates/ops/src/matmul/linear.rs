//! `aten.linear`: rows times a transposed weight, plus a bias.

use pteron_tensor::Shape;

use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::{matmul_tiled, matvec};
use crate::plan::{Plan, word};

pub(crate) const OPS: &[OpDef] = &[OpDef::tensor("aten.linear.default", plan, reference)
    .portable("aten::linear.out")
    .accuracy(Accuracy::Accumulated)];

/// Up to this many rows, one workgroup per output beats a tile that is mostly empty.
const FEW_ROWS: usize = 4;

fn plan(cx: &mut Plan<'_>) -> Result<()> {
    let (input, weight, bias) = (cx.tensor(0)?, cx.tensor(1)?, cx.opt_tensor(2)?);
    let dims = Dims::new(&input.shape, &weight.shape, bias.as_ref().map(|bias| &bias.shape))?;
    let output = cx.output(dims.output)?;
    let has_bias = bias.is_some();
    // A kernel without bias never reads the binding; any buffer will do.
    let bias = bias.unwrap_or(weight);
    let (rows, columns, depth) = (word(dims.rows), word(dims.columns), word(dims.depth));

    if dims.rows <= FEW_ROWS {
        let subgroups = cx.caps().subgroups.is_some();
        let params = matvec::Params { rows, columns, depth };
        return cx
            .dispatch(matvec::Bind { input, weight, bias, output, params })
            .ty("T", output.dtype)
            .flag("BIAS", has_bias)
            .axis("REDUCE", if subgroups { "reduce_subgroup" } else { "reduce_shared" })
            .rows(output.numel());
    }
    let params = matmul_tiled::Params { rows, columns, depth };
    let tiles = |size: usize| (size as u64).div_ceil(64);
    cx.dispatch(matmul_tiled::Bind { input, weight, bias, output, params })
        .ty("T", output.dtype)
        .flag("BIAS", has_bias)
        .groups([tiles(dims.columns), tiles(dims.rows), 1])
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (input, weight, bias) = (cx.tensor(0)?, cx.tensor(1)?, cx.opt_tensor(2)?);
    let dims = Dims::new(input.shape(), weight.shape(), bias.as_ref().map(|bias| bias.shape()))?;
    let (x, w, bias) = (input.to_f64s(), weight.to_f64s(), bias.map(|bias| bias.to_f64s()));
    let mut values = Vec::with_capacity(dims.output.numel());
    for row in 0..dims.rows {
        let x = &x[row * dims.depth..][..dims.depth];
        for column in 0..dims.columns {
            let w = &w[column * dims.depth..][..dims.depth];
            let dot: f64 = x.iter().zip(w).map(|(x, w)| x * w).sum();
            values.push(dot + bias.as_ref().map_or(0.0, |bias| bias[column]));
        }
    }
    cx.set_f64s(dims.output, values)
}

struct Dims {
    rows: usize,
    columns: usize,
    depth: usize,
    output: Shape,
}

impl Dims {
    fn new(input: &Shape, weight: &Shape, bias: Option<&Shape>) -> Result<Dims> {
        let wrong = || OpError::Shape(format!("a weight of {weight} does not fit an input of {input}"));
        let (Some((&depth, outer)), &[columns, weight_depth]) = (input.split_last(), &**weight) else {
            return Err(wrong());
        };
        if depth != weight_depth {
            return Err(wrong());
        }
        if let Some(bias) = bias
            && **bias != [columns]
        {
            return Err(OpError::Shape(format!("a bias of {bias} does not fit {columns} columns")));
        }
        Ok(Dims { rows: outer.iter().product(), columns, depth, output: input.with(input.rank() - 1, columns)? })
    }
}
