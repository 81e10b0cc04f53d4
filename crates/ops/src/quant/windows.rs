//! Tables larger than one binding, in windows of rows.

use crate::caps::Caps;
use crate::error::{OpError, Result};
use crate::plan::Tensor;

/// The most rows of which each of the tables fits one binding and starts where a binding may. The tables have `rows`
/// rows each; the last window may be shorter.
pub(crate) fn window_rows(rows: usize, tables: &[&Tensor], caps: &Caps) -> Result<usize> {
    let mut window = rows as u64;
    let mut step = 1;
    for table in tables {
        let row_bytes = table.bytes() / (rows as u64).max(1);
        if row_bytes == 0 {
            continue;
        }
        window = window.min(caps.max_binding_bytes / row_bytes);
        let aligned = caps.offset_alignment / gcd(caps.offset_alignment, row_bytes);
        step = step / gcd(step, aligned) * aligned;
    }
    if window < rows as u64 {
        window -= window % step;
    }
    if window == 0 && rows > 0 {
        return Err(OpError::Limit(format!("no row fits a binding of {} bytes", caps.max_binding_bytes)));
    }
    Ok(usize::try_from(window).unwrap_or(rows).max(1))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}
