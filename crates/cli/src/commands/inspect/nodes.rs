//! The nodes of a method, for `pteron inspect --graph`.

use anyhow::Result;
use pteron_ops::catalogue;
use pteron_pte::delegate::{Delegate, GraphValue};
use pteron_pte::xnnpack::Graph;
use pteron_pte::{self as pte, Ids, Instruction};
use pteron_runtime::survey::{self as runtime_survey, JoinedNode};
use pteron_runtime::{Program, Source};
use serde::Serialize;

use super::xnnpack;
use crate::output::{Output, Table};
use crate::survey::{caps, delegate_blobs};

/// Arguments of a node, and items of a list, that are written out. A file can refer to one long list from many places.
const WRITTEN_ITEMS: usize = 32;

/// The instructions and nodes of a method.
#[derive(Debug, Serialize)]
pub(crate) struct MethodNodes {
    pub(crate) method: String,
    pub(crate) instructions: Vec<String>,
    pub(crate) delegates: Vec<Vec<NodeLine>>,
    /// The graphs that run where delegates and operators outside them are joined.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) joined: Vec<Vec<JoinedLine>>,
}

/// One node of a joined graph.
#[derive(Debug, Serialize)]
pub(crate) struct JoinedLine {
    id: u32,
    /// Where it is in the program.
    place: String,
    op: &'static str,
    /// Arguments by the operator's schema, and then the outputs.
    args: Vec<String>,
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
            let joined = joined_graphs(program, method.name());
            Ok(MethodNodes {
                method: method.name().to_owned(),
                instructions: instructions(&method)?,
                delegates,
                joined,
            })
        })
        .collect()
}

/// The joined graphs of a method that runs here.
fn joined_graphs(program: &Program, method: &str) -> Vec<Vec<JoinedLine>> {
    let Ok(method) = program.check(method, &caps()) else { return Vec::new() };
    let line = |node: JoinedNode| JoinedLine { id: node.id, place: node.place, op: node.op, args: node.args };
    runtime_survey::joined(&method).into_iter().map(|nodes| nodes.into_iter().map(line).collect()).collect()
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
    /// Writes the instructions, then the nodes of each delegate, then those of joined graphs.
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
        for nodes in &self.joined {
            output.line(
                "  nodes of a joined graph, each with its arguments, its outputs and where it is in the program",
            )?;
            let mut table = Table::new(&[">", "", "", ""]).indent(4);
            for node in nodes {
                table.row([node.id.to_string(), node.op.to_owned(), node.args.join(", "), node.place.clone()]);
            }
            output.table(&table)?;
        }
        Ok(())
    }
}
