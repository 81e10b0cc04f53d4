//! Set-up and checks of the workspace: `cargo xtask <command>`.

use std::env;
use std::path::Path;

use anyhow::{Result, bail};

mod schema;

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["schema"] => schema::run(&root, false),
        ["schema", "--check"] => schema::run(&root, true),
        _ => bail!("usage: cargo xtask schema [--check]"),
    }
}
