//! `docs/operators.md` is made from the catalogue, from what the fixtures use and from what the property tests run; this
//! test keeps it so, and every operator among one of the two.
//!
//! `UPDATE_DOCS=1 cargo test -p pteron-testkit --test operators` writes it anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use pteron_ops::{Accuracy, Body, OpDef, catalogue};
use pteron_pte::Blob;
use pteron_pte::delegate::Delegate;
use pteron_runtime::survey::survey;
use pteron_runtime::{Caps, Program};

/// The operators that property tests run, which a test of theirs keeps up to date.
const PROPERTIES: &str = include_str!("../../runtime/tests/properties/operators.txt");

#[derive(Default)]
struct Evidence {
    types: BTreeSet<&'static str>,
    ranks: BTreeSet<usize>,
    dynamic: bool,
    kernels: BTreeSet<&'static str>,
    cases: BTreeSet<PathBuf>,
}

/// Operators in a program's delegates that leave nothing in a graph.
fn without_trace(path: &Path, method: &str) -> BTreeSet<&'static str> {
    let bytes = std::fs::read(path).expect("fixtures are readable");
    let file = match pteron_pte::bundle::Bundle::parse(&bytes) {
        Ok(bundle) => bundle.program().to_vec(),
        Err(_) => bytes,
    };
    let program = pteron_pte::Program::parse(&file, file.len() as u64).expect("fixtures parse");
    let method = program.method(method).expect("fixtures parse").expect("the method is there");
    let mut names = BTreeSet::new();
    for index in 0u32.. {
        let Ok(delegate) = method.delegate(index) else { break };
        let data = match &delegate.data {
            Blob::Inline(bytes) => bytes,
            Blob::File(range) => {
                let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).expect("a small file"));
                &file[start..end]
            }
        };
        if !Delegate::is(data) {
            continue;
        }
        for node in Delegate::parse(data).expect("fixtures parse").nodes() {
            let op = catalogue::lookup(node.expect("fixtures parse").name);
            names.extend(op.filter(|op| matches!(op.body, Body::Nothing)).map(|op| op.name));
        }
    }
    names
}

fn evidence(root: &Path) -> BTreeMap<&'static str, Evidence> {
    let mut caps = Caps::webgpu_minimum();
    caps.f16 = true;
    let mut found: BTreeMap<_, Evidence> = BTreeMap::new();
    for case in pteron_testkit::discover(&root.join("fixtures")).expect("fixtures are readable") {
        if case.rejected.is_some() {
            continue;
        }
        for name in without_trace(&case.program, &case.method) {
            found.entry(name).or_default().cases.insert(case.path.clone());
        }
        let mut program = Program::open(&case.program).expect("fixtures open");
        for data in &case.data {
            program = program.with_data(data).expect("fixtures open");
        }
        let uses = pteron_runtime::block_on(survey(&program, &case.method, &caps)).expect("fixtures lower");
        for seen in uses {
            let entry = found.entry(seen.op).or_default();
            entry.types.extend(seen.types.iter().map(|dtype| dtype.name()));
            entry.ranks.extend(seen.ranks);
            entry.dynamic |= seen.dynamic;
            entry.kernels.extend(seen.kernels);
            entry.cases.insert(case.path.clone());
        }
    }
    found
}

fn joined<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<_> = items.into_iter().map(|item| item.to_string()).collect();
    if items.is_empty() { "–".to_owned() } else { items.join(", ") }
}

fn ranks(ranks: &BTreeSet<usize>) -> String {
    match (ranks.first(), ranks.last()) {
        (Some(least), Some(most)) if least == most => least.to_string(),
        (Some(least), Some(most)) => format!("{least}–{most}"),
        _ => "–".to_owned(),
    }
}

/// Operators that property tests run.
fn properties() -> BTreeSet<&'static str> {
    PROPERTIES.lines().collect()
}

