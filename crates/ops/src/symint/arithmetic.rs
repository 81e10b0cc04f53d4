//! Arithmetic on symbolic integers.

use crate::catalogue::OpDef;
use crate::sym::SymOp;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::symbolic("add", SymOp::Binary(i64::checked_add)),
    OpDef::symbolic("floordiv", SymOp::Binary(floor_div)),
    OpDef::symbolic("mul", SymOp::Binary(i64::checked_mul)),
    OpDef::symbolic("sub", SymOp::Binary(i64::checked_sub)),
];

/// Division that rounds towards negative infinity, as Python's.
fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_floors() {
        for (a, b, expected) in [(7, 2, Some(3)), (-7, 2, Some(-4)), (7, -2, Some(-4)), (-8, 2, Some(-4)), (1, 0, None)]
        {
            assert_eq!(floor_div(a, b), expected, "{a} // {b}");
        }
        assert_eq!(floor_div(i64::MIN, -1), None);
    }
}
