//! `et_vk.grid_priors`: the position of each cell of a feature map in the image that it was made from.

use pteron_tensor::{DType, Shape};

use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::grid_priors;
use crate::plan::{PlanContext, word};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("et_vk.grid_priors.default", plan, reference).accuracy(Accuracy::Rounded)];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let Grid { shape, width, stride, offset } = Grid::new(cx, &input.shape, cx.output_type(0)?)?;
    let output = cx.output(shape)?;
    #[expect(clippy::cast_possible_truncation, reason = "kernels compute in f32")]
    let params = grid_priors::Params {
        count: word(shape.numel()),
        width: word(width),
        stride: stride as f32,
        offset: offset as f32,
    };
    let variant = grid_priors::Variant { t: output.dtype.try_into()? };
    cx.dispatch(grid_priors::Bind { output, params }, variant).threads(output.numel())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let Grid { shape, width, stride, offset } = Grid::new(cx, input.shape(), cx.output_type(0)?)?;
    let cells = (0..shape[0]).flat_map(|cell| [cell % width, cell / width]);
    cx.set_f64s(shape, cells.map(|at| (at as f64 + offset) * stride).collect())
}

struct Grid {
    shape: Shape,
    width: usize,
    stride: f64,
    offset: f64,
}

impl Grid {
    fn new<T: Described>(cx: &Args<'_, T>, input: &Shape, dtype: DType) -> Result<Grid> {
        if !dtype.is_float() {
            return Err(OpError::DType { dtype, what: "positions on a grid".to_owned() });
        }
        let &[.., height, width] = input.dims() else {
            return Err(OpError::Shape(format!("{input} has no height and width")));
        };
        Ok(Grid { shape: Shape::new(&[height * width, 2])?, width, stride: cx.float(1)?, offset: cx.float(2)? })
    }
}
