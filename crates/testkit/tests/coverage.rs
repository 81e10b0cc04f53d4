//! `docs/coverage.md` says of everything that the stock package can emit whether it runs here; this test keeps it so, and
//! fails where an operator that the package has a kernel for does not run.
//!
//! `registered.txt` is what the package registers: `tools/export/coverage.py` makes it, and then the page. Without the
//! package, `UPDATE_DOCS=1 cargo test -p pteron-testkit --test coverage` writes the page anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use pteron_ops::{Body, OpDef, catalogue};
use pteron_pte::{Blob, xnnpack};
use pteron_runtime::Program;

const REGISTERED: &str = include_str!("registered.txt");

/// What registers an operator that no kernel of the package runs.
const NOBODY: &str = "nobody (core ATen)";

/// What does not run here, and why.
const ABSENT: &[(&str, &str)] = &[
    ("aten::_adaptive_avg_pool2d_backward.out", "training: no kernel upstream"),
    ("aten::adaptive_avg_pool1d.out", "the exporter makes it one of images"),
    ("aten::avg_pool1d.out", "the exporter makes it one of images"),
    ("aten::avg_pool2d_backward.grad_input", "training: no kernel upstream"),
    ("aten::col2im.out", "no kernel upstream"),
    ("aten::embedding_dense_backward.out", "training: no kernel upstream"),
    ("aten::empty_strided.out", "the exporter knows no strides"),
    ("aten::native_group_norm_backward.out", "training: no kernel upstream"),
    ("aten::native_layer_norm_backward.out", "training: no kernel upstream"),
    ("aten::scatter_reduce.two_out", "no kernel upstream"),
];

/// What the partitioner takes and no graph names: it becomes part of another node.
const DISSOLVED: &[(&str, &str)] = &[
    ("getitem", "one result of several is a value of its own"),
    ("llama::custom_sdpa", "fused into `sdpa_with_kv_cache.default`"),
];

/// One line of the list.
struct Registered {
    target: &'static str,
    name: &'static str,
    by: &'static str,
}

fn registered() -> impl Iterator<Item = Registered> {
    let lines = REGISTERED.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut fields = line.split('\t');
        let mut next = || fields.next().expect("three fields a line");
        Registered { target: next(), name: next(), by: next() }
    })
}

/// The operator of a graph that the partitioner knows by this name. Names of custom operators lack parts there.
fn delegated(name: &str) -> Option<&'static OpDef> {
    let plain = name.rsplit("::").next().unwrap_or(name);
    let candidates = [
        name.to_owned(),
        format!("aten.{name}"),
        format!("{}.default", name.replace("::", ".")),
        format!("{plain}.default"),
    ];
    candidates.iter().find_map(|name| catalogue::lookup(name))
}

/// Where an operator runs on a device with a GPU.
fn on_gpu(op: &OpDef) -> &'static str {
    match op.body {
        Body::Tensor { .. } => "GPU",
        Body::Symbolic(_) | Body::Number(_) | Body::Host(_) => "host",
        Body::Nothing => "nothing to do",
    }
}

/// Kinds of XNNPACK nodes in fixtures that run.
fn xnnpack_kinds(root: &Path) -> BTreeSet<String> {
    let mut kinds = BTreeSet::new();
    for case in pteron_testkit::discover(&root.join("fixtures/xnnpack")).expect("fixtures are readable") {
        let program = Program::open(&case.program).expect("fixtures open");
        if program.check(&case.method, &pteron_runtime::Caps::webgpu_minimum()).is_err() {
            continue;
        }
        let file = std::fs::read(&case.program).expect("fixtures are readable");
        let parsed = pteron_pte::Program::parse(&file, file.len() as u64).expect("fixtures parse");
        let method = parsed.method(&case.method).expect("fixtures parse").expect("the method is there");
        for index in 0u32.. {
            let Ok(delegate) = method.delegate(index) else { break };
            let data = match &delegate.data {
                Blob::Inline(bytes) => bytes,
                Blob::File(range) => {
                    let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).expect("a small file"));
                    &file[start..end]
                }
            };
            let Ok(graph) = xnnpack::Graph::parse(data) else { continue };
            kinds.extend(graph.nodes().map(|node| format!("XNN{}", node.expect("fixtures parse").operation.name())));
        }
    }
    kinds
}

