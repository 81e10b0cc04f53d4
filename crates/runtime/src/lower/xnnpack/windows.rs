//! Means, greatest values and other sizes of images.

use pteron_pte::xnnpack::{Flags, Node as XnnNode, Padding, Pooling, PoolingKind};
use pteron_tensor::{DType, Shape};

use super::layout::{Held, Order};
use super::{Argument, Lowering};
use crate::error::Result;
use crate::limits::total;

/// Windows that slide over images. Pairs are height and width; none is 0.
#[derive(Clone, Copy, Debug)]
struct Windows {
    kernel: [u32; 2],
    stride: [u32; 2],
    dilation: [u32; 2],
    padding: Padding,
}

impl Windows {
    /// From the first element of a window to the last, in height and width.
    fn reach(&self) -> [u64; 2] {
        let ([high, wide], [down, across]) = (self.kernel, self.dilation);
        [reach(high, down), reach(wide, across)]
    }

    /// Whether both sides have the same padding, of at most half a window, as operators here take it.
    fn are_even(&self) -> bool {
        let Padding { top, right, bottom, left } = self.padding;
        let [high, wide] = self.reach();
        let halves = u64::from(top) <= high / 2 && u64::from(left) <= wide / 2;
        top == bottom && left == right && halves
    }

    /// The sizes of the result for images with the channels first.
    fn result(&self, images: &Shape) -> Result<Shape> {
        let around = [self.padding.top, self.padding.left];
        let sides = around.into_iter().zip(self.reach()).zip(self.stride);
        let mut sizes: Vec<u64> = images.iter().map(|&size| size as u64).collect();
        for (size, ((around, reach), stride)) in sizes.iter_mut().skip(2).zip(sides) {
            let room = total([*size, u64::from(around), u64::from(around)]).saturating_sub(reach);
            *size = room.checked_div(u64::from(stride)).unwrap_or(0).saturating_add(1);
        }
        Ok(Shape::from_sizes(sizes)?)
    }

    /// Kernel, stride, padding and dilation.
    fn arguments(&self) -> [Argument; 4] {
        let Padding { top, left, .. } = self.padding;
        [self.kernel, self.stride, [top, left], self.dilation].map(|pair| Argument::Ints(pair.map(i64::from).to_vec()))
    }
}

/// From the first element of a side of a window to the last.
fn reach(kernel: u32, dilation: u32) -> u64 {
    u64::from(kernel).saturating_sub(1).saturating_mul(u64::from(dilation)).saturating_add(1)
}

