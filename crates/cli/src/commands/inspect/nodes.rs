//! The nodes of a method, for `pteron inspect --graph`.

use anyhow::Result;
use pteron_ops::catalogue;
use pteron_pte::delegate::{Delegate, GraphValue};
use pteron_pte::xnnpack::Graph;
use pteron_pte::{self as pte, Ids, Instruction};
use pteron_runtime::{Program, Source};
use serde::Serialize;

use super::xnnpack;
use crate::output::{Output, Table};
use crate::survey::delegate_blobs;

/// Arguments of a node, and items of a list, that are written out. A file can refer to one long list from many places.
const WRITTEN_ITEMS: usize = 32;

/// The instructions and nodes of a method.
#[derive(Debug, Serialize)]
pub(crate) struct MethodNodes {
    pub(crate) method: String,
    pub(crate) instructions: Vec<String>,
    pub(crate) delegates: Vec<Vec<NodeLine>>,
}

/// One node of a delegate's graph.
#[derive(Debug, Serialize)]
pub(crate) struct NodeLine {
    pub(crate) id: u32,
    pub(crate) op: String,
    pub(crate) supported: bool,
    /// Arguments by the operator's schema, and then the output.
    pub(crate) args: Vec<String>,
}

/// The nodes of every method.
pub(crate) fn list(program: &Program, source: &dyn Source) -> Result<Vec<MethodNodes>> {
    let view = program.view()?;
    view.methods()
        .map(|method| {
            let method = method?;
            let mut delegates = Vec::new();
            for blob in delegate_blobs(&method, source)? {
                delegates.push(if Delegate::is(&blob.bytes) {
                    graph(&Delegate::parse(&blob.bytes)?)?
                } else if Graph::is(&blob.bytes) {
                    xnnpack::nodes(&Graph::parse(&blob.bytes)?)?
                } else {
                    Vec::new()
                });
            }
            Ok(MethodNodes { method: method.name().to_owned(), instructions: instructions(&method)?, delegates })
        })
        .collect()
}

fn instructions(method: &pte::Method<'_>) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for chain in method.chains() {
        for instruction in chain?.instructions() {
            lines.push(match instruction? {
                Instruction::KernelCall { op, args } => format!("call {}({})", method.operator(op)?, ids(args)),
                Instruction::DelegateCall { delegate, args } => format!("call delegate {delegate}({})", ids(args)),
                Instruction::MoveCall { from, to } => format!("move %{from} to %{to}"),
                Instruction::JumpFalseCall { cond, destination } => format!("if not %{cond} go to {destination}"),
                Instruction::FreeCall { value } => format!("free %{value}"),
            });
        }
    }
    Ok(lines)
}

fn ids(ids: Ids<'_>) -> String {
    joined(ids.len(), ids.iter().map(|id| format!("%{id}")))
}

fn joined(length: usize, items: impl Iterator<Item = String>) -> String {
    let shown: Vec<_> = items.take(WRITTEN_ITEMS).collect();
    let more = if length > WRITTEN_ITEMS { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn graph(graph: &Delegate<'_>) -> Result<Vec<NodeLine>> {
    graph
        .nodes()
        .map(|node| {
            let node = node?;
            let args = node.args.iter().take(WRITTEN_ITEMS).map(|id| describe(graph, id)).collect::<Result<_>>()?;
            let supported = catalogue::lookup(node.name).is_some();
            Ok(NodeLine { id: node.id, op: node.name.to_owned(), supported, args })
        })
        .collect()
}

fn describe(graph: &Delegate<'_>, id: u32) -> Result<String> {
    Ok(match graph.value(id)? {
        GraphValue::Null => "null".to_owned(),
        GraphValue::Int(value) => value.to_string(),
        GraphValue::Double(value) => format!("{value:?}"),
        GraphValue::Bool(value) => value.to_string(),
        GraphValue::String(text) => format!("{text:?}"),
        GraphValue::SymInt(_) => format!("%{id}: symint"),
        GraphValue::IntList(list) => format!("[{}]", joined(list.len(), list.iter().map(|item| item.to_string()))),
        GraphValue::DoubleList(list) => {
            format!("[{}]", joined(list.len(), list.iter().map(|item| format!("{item:?}"))))
        }
        GraphValue::BoolList(list) => format!("[{}]", joined(list.len(), list.iter().map(|item| item.to_string()))),
        GraphValue::ValueList(list) => format!("[{}]", ids(list)),
        GraphValue::Tensor(tensor) => {
            let constant = if tensor.constant_id().is_some() { " constant" } else { "" };
            let dims: Vec<_> = tensor.dims().take(WRITTEN_ITEMS).collect();
            format!("%{id}: {}{dims:?}{constant}", tensor.dtype()?)
        }
        other => format!("%{id}: {other:?}"),
    })
}

impl MethodNodes {
    /// Writes the instructions, then the nodes of each delegate.
    pub(crate) fn show(&self, output: &mut Output) -> Result<()> {
        output.line("  instructions")?;
        for (index, line) in self.instructions.iter().enumerate() {
            output.line(format_args!("    {index}: {line}"))?;
        }
        for (index, nodes) in self.delegates.iter().enumerate() {
            output.line(format_args!("  nodes of delegate {index}, each with its arguments and then its output"))?;
            let mut table = Table::new(&[">", "", ""]).indent(4);
            for node in nodes {
                let mark = if node.supported { "" } else { " (UNSUPPORTED)" };
                table.row([node.id.to_string(), format!("{}{mark}", node.op), node.args.join(", ")]);
            }
            output.table(&table)?;
        }
        Ok(())
    }
}
