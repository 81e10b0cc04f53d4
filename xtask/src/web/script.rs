//! JavaScript without what only its readers need: every page that uses the package downloads it.

/// A script without lines of comment, blank lines and indentation. Comments behind code stay.
pub(crate) fn without_comments(script: &str) -> String {
    let (mut out, mut within) = (String::with_capacity(script.len()), false);
    for line in script.lines().map(str::trim) {
        let comment = within || line.starts_with("/*") || line.starts_with("//");
        within = (within || line.starts_with("/*")) && !line.ends_with("*/");
        if !comment && !line.is_empty() {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stays_as_it_is() {
        let script = "// What it is.\n\n/** One\n * of two. */\nconst a = {\n    *b() {}, // c\n    /* d */\n    e: `//f`,\n};\n";
        assert_eq!(without_comments(script), "const a = {\n*b() {}, // c\ne: `//f`,\n};\n");
    }
}
