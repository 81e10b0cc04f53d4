//! Volumes of depth, height and width, and the windows that slide over them. Planes are volumes of depth 1.

use pteron_tensor::Shape;

use super::plane::{Planes, Window, check_planes, windows};
use crate::args::{Args, Described};
use crate::clock::Clock;
use crate::error::{OpError, Result};
use crate::kernels::types;
use crate::plan::word;

/// The dimensions of a tensor that windows slide over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// The last two.
    Planes,
    /// The last three.
    Volumes,
}

/// Windows over the last dimensions of a tensor.
pub(super) struct Volumes {
    pub(super) sizes: [usize; 3],
    pub(super) windows: [Window; 3],
    /// Windows along each dimension.
    pub(super) positions: [usize; 3],
    pub(super) output: Shape,
}

impl Volumes {
    /// Reads the windows from arguments 1 to 3, `dilation` from another, and whether the last may overlap the end.
    pub(super) fn read<T: Described>(
        cx: &Args<'_, T>,
        input: &Shape,
        sides: Sides,
        dilation: Option<usize>,
        ceil: bool,
    ) -> Result<Volumes> {
        let (sizes, windows) = match sides {
            Sides::Planes => {
                let planes = Planes::of(input)?;
                check_planes(input, &planes)?;
                let [rows, columns] = windows(cx, dilation)?;
                ([1, planes.height, planes.width], [Window::POINT, rows, columns])
            }
            Sides::Volumes => (volume(input)?, windows(cx, dilation)?),
        };
        let first = if sides == Sides::Planes { 1 } else { 0 };
        let (mut positions, mut output) = ([1; 3], *input);
        for d in first..3 {
            positions[d] = windows[d].positions(sizes[d], ceil)?;
            // A dilated window at the end may have no element inside.
            if (0..positions[d]).any(|position| windows[d].elements(position, sizes[d]).next().is_none()) {
                return Err(OpError::Shape(format!("{input} has windows without elements")));
            }
            output = output.with(input.rank() - 3 + d, positions[d])?;
        }
        Ok(Volumes { sizes, windows, positions, output })
    }

    /// The windows as kernels read them: width first.
    pub(super) fn meta(&self) -> types::Volumes {
        let each = |f: fn(&Window) -> usize| self.windows.each_ref().map(|window| word(f(window)));
        let reversed = |[depth, height, width]: [u32; 3]| [width, height, depth];
        types::Volumes {
            size_in: reversed(self.sizes.map(word)),
            size_out: reversed(self.positions.map(word)),
            window: reversed(each(|window| window.size)),
            stride: reversed(each(|window| window.stride)),
            padding: reversed(each(|window| window.padding)),
            dilation: reversed(each(|window| window.dilation)),
        }
    }

    /// Calls `f` for every window of a volume, with its place and the elements of the volume that it covers.
    pub(super) fn each(
        &self,
        clock: &Clock,
        mut f: impl FnMut([usize; 3], &mut dyn Iterator<Item = usize>),
    ) -> Result<()> {
        let ([depth, height, width], [_, rows, columns]) = (self.positions, self.sizes);
        for place in 0..depth * height * width {
            let at = [place / (height * width), place / width % height, place % width];
            let [zs, ys, xs] =
                std::array::from_fn(|d| self.windows[d].elements(at[d], self.sizes[d]).collect::<Vec<_>>());
            clock.count(zs.len() * ys.len() * xs.len())?;
            let mut elements = zs.iter().flat_map(|z| {
                let xs = &xs;
                ys.iter().flat_map(move |y| xs.iter().map(move |x| (z * rows + y) * columns + x))
            });
            f(at, &mut elements);
        }
        Ok(())
    }
}

/// The sides of the volumes of a tensor.
fn volume(input: &Shape) -> Result<[usize; 3]> {
    let (4..=5, Some(&sizes)) = (input.rank(), input.last_chunk::<3>()) else {
        return Err(OpError::Shape(format!("{input} is no volume: it needs rank 4 or 5")));
    };
    if sizes.contains(&0) {
        return Err(OpError::Shape(format!("{input} has empty volumes")));
    }
    Ok(sizes)
}
