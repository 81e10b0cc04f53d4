//! The arguments of operators that passes put into a graph, declared once: the pass that makes a node writes them by
//! name, and the operator reads them at the positions that follow from the same declaration.

use crate::pointwise::activation::Activation;
use crate::quant::rounding::Rounding;

/// The number of a value in a graph.
pub type ValueId = u32;

/// An argument as a pass writes it: a value of the graph, or a literal that becomes one.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A value that the graph has.
    Value(ValueId),
    /// Nothing.
    Null,
    /// Integers.
    Ints(Vec<i64>),
    /// A number.
    Double(f64),
    /// A truth value.
    Bool(bool),
    /// A text.
    Str(String),
}

/// How a field is written as an argument, and read from a value that stands for `literal`.
trait Field: Sized {
    fn write(self) -> Argument;
    /// Nothing where the argument is of another kind.
    fn read(value: ValueId, literal: Argument) -> Option<Self>;
}

impl Field for ValueId {
    fn write(self) -> Argument {
        Argument::Value(self)
    }

    fn read(value: ValueId, literal: Argument) -> Option<ValueId> {
        (literal != Argument::Null).then_some(value)
    }
}

impl Field for Option<ValueId> {
    fn write(self) -> Argument {
        self.map_or(Argument::Null, Argument::Value)
    }

    fn read(value: ValueId, literal: Argument) -> Option<Option<ValueId>> {
        Some((literal != Argument::Null).then_some(value))
    }
}

impl Field for Vec<i64> {
    fn write(self) -> Argument {
        Argument::Ints(self)
    }

    fn read(_: ValueId, literal: Argument) -> Option<Vec<i64>> {
        match literal {
            Argument::Ints(items) => Some(items),
            _ => None,
        }
    }
}

impl Field for bool {
    fn write(self) -> Argument {
        Argument::Bool(self)
    }

    fn read(_: ValueId, literal: Argument) -> Option<bool> {
        match literal {
            Argument::Bool(value) => Some(value),
            _ => None,
        }
    }
}

impl Field for f64 {
    fn write(self) -> Argument {
        Argument::Double(self)
    }

    fn read(_: ValueId, literal: Argument) -> Option<f64> {
        match literal {
            Argument::Double(value) => Some(value),
            _ => None,
        }
    }
}

impl Field for Rounding {
    fn write(self) -> Argument {
        Argument::Str(self.to_string())
    }

    fn read(_: ValueId, literal: Argument) -> Option<Rounding> {
        match literal {
            Argument::Str(text) => text.parse().ok(),
            _ => None,
        }
    }
}

impl Field for Activation {
    fn write(self) -> Argument {
        Argument::Str(self.to_string())
    }

    fn read(_: ValueId, literal: Argument) -> Option<Activation> {
        match literal {
            Argument::Str(text) => text.parse().ok(),
            _ => None,
        }
    }
}

