//! What becomes of each sum of a product or a convolution, in the launch that computes it.

use pteron_tensor::{HostTensor, Shape};

use crate::args::{Args, Described};
use crate::error::{OpError, Result};
use crate::kernels::types;
use crate::plan::{Tensor, word};
use crate::pointwise::activation::Activation;

/// `last(first(sum) + addend)`, where the sum has its factors and its bias already.
#[derive(Clone, Debug)]
pub(crate) struct Epilogue<T> {
    pub(crate) first: Activation,
    /// A tensor of the output's shape.
    pub(crate) addend: Option<T>,
    pub(crate) last: Activation,
}

/// How a bias goes with the rows and columns of a result, and the factors of sum and bias.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Affine {
    /// Distances in the bias from row to row and from column to column.
    pub(crate) bias: [usize; 2],
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
}

impl<T> Epilogue<T> {
    /// Leaves sums as they are.
    pub(crate) const NONE: Epilogue<T> = Epilogue { first: Activation::NONE, addend: None, last: Activation::NONE };

    /// Whether it leaves sums as they are.
    pub(crate) fn is_none(&self) -> bool {
        self.first.is_none() && self.addend.is_none() && self.last.is_none()
    }
}

impl<T: Described> Epilogue<T> {
    /// Reads `first, addend?, last` from the argument at `start` on.
    pub(crate) fn read(cx: &Args<'_, T>, start: usize) -> Result<Epilogue<T>> {
        let activation = |index| match cx.is_null(index) {
            true => Ok(Activation::NONE),
            false => cx.str(index)?.parse(),
        };
        let (first, addend, last) = (activation(start)?, cx.opt_tensor(start + 1)?, activation(start + 2)?);
        Ok(Epilogue { first, addend, last })
    }

    /// Refuses an addend that has not the output's type and number of elements.
    pub(crate) fn check(&self, output: &Shape, like: &T) -> Result<()> {
        match &self.addend {
            Some(addend) if addend.shape().numel() != output.numel() || addend.dtype() != like.dtype() => {
                let (dtype, shape) = (addend.dtype(), addend.shape());
                Err(OpError::Shape(format!("{dtype}{shape} cannot be added to a product of {}{output}", like.dtype())))
            }
            _ => Ok(()),
        }
    }
}

impl Epilogue<Tensor> {
    /// The epilogue as kernels read it.
    pub(crate) fn params(&self, affine: &Affine, has_bias: bool) -> types::Epilogue {
        let ((first, [p, q]), (last, [r, s])) = (self.first.words(), self.last.words());
        #[expect(clippy::cast_possible_truncation, reason = "kernels add in f32")]
        let [alpha, beta] = [affine.alpha, affine.beta].map(|factor| factor as f32);
        types::Epilogue {
            numbers: [p, q, r, s],
            first,
            last,
            alpha,
            beta,
            has_bias: u32::from(has_bias),
            has_addend: u32::from(self.addend.is_some()),
            bias_row: word(affine.bias[0]),
            bias_column: word(affine.bias[1]),
        }
    }
}

impl Epilogue<HostTensor> {
    /// Finishes sums in plain Rust.
    pub(crate) fn apply(&self, sums: &mut [f64]) {
        let addend = self.addend.as_ref().map(HostTensor::to_f64s);
        for (index, value) in sums.iter_mut().enumerate() {
            let addend = addend.as_ref().map_or(0.0, |addend| addend[index]);
            *value = self.last.apply(self.first.apply(*value) + addend);
        }
    }
}
