//! Expressions where there is no browser: by a library, bounded in memory and in time.

use std::ops::Range;

use fancy_regex::RegexBuilder;

/// Bytes that each part of an expression may take when it is compiled.
const COMPILED_BYTES: usize = 4 << 20;

/// Instructions that it may have where it needs backtracking.
const INSTRUCTIONS: usize = 100_000;

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Compiled(Box<fancy_regex::Regex>);

impl Compiled {
    pub(super) fn new(expression: &str) -> Result<Compiled, String> {
        let mut builder = RegexBuilder::new(expression);
        builder.delegate_size_limit(COMPILED_BYTES).max_prog_size(INSTRUCTIONS);
        builder.delegate_dfa_skip_cache_capacity_check(false);
        Ok(Compiled(Box::new(builder.build().map_err(|error| error.to_string())?)))
    }

    /// Where it is found, from left to right and without overlap.
    pub(super) fn find(&self, text: &str) -> impl Iterator<Item = Result<Range<usize>, String>> {
        self.0.find_iter(text).map(|found| Ok(found.map_err(|error| error.to_string())?.range()))
    }
}
