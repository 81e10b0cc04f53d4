//! Which operators the properties exercise: `operators.txt`, which the table of operators is made from.
//!
//! `UPDATE_DOCS=1 cargo test -p pteron-runtime --test properties operators` writes it anew.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::{Properties, operators_of};
use crate::{
    attention, bytes, chain, conv, curves, embedding, fused, host, index, llama, matmul, norm, numbers, pointwise,
    pool, quant, recurrent, reduce, sampling, shape, training,
};

const LISTED: &str = include_str!("operators.txt");

/// Cases of a property in which each of its operators must have run.
const CASES: u32 = 8;

fn properties() -> impl Iterator<Item = (fn(), BTreeSet<&'static str>)> {
    const MODULES: [Properties; 21] = [
        attention::PROPERTIES,
        bytes::PROPERTIES,
        chain::PROPERTIES,
        conv::PROPERTIES,
        curves::PROPERTIES,
        embedding::PROPERTIES,
        fused::PROPERTIES,
        host::PROPERTIES,
        index::PROPERTIES,
        llama::PROPERTIES,
        matmul::PROPERTIES,
        norm::PROPERTIES,
        numbers::PROPERTIES,
        pointwise::PROPERTIES,
        pool::PROPERTIES,
        quant::PROPERTIES,
        recurrent::PROPERTIES,
        reduce::PROPERTIES,
        sampling::PROPERTIES,
        shape::PROPERTIES,
        training::PROPERTIES,
    ];
    let rows = MODULES.into_iter().flatten();
    rows.map(|(property, groups)| (*property, groups.iter().copied().flatten().copied().collect()))
}

/// A property that refuses what it should run, or runs nothing, would be found here.
#[test]
fn properties_run_the_operators_that_they_are_listed_with() {
    for (property, listed) in properties() {
        assert_eq!(operators_of(property, CASES), listed);
    }
}

#[test]
fn the_list_of_operators_is_up_to_date() {
    let operators: BTreeSet<_> = properties().flat_map(|(_, operators)| operators).collect();
    let list: String = operators.into_iter().flat_map(|name| [name, "\n"]).collect();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/properties/operators.txt");
        std::fs::write(path, list).expect("the list can be written");
        return;
    }
    assert!(LISTED == list, "operators.txt is out of date: see the top of this file");
}
