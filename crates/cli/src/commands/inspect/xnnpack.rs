//! The nodes of an XNNPACK graph, for `pteron inspect --graph`.

use anyhow::Result;
use pteron_pte::xnnpack::{Graph, Node, Operation, Quantization, Tensor};

use super::nodes::NodeLine;

/// The nodes of a graph, in order.
pub(super) fn nodes(graph: &Graph<'_>) -> Result<Vec<NodeLine>> {
    (0..).zip(graph.nodes()).map(|(position, node)| line(graph, position, &node?)).collect()
}

fn line(graph: &Graph<'_>, position: u32, node: &Node) -> Result<NodeLine> {
    let describe = |id: &u32| graph.tensor(*id).map(|tensor| tensor_text(&tensor));
    let mut args = node.operation.inputs().iter().map(describe).collect::<Result<Vec<_>, _>>()?;
    args.extend(parameters(&node.operation));
    if let Some(range) = node.output_range {
        args.push(format!("{:?}..={:?}", range.min, range.max));
    }
    if node.flags.0 != 0 {
        args.push(format!("flags {}", node.flags.0));
    }
    for id in node.operation.outputs().iter() {
        args.push(describe(id)?);
    }
    let supported = !matches!(node.operation, Operation::Unknown(_));
    Ok(NodeLine { id: position, op: node.operation.name().to_owned(), supported, args })
}

fn parameters(operation: &Operation) -> Vec<String> {
    match operation {
        Operation::Convolution(convolution) => {
            let (padding, groups) = (convolution.padding, convolution.groups);
            vec![
                format!("kernel {:?}", convolution.kernel),
                format!("stride {:?}", convolution.stride),
                format!("dilation {:?}", convolution.dilation),
                format!("padding {:?}", [padding.top, padding.right, padding.bottom, padding.left]),
                format!("output padding {:?}", convolution.output_padding),
                format!("groups {groups}"),
            ]
        }
        Operation::Pooling(pooling) => {
            let padding = pooling.padding;
            vec![
                format!("kernel {:?}", pooling.kernel),
                format!("stride {:?}", pooling.stride),
                format!("dilation {:?}", pooling.dilation),
                format!("padding {:?}", [padding.top, padding.right, padding.bottom, padding.left]),
            ]
        }
        Operation::ArgMaxPooling { padding, kernel, .. } => vec![
            format!("kernel {kernel:?}"),
            format!("padding {:?}", [padding.top, padding.right, padding.bottom, padding.left]),
        ],
        Operation::Transpose { permutation, .. } => vec![format!("{permutation:?}")],
        Operation::Reshape { shape, .. } => vec![format!("{shape:?}")],
        Operation::Slice { offsets, sizes, .. } => vec![format!("from {offsets:?}"), format!("sizes {sizes:?}")],
        Operation::Pad { before, after, value, .. } => {
            vec![format!("before {before:?}"), format!("after {after:?}"), format!("{value:?}")]
        }
        Operation::ResizeBilinear { height, width, .. } => vec![format!("{:?}", [height, width])],
        Operation::Concatenate { axis, .. } => vec![format!("axis {axis}")],
        Operation::LeakyRelu { negative_slope, .. } => vec![format!("{negative_slope:?}")],
        Operation::Elu { alpha, .. } => vec![format!("{alpha:?}")],
        Operation::Unknown(code) => vec![format!("code {code}")],
        _ => Vec::new(),
    }
}

fn tensor_text(tensor: &Tensor<'_>) -> String {
    let quantization = match tensor.quantization {
        Some(Quantization::PerTensor { scale, zero_point }) => format!(" scale {scale:?} zero {zero_point}"),
        Some(Quantization::PerChannel { axis, .. }) => format!(" per channel of axis {axis}"),
        Some(Quantization::PerGroup { group_size, .. }) => format!(" per group of {group_size}"),
        Some(Quantization::PerToken { .. }) => " per token".to_owned(),
        _ => String::new(),
    };
    let constant = if tensor.constant.is_some() { " constant" } else { "" };
    let datatype = format!("{:?}", tensor.datatype).to_lowercase();
    format!("%{}: {datatype}{:?}{quantization}{constant}", tensor.id, tensor.dims)
}