macro_rules! arguments {
    (
        $(#[$doc:meta])*
        $name:ident, $positions:ident = $op:literal {
            $($(#[$field_doc:meta])* $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl $name {
            /// The operator's name.
            pub const NAME: &'static str = $op;

            /// The arguments in the operator's order.
            pub fn write(self) -> Vec<Argument> {
                vec![$(self.$field.write(),)*]
            }

            /// The arguments of a node; `literal` tells what a value stands for where it is no tensor. Nothing where they
            /// are not this operator's.
            pub fn read(arguments: &[ValueId], literal: &dyn Fn(ValueId) -> Argument) -> Option<$name> {
                let &[$($field,)*] = arguments else { return None };
                Some($name { $($field: Field::read($field, literal($field))?,)* })
            }
        }

        /// Where the operator finds each argument.
        #[allow(dead_code, reason = "arguments that are another operator's too are read where that one has them")]
        pub(crate) struct $positions {
            $(pub(crate) $field: usize,)*
        }

        impl $positions {
            pub(crate) const AT: $positions = {
                let next = 0;
                $(let ($field, next) = (next, next + 1);)*
                let _ = next;
                $positions { $($field,)* }
            };
        }
    };
}

arguments! {
    /// Linear layers with 4-bit weights that share an input, with the norm before and the sum or gating after them.
    Q4Linear, Q4LinearPositions = "pteron.q4_linear.default" {
        /// The activations.
        input: ValueId,
        /// The weight of an RMS norm of the input.
        norm: Option<ValueId>,
        /// The norm's epsilon.
        epsilon: Option<ValueId>,
        /// How rows of the input, or of its norm, are rounded.
        rounding: Rounding,
        /// The codes, as for `et_vk.linear_q4gsw`.
        weight: ValueId,
        /// The scales.
        scales: ValueId,
        /// Codes that share a scale.
        group_size: ValueId,
        /// Whether scales have no more than eight bits, as those of XNNPACK's groups.
        short_scales: bool,
        /// The columns of each output.
        widths: Vec<i64>,
        /// Whether the first half of the columns gates the second.
        gated: bool,
        /// A tensor to add.
        addend: Option<ValueId>,
    }
}

arguments! {
    /// Gated linear layers with 4-bit weights and the layer that takes their output.
    Q4Mlp, Q4MlpPositions = "pteron.q4_mlp.default" {
        /// The activations.
        input: ValueId,
        /// The weight of an RMS norm of the input.
        norm: Option<ValueId>,
        /// The norm's epsilon.
        epsilon: Option<ValueId>,
        /// The codes of the gated layers, gates first.
        weight: ValueId,
        /// Their scales.
        scales: ValueId,
        /// Codes that share a scale there.
        group_size: ValueId,
        /// The codes of the layer after them.
        down_weight: ValueId,
        /// Its scales.
        down_scales: ValueId,
        /// Codes that share a scale there.
        down_group_size: ValueId,
        /// A tensor to add.
        addend: Option<ValueId>,
    }
}

arguments! {
    /// softmax(query · keyᵀ · scale + mask) · value for each of several heads. The output has as many rows as there are
    /// queries.
    Attention, AttentionPositions = "pteron.attention.default" {
        /// Queries.
        query: ValueId,
        /// Keys, as long as queries.
        key: ValueId,
        /// Values, as many as keys.
        value: ValueId,
        /// The number of batches, and of the heads of each.
        heads: Vec<i64>,
        /// What queries, keys, values and the output have outside: batches of heads of rows (0), rows of batches of heads
        /// (1), or batches of rows of heads (2).
        order: Vec<i64>,
        /// The factor of the scores.
        scale: f64,
        /// What is added to the scores of each batch, head, row and key; it broadcasts.
        mask: Option<ValueId>,
        /// Whether a row gives zeros where the mask hides all keys.
        zeros: bool,
        /// Where queries, keys and values lie in tensors that hold more: for each of the three the elements and the number of
        /// a head's vectors, the distances of batches, heads and rows, and where the first begins. Nothing where they are
        /// all that the tensors hold.
        places: Vec<i64>,
    }
}

arguments! {
    /// Vectors of which each half is turned by the other: `input · cos + turned · sin`, where `turned` has the second half of a
    /// vector, negated, before the first.
    Turn, TurnPositions = "pteron.turn.default" {
        /// What holds the vectors, and may hold more.
        input: ValueId,
        /// A cosine for each element of a vector.
        cos: ValueId,
        /// A sine for each element of a vector.
        sin: ValueId,
        /// The four sizes of the output, of which the last is that of a vector.
        sizes: Vec<i64>,
        /// The distances in the input for a step in the first three of them, and where the first vector begins.
        places: Vec<i64>,
        /// The same distances in the tables.
        angles: Vec<i64>,
    }
}

arguments! {
    /// A convolution, and last(first(its result) + addend). Up to `groups` the arguments are those of `aten.convolution`.
    Convolution, ConvolutionPositions = "pteron.convolution.default" {
        /// The images.
        input: ValueId,
        /// The weight.
        weight: ValueId,
        /// The bias.
        bias: Option<ValueId>,
        /// The stride of each dimension.
        stride: ValueId,
        /// The padding of each dimension.
        padding: ValueId,
        /// The dilation of each dimension.
        dilation: ValueId,
        /// Whether it is transposed.
        transposed: ValueId,
        /// The output padding of each dimension.
        output_padding: ValueId,
        /// The groups of channels.
        groups: ValueId,
        /// The input channels of a group where the weight has the form that tiles read: output channels, the kernel's sizes, and
        /// these channels filled up to a multiple of four with zeros. Nothing where it has that of programs.
        arranged: Vec<i64>,
        /// What is applied to each sum with its bias.
        first: Activation,
        /// A tensor of the output's shape to add then.
        addend: Option<ValueId>,
        /// What is applied at last.
        last: Activation,
        /// A factor for each channel of the image, where there is one, and places of it are read one by one.
        scale: Option<ValueId>,
    }
}

arguments! {
    /// A linear layer or a product of matrices, and last(first(its result) + addend).
    Linear, LinearPositions = "pteron.linear.default" {
        /// The rows.
        input: ValueId,
        /// The weight.
        weight: ValueId,
        /// The bias, which broadcasts to the output's rows.
        bias: Option<ValueId>,
        /// Whether the weight has a row for each element of an input row, as in `aten.mm`, not for each column of the output.
        across: bool,
        /// What is applied to each sum with its bias.
        first: Activation,
        /// A tensor of the output's shape to add then.
        addend: Option<ValueId>,
        /// What is applied at last.
        last: Activation,
    }
}

arguments! {
    /// A linear layer or a product of matrices, and the norm of the rows of its result, which is another output. Up to `last`
    /// the arguments are those of [`Linear`].
    LinearNorm, LinearNormPositions = "pteron.linear_norm.default" {
        /// The rows.
        input: ValueId,
        /// The weight.
        weight: ValueId,
        /// The bias.
        bias: Option<ValueId>,
        /// Whether the weight has a row for each element of an input row.
        across: bool,
        /// What is applied to each sum with its bias.
        first: Activation,
        /// A tensor of the output's shape to add then.
        addend: Option<ValueId>,
        /// What is applied at last, before the norm.
        last: Activation,
        /// The factor of each column of the norm.
        scale: Option<ValueId>,
        /// What is added to each column of the norm.
        shift: Option<ValueId>,
        /// The norm's epsilon.
        epsilon: f64,
        /// Whether rows are brought to a mean of 0, or divided by their root mean square alone.
        centered: bool,
        /// Whether anybody reads the first output.
        keeps: bool,
    }
}

arguments! {
    /// Two layers that follow each other: last(next(first(layer(input)))).
    TwoLayers, TwoLayersPositions = "pteron.two_layers.default" {
        /// The rows, or the channels of images of one place.
        input: ValueId,
        /// The weight of the layer.
        weight: ValueId,
        /// Its bias.
        bias: Option<ValueId>,
        /// What is applied to what it gives.
        first: Activation,
        /// The weight of the next layer.
        next_weight: ValueId,
        /// Its bias.
        next_bias: Option<ValueId>,
        /// What is applied to what that gives.
        last: Activation,
    }
}

arguments! {
    /// A rotary embedding and the attention over caches that alone reads what it turned. Up to `scale` the arguments are
    /// those of `sdpa_with_kv_cache`, with queries and keys that are not turned yet.
    RopeAttention, RopeAttentionPositions = "pteron.rope_attention.default" {
        /// Queries.
        query: ValueId,
        /// Keys.
        key: ValueId,
        /// Values.
        value: ValueId,
        /// The cache of keys, which is written.
        key_cache: ValueId,
        /// The cache of values, which is written.
        value_cache: ValueId,
        /// The first row of the caches that is written.
        start: Option<ValueId>,
        /// Not read.
        length: Option<ValueId>,
        /// A mask over the caches' rows.
        mask: Option<ValueId>,
        /// The probability of dropout, of which only 0 is taken.
        dropout: Option<ValueId>,
        /// Whether a query sees no later key.
        causal: Option<ValueId>,
        /// The factor of the scores.
        scale: Option<ValueId>,
        /// The table of cosines.
        cos: ValueId,
        /// The table of sines.
        sin: ValueId,
        /// The first row of both tables that counts; all rows count without.
        first_row: Option<ValueId>,
        /// The row after the last that counts.
        end_row: Option<ValueId>,
    }
}

arguments! {
    /// A rotary embedding, the attention that reads what it turned, and the linear layer with a 4-bit weight that reads the
    /// rows of all heads. Up to `end_row` the arguments are those of [`RopeAttention`].
    Q4Attention, Q4AttentionPositions = "pteron.q4_attention.default" {
        /// Queries.
        query: ValueId,
        /// Keys.
        key: ValueId,
        /// Values.
        value: ValueId,
        /// The cache of keys, which is written.
        key_cache: ValueId,
        /// The cache of values, which is written.
        value_cache: ValueId,
        /// The first row of the caches that is written.
        start: Option<ValueId>,
        /// Not read.
        length: Option<ValueId>,
        /// A mask over the caches' rows.
        mask: Option<ValueId>,
        /// The probability of dropout, of which only 0 is taken.
        dropout: Option<ValueId>,
        /// Whether a query sees no later key.
        causal: Option<ValueId>,
        /// The factor of the scores.
        scale: Option<ValueId>,
        /// The table of cosines.
        cos: ValueId,
        /// The table of sines.
        sin: ValueId,
        /// The first row of both tables that counts; all rows count without.
        first_row: Option<ValueId>,
        /// The row after the last that counts.
        end_row: Option<ValueId>,
        /// The codes of the layer.
        weight: ValueId,
        /// Their scales.
        scales: ValueId,
        /// Codes that share a scale.
        group_size: ValueId,
        /// A tensor to add.
        addend: Option<ValueId>,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer() -> Q4Linear {
        Q4Linear {
            input: 1,
            norm: None,
            epsilon: None,
            rounding: Rounding::Xnnpack,
            weight: 2,
            scales: 3,
            group_size: 4,
            short_scales: true,
            widths: vec![8, 16],
            gated: true,
            addend: Some(5),
        }
    }

    #[test]
    fn what_is_written_is_read_at_the_positions_that_operators_use() {
        let written = layer().write();
        const AT: Q4LinearPositions = Q4LinearPositions::AT;
        assert_eq!(written[AT.input], Argument::Value(1));
        assert_eq!(written[AT.norm], Argument::Null);
        assert_eq!(written[AT.widths], Argument::Ints(vec![8, 16]));
        assert_eq!(written[AT.gated], Argument::Bool(true));
        assert_eq!(written[AT.addend], Argument::Value(5));
        assert_eq!(written.len(), AT.addend + 1);

        let ids: Vec<_> = (0..).take(written.len()).collect();
        let read = Q4Linear::read(&ids, &|id| written[id as usize].clone()).unwrap();
        assert_eq!((read.input, read.addend, read.norm), (0, Some(10), None));
        assert_eq!(read.rounding, Rounding::Xnnpack);
        assert_eq!((read.widths, read.gated, read.short_scales), (vec![8, 16], true, true));
    }

    #[test]
    fn arguments_of_another_kind_are_not_read() {
        let ids = [0; 11];
        assert_eq!(Q4Linear::read(&ids[..10], &Argument::Value), None);
        assert_eq!(Q4Linear::read(&ids, &Argument::Value), None, "widths are integers");
    }
}