fn page(found: &BTreeMap<&'static str, Evidence>) -> String {
    let (none, properties) = (Evidence::default(), properties());
    let property = |op: &OpDef| if properties.contains(op.name) { "yes" } else { "–" };
    let mut page = String::from(
        "# Operators\n\n\
         Made from the catalogue, the fixtures and the property tests by\n\
         `UPDATE_DOCS=1 cargo test -p pteron-testkit --test operators`.\n\n\
         Every operator below runs on the GPU and on the reference engine. Types and ranks are those that fixtures use,\n\
         with expected values from eager PyTorch; property tests compare the two engines over more of both. Kernels are\n\
         those that the fixtures dispatch; an operator without one is a view, or is computed on the host. Operators\n\
         without a case are those that the exporter never delegates in a form of their own: it rewrites them, keeps them\n\
         outside the delegate, or cannot serialize them (`tools/export/README.md` says which). Each has a property test,\n\
         and a test sees to it that each operator has one or a case.\n\n\
         | operator | outside the delegate | types | ranks | dynamic | kernels | cases | property | accuracy |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    let own = |op: &&OpDef| op.is_made_here();
    let delegated = |op: &&OpDef| !matches!(op.body, Body::Host(_) | Body::Number(_)) && !own(op);
    let mut ops: Vec<_> = catalogue::all().filter(delegated).collect();
    ops.sort_by_key(|op| op.name);
    for op in &ops {
        let seen = found.get(op.name).unwrap_or(&none);
        let accuracy = match op.accuracy {
            Accuracy::Exact => "exact",
            Accuracy::Rounded => "rounded",
            Accuracy::Approximate => "approximate",
            Accuracy::Accumulated => "accumulated",
            Accuracy::Step => "one step",
        };
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} | {} | {} | {} | {accuracy} |",
            op.name,
            op.portable.map_or("–".to_owned(), |name| format!("`{name}`")),
            joined(&seen.types),
            ranks(&seen.ranks),
            if seen.dynamic { "yes" } else { "–" },
            joined(&seen.kernels),
            seen.cases.len(),
            property(op),
        );
    }
    page.push_str(
        "\n## Made here\n\n\
         Operators that no program names: passes over a graph put them in the place of several others, or nodes of XNNPACK\n\
         become them. Each has a property test.\n\n",
    );
    let mut made: Vec<_> = catalogue::all().filter(own).map(|op| op.name).collect();
    made.sort_unstable();
    for name in &made {
        let _ = writeln!(page, "- `{name}`");
    }
    page.push_str(
        "\n## Outside the delegate only\n\n\
         Operators that the exporter leaves to portable kernels, on the host.\n\n\
         | operator | types | ranks | cases | property |\n|---|---|---|---|---|\n",
    );
    let mut host: Vec<_> = catalogue::all().filter(|op| matches!(op.body, Body::Host(_) | Body::Number(_))).collect();
    host.sort_by_key(|op| op.name);
    for op in &host {
        let seen = found.get(op.name).unwrap_or(&none);
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} |",
            op.name,
            joined(&seen.types),
            ranks(&seen.ranks),
            seen.cases.len(),
            property(op)
        );
    }
    let _ = write!(
        page,
        "\nIn all {} operators of delegates and {} others.\n\n\
         Accuracy of the GPU against the reference: *exact* to the last bit, *rounded* within a few roundings, \
         *approximate* within those of\na polynomial, *accumulated* within those of a long sum, *one step* of an integer \
         result.\n",
        ops.len(),
        host.len()
    );
    page
}

#[test]
fn every_operator_is_exercised_and_in_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("docs/operators.md");
    let (found, properties) = (evidence(&root), properties());
    let exercised = |op: &&OpDef| found.contains_key(op.name) || properties.contains(op.name);
    let missing: Vec<_> = catalogue::all().filter(|op| !exercised(op)).map(|op| op.name).collect();
    assert!(missing.is_empty(), "neither a fixture nor a property test runs {missing:?}");
    let page = page(&found);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, page).expect("the table can be written");
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == page,
        "docs/operators.md is out of date: UPDATE_DOCS=1 cargo test -p pteron-testkit --test operators"
    );
}
