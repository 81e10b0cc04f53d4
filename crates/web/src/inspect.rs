//! What a program is, for people: methods, operators and where they run, and memory.

use js_sys::Array;
use pteron_runtime::survey::OperatorCount;
use pteron_runtime::{ErrorKind, survey};
use wasm_bindgen::JsValue;

use crate::device::Device;
use crate::error::{Result, WebError};
use crate::value::{object, specs_to_js};

/// A program's methods, each with what it takes, gives and uses.
pub(crate) async fn describe(program: &pteron_runtime::Program, device: &Device) -> Result<JsValue> {
    let methods = Array::new();
    for name in program.methods()? {
        methods.push(&method(program, device, &name).await?);
    }
    Ok(object([("methods", methods.into())]))
}

async fn method(program: &pteron_runtime::Program, device: &Device, name: &str) -> Result<JsValue> {
    let caps = device.device.caps();
    let signature = program.signature(name)?;
    let (error, graph) = match program.check_async(name, &caps).await {
        Ok(graph) => (JsValue::UNDEFINED, Some(graph)),
        Err(error) if error.kind() == ErrorKind::Io => return Err(error.into()),
        Err(error) => (WebError::from(error).into(), None),
    };
    let (memory, host, nodes) = match &graph {
        None => (JsValue::UNDEFINED, Array::new(), Array::new()),
        Some(graph) => {
            let memory = graph.memory(&caps);
            let bytes = |bytes: u64| JsValue::from(bytes as f64);
            let memory = object([
                ("constants", bytes(memory.constants)),
                ("state", bytes(memory.state)),
                ("boundary", bytes(memory.boundary)),
                ("intermediates", memory.intermediates.map_or(JsValue::NULL, bytes)),
            ]);
            let host = graph.placements().iter().filter_map(|placement| {
                let reason = placement.on_host.as_deref()?;
                Some(object([("op", placement.op.into()), ("reason", reason.into())]))
            });
            (memory, host.collect(), nodes(graph))
        }
    };
    Ok(object([
        ("name", name.into()),
        ("inputs", specs_to_js(&signature.inputs).into()),
        ("outputs", specs_to_js(&signature.outputs).into()),
        ("error", error),
        ("operators", operators(program, name, device).await.into()),
        ("onHost", host.into()),
        ("nodes", nodes.into()),
        ("memory", memory),
    ]))
}

/// How often each operator is used; nothing where the program does not run here.
async fn operators(program: &pteron_runtime::Program, name: &str, device: &Device) -> Array {
    let counts = survey::counts(program, name, &device.device.caps()).await.unwrap_or_default();
    let operator = |used: OperatorCount| {
        object([("op", used.op.into()), ("count", used.count.into()), ("delegated", (!used.portable).into())])
    };
    counts.into_iter().map(operator).collect()
}

/// The nodes of the method's graphs, with the values that they read and write.
fn nodes(graph: &pteron_runtime::MethodGraph) -> Array {
    let words = |words: &[String]| words.iter().map(|word| JsValue::from(word.as_str())).collect::<Array>();
    let nodes = survey::nodes(graph).into_iter().map(|node| {
        object([
            ("graph", JsValue::from(node.graph as f64)),
            ("op", node.op.into()),
            ("reads", words(&node.reads).into()),
            ("writes", words(&node.writes).into()),
        ])
    });
    nodes.collect()
}