fn reason(of: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    of.iter().find(|(absent, _)| *absent == name).map(|(_, reason)| *reason)
}

fn page(kinds: &BTreeSet<String>) -> String {
    let package = REGISTERED.lines().next().unwrap_or_default();
    let package = package.trim_start_matches("# ").split(';').next().unwrap_or_default();
    let mut page = format!(
        "# Coverage\n\n\
         What the stock package ({package}) can emit, by whom it is registered there, and whether it runs here. Made by\n\
         `python tools/export/coverage.py`, or without the package from the committed list by\n\
         `UPDATE_DOCS=1 cargo test -p pteron-testkit --test coverage`.\n\n\
         The reference engine runs everything that has a place below. *GPU* is a kernel of its own, in a delegate or, where the\n\
         exporter left the operator outside, in a graph with the delegates around it; *host* is plain Rust on the CPU, whatever\n\
         the device. Types, ranks and cases are in [operators.md](operators.md).\n"
    );
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (target, title, text) in [
        (
            "portable",
            "Outside delegates",
            "Operators of the portable and the quantized library, those that the Python binding prints, and the core operators\n\
             of PyTorch that the exporter emits although the package has no kernel for them.",
        ),
        (
            "vulkan",
            "Vulkan and WebGPU",
            "Operators that the partitioner of Vulkan takes. That of WebGPU asks the same one, and writes the same graphs.",
        ),
        (
            "xnnpack",
            "XNNPACK",
            "Kinds of nodes of the schema. One runs where a fixture has it and is lowered; its operators are those of the\n\
             catalogue, on the GPU and on the reference engine.",
        ),
    ] {
        let _ = write!(
            page,
            "\n## {title}\n\n{text}\n\n| name | registered by | reference | with a GPU |\n|---|---|---|---|\n"
        );
        for Registered { name, by, .. } in registered().filter(|entry| entry.target == target) {
            let found = match target {
                "portable" => catalogue::lookup_portable(name),
                "vulkan" => delegated(name),
                _ => None,
            };
            let (reference, gpu) = match (found, reason(DISSOLVED, name), reason(ABSENT, name)) {
                (Some(op), ..) => ("yes".to_owned(), on_gpu(op).to_owned()),
                (None, Some(part), _) => ("yes".to_owned(), part.to_owned()),
                (None, None, _) if kinds.contains(name) => ("yes".to_owned(), "GPU".to_owned()),
                (None, None, why) => {
                    ("no".to_owned(), format!("no{}", why.map_or(String::new(), |why| format!(": {why}"))))
                }
            };
            let count = counts.entry(title).or_default();
            count[0] += usize::from(reference == "yes");
            count[1] += 1;
            let _ = writeln!(page, "| `{name}` | {by} | {reference} | {gpu} |");
        }
    }
    page.push_str("\n## In all\n\n");
    for (title, [run, all]) in counts {
        let _ = writeln!(page, "- {title}: {run} of {all}");
    }
    page
}

#[test]
fn everything_that_has_a_kernel_upstream_runs_here() {
    let missing = |entry: &Registered| match entry.target {
        "portable" => entry.by != NOBODY && catalogue::lookup_portable(entry.name).is_none(),
        "vulkan" => reason(DISSOLVED, entry.name).is_none() && delegated(entry.name).is_none(),
        _ => false,
    };
    let missing: Vec<_> = registered().filter(missing).map(|entry| entry.name).collect();
    let unexplained: Vec<_> = missing.iter().filter(|name| reason(ABSENT, name).is_none()).collect();
    assert!(unexplained.is_empty(), "registered upstream and absent here: {unexplained:?}");
}

#[test]
fn the_page_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (path, page) = (root.join("docs/coverage.md"), page(&xnnpack_kinds(&root)));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, page).expect("the page can be written");
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "docs/coverage.md is out of date: see the top of this file");
}
