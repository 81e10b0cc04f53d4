//! Results on standard output: lines for people, or one JSON document.

use std::fmt;
use std::io::Write as _;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

/// Standard output, and which of its two forms was asked for.
#[derive(Debug)]
pub(crate) struct Output {
    stdout: std::io::Stdout,
    json: bool,
}

impl Output {
    pub(crate) fn new(json: bool) -> Output {
        Output { stdout: std::io::stdout(), json }
    }

    /// Writes one line, for people only.
    pub(crate) fn line(&mut self, text: impl fmt::Display) -> Result<()> {
        if !self.json {
            writeln!(self.stdout, "{text}")?;
        }
        Ok(())
    }

    /// Writes text as it comes, for people only.
    pub(crate) fn text(&mut self, text: &str) -> Result<()> {
        if !self.json && !text.is_empty() {
            self.stdout.write_all(text.as_bytes())?;
            self.stdout.flush()?;
        }
        Ok(())
    }

    /// Writes what another program reads, in either form.
    pub(crate) fn verbatim(&mut self, bytes: &[u8]) -> Result<()> {
        self.stdout.write_all(bytes)?;
        Ok(self.stdout.flush()?)
    }

    /// Whether one JSON document was asked for.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Writes the rows of a table, for people only.
    pub(crate) fn table(&mut self, table: &Table) -> Result<()> {
        if !self.json {
            write!(self.stdout, "{table}")?;
        }
        Ok(())
    }

    /// Writes the whole result, where JSON was asked for.
    pub(crate) fn document(&mut self, result: &impl Serialize) -> Result<()> {
        if self.json {
            serde_json::to_writer_pretty(&mut self.stdout, result).map_err(std::io::Error::from)?;
            writeln!(self.stdout)?;
        }
        Ok(())
    }
}

/// Writes one line on standard error, for what is no result.
pub(crate) fn note(text: impl fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Rows whose columns line up. A column is right-aligned where its heading says so with a leading `>`.
#[derive(Debug, Default)]
pub(crate) struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    indent: usize,
}

impl Table {
    /// A table with these headings; with none that has text, they are left out.
    pub(crate) fn new(headings: &[&'static str]) -> Table {
        Table { headings: headings.to_vec(), rows: Vec::new(), indent: 2 }
    }

    /// Sets how many spaces each line begins with.
    pub(crate) fn indent(mut self, indent: usize) -> Table {
        self.indent = indent;
        self
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headings.iter().map(|name| name.trim_start_matches('>').to_owned()).collect();
        let shown = names.iter().any(|name| !name.is_empty()).then_some(&names);
        let width = |column: usize| {
            let cells = shown.into_iter().chain(&self.rows).filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..names.len()).map(width).collect();
        for row in shown.into_iter().chain(&self.rows) {
            let mut line = " ".repeat(self.indent);
            for ((cell, &width), heading) in row.iter().zip(&widths).zip(&self.headings) {
                line +=
                    &if heading.starts_with('>') { format!("{cell:>width$}  ") } else { format!("{cell:<width$}  ") };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A number of bytes in the unit that suits it.
pub(crate) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let (mut value, mut unit) = (bytes as f64 / 1024.0, 0);
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// A time in the unit that suits it.
pub(crate) fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1e-3 => format!("{:.1} µs", seconds * 1e6),
        seconds if seconds < 1.0 => format!("{:.2} ms", seconds * 1e3),
        seconds => format!("{seconds:.2} s"),
    }
}

/// A time as JSON has it.
pub(crate) fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// A time as JSON has it where nobody looks closer.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// `1 node`, `2 nodes`.
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// `1 GPU launch`, `2 GPU launches`.
pub(crate) fn launches(number: u64) -> String {
    format!("{number} GPU launch{}", if number == 1 { "" } else { "es" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["name", ">bytes"]);
        table.row(["a".to_owned(), "1".to_owned()]);
        table.row(["µs".to_owned(), "1000".to_owned()]);
        assert_eq!(table.to_string(), "  name  bytes\n  a         1\n  µs     1000\n");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!([bytes(1023), bytes(1536), bytes(1 << 40)], ["1023 B", "1.5 KiB", "1.0 TiB"]);
        assert_eq!(duration(Duration::from_nanos(1500)), "1.5 µs");
        assert_eq!(duration(Duration::from_millis(1500)), "1.50 s");
        assert_eq!([count(1, "node"), count(0, "node")], ["1 node", "0 nodes"]);
    }
}
