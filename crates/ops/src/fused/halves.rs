//! Inputs as matrix units take them: 16-bit halves whose sum is each element, and a factor for each row.

use pteron_tensor::{DType, Shape};

use crate::caps::{Caps, Precision};
use crate::error::Result;
use crate::kernels::halves;
use crate::plan::{PlanContext, Tensor, word};
use crate::quant::rounding::Rounding;

/// How halves lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HalvesForm {
    /// Row by row.
    Rows,
    /// In tiles of 16×16, with room for so many rows.
    Tiles { room: usize },
}

/// Rows in halves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halves {
    pub(super) halves: Tensor,
    /// What the sum of an element's halves is multiplied by, for each row.
    pub(super) factors: Tensor,
    /// What else is divided, and whether there are second halves.
    pub(super) divided: Divided,
}

/// What is the sum of two 16-bit floats, so that products are as good as 32-bit ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Divided {
    Nothing,
    /// Scales of weights. An input that is rounded to 8 bits is one float.
    Scales,
    InputsAndScales,
}

impl Divided {
    /// What must be, for inputs that are rounded or not, and scales that may have no more than 8 bits.
    pub(super) fn for_layer(rounding: Rounding, short_scales: bool, caps: &Caps) -> Divided {
        match caps.precision {
            Precision::Fast => Divided::Nothing,
            Precision::Exact if rounding.is_none() => Divided::InputsAndScales,
            Precision::Exact if short_scales => Divided::Nothing,
            Precision::Exact => Divided::Scales,
        }
    }
}

/// Divides rows, or their norm, rounded or not, into first halves, and where that is asked for into second ones too.
pub(super) fn divide(
    cx: &mut PlanContext<'_>,
    input: Tensor,
    rows: usize,
    norm: Option<(Tensor, f64)>,
    rounding: Rounding,
    divided: Divided,
    form: HalvesForm,
) -> Result<Halves> {
    let width = input.numel() / rows.max(1);
    let (room, tiled) = match form {
        HalvesForm::Rows => (rows, false),
        HalvesForm::Tiles { room } => (room, true),
    };
    let both = divided == Divided::InputsAndScales;
    let halves = cx.scratch(DType::F16, Shape::new(&[1 + usize::from(both), room, width])?)?;
    let factors = cx.scratch(DType::F32, Shape::new(&[rows])?)?;
    let has_norm = norm.is_some();
    let (norm, epsilon) = norm.unwrap_or((input, 0.0));
    #[expect(clippy::cast_possible_truncation, reason = "kernels add in f32")]
    let params = halves::Params { rows: word(rows), epsilon: epsilon as f32, least_scale: rounding.least_scale() };
    let round = !rounding.is_none();
    let variant = halves::Variant { t: input.dtype.try_into()?, norm: has_norm, both, tiled, round };
    let overrides = halves::Overrides { wg_size: 256, octets: word(width / 8) };
    cx.dispatch(halves::Bind { input, norm, halves, factors, params }, variant).overrides(overrides).rows(rows)?;
    Ok(Halves { halves, factors, divided })
}
