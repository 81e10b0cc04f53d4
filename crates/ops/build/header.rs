//! What the `//!` lines at the head of a WGSL file declare.

use crate::preprocess::{Requirements, type_of};

/// A WGSL file, or text that stands for one.
#[derive(Debug)]
pub(crate) struct Source {
    /// The file's name without `.wgsl`.
    pub(crate) name: String,
    /// Where a reader finds it.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// What is wrong with a line, which counts from 1.
    pub(crate) fn error(&self, line: usize, what: impl std::fmt::Display) -> String {
        format!("{}:{line}: {what}", self.path)
    }
}

/// What a file declares.
#[derive(Debug, Default)]
pub(crate) struct Header {
    /// The lines that are for people.
    pub(crate) doc: Vec<String>,
    pub(crate) axes: Vec<Axis>,
    /// Combinations of values that do not occur.
    pub(crate) exceptions: Vec<Clause>,
    pub(crate) requirements: Vec<Requirement>,
    /// Whether it says why every index is in range.
    pub(crate) trusted: bool,
}

/// Something that variants of a kernel differ in. In a module: what it asks of the kernels that import it.
#[derive(Debug)]
pub(crate) struct Axis {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
    /// Whether a kernel without it is as good as one where it is off.
    pub(crate) optional: bool,
    /// Whether its values are the rows of the pointwise tables, whose names are an enum already.
    pub(crate) is_rows: bool,
}

/// Values of axes that all hold, and the line that says so.
#[derive(Debug)]
pub(crate) struct Clause {
    pub(crate) line: usize,
    pub(crate) values: Vec<(String, String)>,
}

/// What a device must have where a clause holds.
#[derive(Debug)]
pub(crate) struct Requirement {
    /// Some of [`FEATURES`].
    pub(crate) features: Vec<String>,
    pub(crate) clause: Clause,
}

/// What a header can require.
pub(crate) const FEATURES: &[&str] = &["f16", "subgroups", "matrix"];

/// What kind of file a header belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Kernel,
    Module,
}

/// The axis values that are rows of the pointwise tables, in the place of a list.
const ROWS: &str = "rows of pointwise";

impl Header {
    /// Reads the header of a file. `rows` are the names of the pointwise rows.
    pub(crate) fn read(source: &Source, kind: Kind, rows: &[String]) -> Result<Header, String> {
        let mut header = Header::default();
        let lines = source.text.lines().map_while(|line| line.strip_prefix("//!"));
        for (line, text) in (1..).zip(lines.map(str::trim)) {
            let fail = |what: String| source.error(line, what);
            let (keyword, rest) = text.split_once(':').unwrap_or(("", text));
            let rest = rest.trim();
            match (kind, keyword) {
                (Kind::Kernel, "variants") | (Kind::Module, "axes" | "optional") => {
                    let axis = Axis::read(line, rest, keyword == "optional", rows).map_err(fail)?;
                    if let Some(other) = header.axes.iter().find(|other| clash(&other.name, &axis.name)) {
                        return Err(fail(format!("axis {} cannot be told from axis {}", axis.name, other.name)));
                    }
                    header.axes.push(axis);
                }
                (Kind::Kernel, "except") => header.exceptions.push(Clause::read(line, rest).map_err(fail)?),
                (_, "requires") => header.requirements.push(Requirement::read(line, rest).map_err(fail)?),
                (Kind::Module, "variants" | "except" | "trusted") | (Kind::Kernel, "axes" | "optional") => {
                    let kind = if kind == Kind::Kernel { "kernel" } else { "module" };
                    return Err(fail(format!("{keyword}: is not for a {kind}")));
                }
                _ => {
                    header.trusted |= keyword == "trusted";
                    header.doc.push(text.to_owned());
                }
            }
        }
        if header.doc.is_empty() && kind == Kind::Kernel {
            return Err(source.error(1, "a kernel opens with `//!`: the formula, and what an invocation owns"));
        }
        Ok(header)
    }

    /// The axis of a name.
    pub(crate) fn axis(&self, name: &str) -> Option<&Axis> {
        self.axes.iter().find(|axis| axis.name == name)
    }
}

/// Whether a test could mean either of two axes.
fn clash(a: &str, b: &str) -> bool {
    let extends = |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    extends(a, b) || extends(b, a)
}