impl Lowering<'_> {
    /// The mean of each channel of images.
    pub(super) fn global_average(&mut self, node: &XnnNode, input: u32, output: u32) -> Result<()> {
        if node.flags.has_beyond(&[Flags::KEEP_DIMS]) {
            return Err(self.refuse(format!("flags {:#x}", node.flags.0)));
        }
        let keep = node.flags.has(Flags::KEEP_DIMS) || self.tensor(output)?.dims.len() == 4;
        if self.mean_of_bytes(node, input, output, keep)? {
            return Ok(());
        }
        let dtype = self.float_type(output)?;
        let held = self.floats(input, dtype)?;
        let images = self.images(held)?;
        let shape = self.averaged(images, keep)?;
        let args = [Argument::Value(images), Argument::Ints(vec![2, 3]), Argument::Bool(keep)];
        let value = self.emit("aten.mean.dim", &args, dtype, shape)?;
        let order = if keep { Order::ChannelsFirst } else { Order::Written };
        self.put(node.output_range, output, Held { value, order })
    }

    /// The sizes of the means of each channel of images with the channels first.
    pub(super) fn averaged(&self, images: u32, keep: bool) -> Result<Shape> {
        let (_, shape) = self.described(images);
        Ok(if keep { shape.with(2, 1)?.with(3, 1)? } else { Shape::new(shape.get(..2).unwrap_or(&shape))? })
    }

    /// A pooling of images.
    pub(super) fn pooling(&mut self, node: &XnnNode, pooling: &Pooling) -> Result<()> {
        let &Pooling { kind, kernel, stride, input, .. } = pooling;
        // The exporter writes no dilation of an average, which has none.
        let dilation = if kind == PoolingKind::Average { [1, 1] } else { pooling.dilation };
        if node.flags.has_beyond(&[Flags::KEEP_DIMS, Flags::SAME_PADDING]) {
            return Err(self.refuse(format!("flags {:#x}", node.flags.0)));
        }
        if kernel.contains(&0) || stride.contains(&0) || dilation.contains(&0) {
            return Err(self.refuse("a window, stride or dilation of 0"));
        }
        let padding = match node.flags.has(Flags::SAME_PADDING) {
            true => self.same_padding(input, kernel, stride, dilation)?,
            false => pooling.padding,
        };
        let windows = Windows { kernel, stride, dilation, padding };
        match kind {
            PoolingKind::Average => self.average(node, pooling, windows),
            PoolingKind::Max => self.greatest(node, pooling, windows),
        }
    }

    /// The greatest value of each window. Of bytes that is the byte of the greatest number.
    fn greatest(&mut self, node: &XnnNode, pooling: &Pooling, mut windows: Windows) -> Result<()> {
        let held = self.get(pooling.input)?;
        let mut images = self.images(held)?;
        let (given, _) = self.described(images);
        if !given.is_float() {
            images = self.of_type(images, DType::I32)?;
        }
        let (dtype, _) = self.described(images);
        if !windows.are_even() {
            let least =
                if dtype.is_float() { Argument::Double(f64::NEG_INFINITY) } else { Argument::Int(i64::from(i32::MIN)) };
            images = self.padded(images, windows.padding, least)?;
            windows.padding = Padding::default();
        }
        let shape = windows.result(&self.described(images).1)?;
        let [kernel, stride, padding, dilation] = windows.arguments();
        let args = [Argument::Value(images), kernel, stride, padding, dilation, Argument::Bool(false)];
        let value = self.emit("aten.max_pool2d.default", &args, dtype, shape)?;
        let held = Held { value, order: Order::ChannelsFirst };
        if dtype.is_float() {
            return self.put(node.output_range, pooling.output, held);
        }
        let to = self.tensor(pooling.output)?;
        let [low, high] = self.byte_range(node.output_range, &to)?.map(Argument::Int);
        let bounded = match node.output_range {
            Some(_) => self.emit("aten.clamp.default", &[Argument::Value(value), low, high], dtype, shape)?,
            None => value,
        };
        let value = self.of_type(bounded, given)?;
        self.hold(pooling.output, Held { value, ..held })
    }

    /// The mean of each window, in which padding takes no part.
    fn average(&mut self, node: &XnnNode, pooling: &Pooling, mut windows: Windows) -> Result<()> {
        let dtype = self.float_type(pooling.output)?;
        let held = self.floats(pooling.input, dtype)?;
        let images = self.images(held)?;
        let no = || Argument::Bool(false);
        let value = if windows.are_even() {
            let shape = windows.result(&self.described(images).1)?;
            let [kernel, stride, padding, _] = windows.arguments();
            let args = [Argument::Value(images), kernel, stride, padding, no(), no(), Argument::Null];
            self.emit("aten.avg_pool2d.default", &args, dtype, shape)?
        } else {
            // What is added up is divided by how many elements there were.
            let (_, shape) = self.described(images);
            let args = [Argument::Value(images), Argument::Double(1.0)];
            let ones = self.emit("aten.full_like.default", &args, dtype, shape)?;
            let around = std::mem::take(&mut windows.padding);
            let mut sum = |terms: u32| {
                let terms = self.padded(terms, around, Argument::Double(0.0))?;
                let shape = windows.result(&self.described(terms).1)?;
                let [kernel, stride, padding, _] = windows.arguments();
                let args = [Argument::Value(terms), kernel, stride, padding, no(), no(), Argument::Int(1)];
                self.emit("aten.avg_pool2d.default", &args, dtype, shape)
            };
            let (sum, count) = (sum(images)?, sum(ones)?);
            let (_, shape) = self.described(sum);
            self.emit("aten.div.Tensor", &[Argument::Value(sum), Argument::Value(count)], dtype, shape)?
        };
        self.put(node.output_range, pooling.output, Held { value, order: Order::ChannelsFirst })
    }

    /// The greatest value of windows that lie side by side, and where in the window it is.
    pub(super) fn arg_max_pooling(
        &mut self,
        padding: Padding,
        kernel: [u32; 2],
        input: u32,
        outputs: [u32; 2],
    ) -> Result<()> {
        if kernel.contains(&0) {
            return Err(self.refuse("a window of 0"));
        }
        let [values, _] = outputs;
        let dtype = self.float_type(values)?;
        let held = self.floats(input, dtype)?;
        let mut images = self.images(held)?;
        if padding != Padding::default() {
            images = self.padded(images, padding, Argument::Double(f64::NEG_INFINITY))?;
        }
        let (_, padded) = self.described(images);
        let mut sizes = padded.to_vec();
        for (size, kernel) in sizes.iter_mut().skip(2).zip(kernel) {
            *size = size.checked_div(kernel as usize).unwrap_or(0).max(1);
        }
        let shape = Shape::new(&sizes)?;
        let args = [Argument::Value(images), Argument::Ints(kernel.map(i64::from).to_vec())];
        let results = [(dtype, shape), (DType::I32, shape)];
        let values = self.emit_many("pteron.arg_max_pool2d.default", &args, &results)?;
        for (output, value) in outputs.into_iter().zip(values) {
            self.hold(output, Held { value, order: Order::ChannelsFirst })?;
        }
        Ok(())
    }

    /// Images in another size.
    pub(super) fn resize(&mut self, node: &XnnNode, size: [u32; 2], input: u32, output: u32) -> Result<()> {
        if node.flags.has_beyond(&[Flags::ALIGN_CORNERS]) {
            return Err(self.refuse(format!("flags {:#x}", node.flags.0)));
        }
        let dtype = self.float_type(output)?;
        let held = self.floats(input, dtype)?;
        let images = self.images(held)?;
        let (_, shape) = self.described(images);
        let [high, wide] = size;
        let shape = shape.with(2, high as usize)?.with(3, wide as usize)?;
        let align = Argument::Bool(node.flags.has(Flags::ALIGN_CORNERS));
        let args = [Argument::Value(images), Argument::Ints(size.map(i64::from).to_vec()), align, Argument::Null];
        let value = self.emit("aten.upsample_bilinear2d.vec", &args, dtype, shape)?;
        self.put(node.output_range, output, Held { value, order: Order::ChannelsFirst })
    }

    /// Images with the channels first.
    pub(super) fn images(&mut self, held: Held) -> Result<u32> {
        let (_, shape) = self.described(held.value);
        if shape.rank() != 4 {
            return Err(self.refuse(format!("{shape} is no batch of images")));
        }
        self.in_order(held, Order::ChannelsFirst)
    }

    /// Images with the channels first, with elements around them.
    pub(super) fn padded(&mut self, images: u32, padding: Padding, fill: Argument) -> Result<u32> {
        let (dtype, shape) = self.described(images);
        let Padding { top, right, bottom, left } = padding;
        let &[.., high, wide] = &*shape else { return Err(self.refuse(format!("{shape} is no batch of images"))) };
        let high = high.saturating_add(top as usize).saturating_add(bottom as usize);
        let wide = wide.saturating_add(left as usize).saturating_add(right as usize);
        let amounts = Argument::Ints([left, right, top, bottom].map(i64::from).to_vec());
        let args = [Argument::Value(images), amounts, fill];
        self.emit("aten.constant_pad_nd.default", &args, dtype, shape.with(2, high)?.with(3, wide)?)
    }

    /// The padding with which only the stride changes the size of images.
    pub(super) fn same_padding(
        &self,
        input: u32,
        kernel: [u32; 2],
        stride: [u32; 2],
        dilation: [u32; 2],
    ) -> Result<Padding> {
        let &[_, height, width, _] = &*self.tensor(input)?.dims else {
            return Err(self.refuse("the input is no batch of images"));
        };
        let sides = |size: u32, reach: u64, stride: u32| {
            let steps = u64::from(size).div_ceil(u64::from(stride.max(1)));
            let needed = steps.saturating_sub(1).saturating_mul(u64::from(stride)).saturating_add(reach);
            let total = u32::try_from(needed.saturating_sub(u64::from(size))).unwrap_or(u32::MAX);
            (total / 2, total.div_ceil(2))
        };
        let ([high, wide], [down, across], [by_rows, by_columns]) = (kernel, dilation, stride);
        let (top, bottom) = sides(height, reach(high, down), by_rows);
        let (left, right) = sides(width, reach(wide, across), by_columns);
        Ok(Padding { top, right, bottom, left })
    }
}