impl Axis {
    /// An axis that a kernel leaves out.
    pub(crate) fn left_out(name: String) -> Axis {
        Axis { line: 1, name, values: vec!["off".to_owned()], optional: true, is_rows: false }
    }

    fn read(line: usize, text: &str, optional: bool, rows: &[String]) -> Result<Axis, String> {
        let (name, values) = text.split_once('=').ok_or("an axis needs `NAME = value | value`")?;
        let name = name.trim();
        if !is_capitals(name) {
            return Err(format!("the name of an axis is in capitals, not {name:?}"));
        }
        let is_rows = values.trim() == ROWS;
        let list = values.split('|').map(|value| value.trim().to_owned());
        let mut values: Vec<String> = if is_rows { rows.to_vec() } else { list.collect() };
        if let Some(value) = values.iter().find(|value| !is_word(value, |c| c.is_ascii_lowercase())) {
            return Err(format!("a value of an axis is in small letters, not {value:?}"));
        }
        if let Some(twice) =
            values.iter().enumerate().find_map(|(i, value)| values[..i].contains(value).then_some(value))
        {
            return Err(format!("axis {name} has the value {twice} twice"));
        }
        if values.iter().all(|value| value == "on" || value == "off") {
            values.sort_unstable();
        } else if optional {
            return Err(format!("axis {name} is optional, so its values are on and off"));
        }
        Ok(Axis { line, name: name.to_owned(), values, optional, is_rows })
    }

    pub(crate) fn has(&self, value: &str) -> bool {
        self.values.iter().any(|known| known == value)
    }

    /// Whether it is on or off, by the operator's choice.
    pub(crate) fn is_switch(&self) -> bool {
        self.values == ["off", "on"]
    }

    /// Whether it is a choice at all.
    pub(crate) fn is_choice(&self) -> bool {
        self.values.len() > 1
    }

    /// Whether its values are element types.
    pub(crate) fn is_element(&self) -> bool {
        self.values.iter().all(|value| type_of(value).is_some())
    }

    /// Whether its values are numbers.
    pub(crate) fn is_number(&self) -> bool {
        self.values.iter().all(|value| value.parse::<u32>().is_ok())
    }
}

/// Whether a name is spelled as those of axes are.
pub(crate) fn is_capitals(name: &str) -> bool {
    is_word(name, |c| c.is_ascii_uppercase())
}

fn is_word(text: &str, letter: impl Fn(char) -> bool) -> bool {
    !text.is_empty() && text.chars().all(|c| letter(c) || c.is_ascii_digit() || c == '_')
}

impl Clause {
    fn read(line: usize, text: &str) -> Result<Clause, String> {
        let value = |pair: &str| {
            let (axis, value) = pair.split_once('=').ok_or_else(|| format!("no `AXIS = value` in {pair:?}"))?;
            Ok((axis.trim().to_owned(), value.trim().to_owned()))
        };
        Ok(Clause { line, values: text.split(',').map(value).collect::<Result<_, String>>()? })
    }

    /// Whether all of it holds.
    pub(crate) fn holds(&self, axes: &[(&str, &str)]) -> bool {
        self.values.iter().all(|(axis, value)| axes.contains(&(axis.as_str(), value.as_str())))
    }
}

impl Requirement {
    fn read(line: usize, text: &str) -> Result<Requirement, String> {
        let (features, clause) = match text.split_once(" where ") {
            Some((features, clause)) => (features, Clause::read(line, clause)?),
            None => (text, Clause { line, values: Vec::new() }),
        };
        let features: Vec<_> = features.split(',').map(|feature| feature.trim().to_owned()).collect();
        match features.iter().find(|feature| !FEATURES.contains(&feature.as_str())) {
            Some(unknown) => Err(format!("{unknown:?} is none of {}", FEATURES.join(", "))),
            None => Ok(Requirement { features, clause }),
        }
    }
}

impl Requirements {
    /// All of these features.
    pub(crate) fn of<'a>(features: impl Iterator<Item = &'a str> + Clone) -> Requirements {
        let has = |feature| features.clone().any(|one| one == feature);
        Requirements { f16: has("f16"), subgroups: has("subgroups"), matrix: has("matrix") }
    }

    pub(crate) fn has(self, feature: &str) -> bool {
        match feature {
            "f16" => self.f16,
            "subgroups" => self.subgroups,
            _ => self.matrix,
        }
    }
}
