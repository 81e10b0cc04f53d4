//! Arithmetic on symbolic integers, and comparisons of them, which give 1 or 0.

use crate::catalogue::OpDef;
use crate::sym::SymOp;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::symbolic("add", SymOp::Binary(i64::checked_add)),
    OpDef::symbolic("eq", SymOp::Binary(|a, b| Some(i64::from(a == b)))),
    OpDef::symbolic("floordiv", SymOp::Binary(floor_div)),
    OpDef::symbolic("ge", SymOp::Binary(|a, b| Some(i64::from(a >= b)))),
    OpDef::symbolic("gt", SymOp::Binary(|a, b| Some(i64::from(a > b)))),
    OpDef::symbolic("le", SymOp::Binary(|a, b| Some(i64::from(a <= b)))),
    OpDef::symbolic("lt", SymOp::Binary(|a, b| Some(i64::from(a < b)))),
    OpDef::symbolic("mul", SymOp::Binary(i64::checked_mul)),
    OpDef::symbolic("sub", SymOp::Binary(i64::checked_sub)),
];

/// Division that rounds towards negative infinity, as Python's.
pub(super) fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Body;

    #[test]
    fn comparisons_give_one_or_zero() {
        for (name, expected) in
            [("eq", [0, 1, 0]), ("ge", [0, 1, 1]), ("gt", [0, 0, 1]), ("le", [1, 1, 0]), ("lt", [1, 0, 0])]
        {
            let op = OPS.iter().find(|op| op.name == name).unwrap();
            let Body::Symbolic(SymOp::Binary(compare)) = op.body else { panic!("{name} compares two numbers") };
            assert_eq!([1, 2, 3].map(|a| compare(a, 2)), expected.map(Some), "{name}");
        }
    }

    #[test]
    fn division_floors() {
        for (a, b, expected) in [(7, 2, Some(3)), (-7, 2, Some(-4)), (7, -2, Some(-4)), (-8, 2, Some(-4)), (1, 0, None)]
        {
            assert_eq!(floor_div(a, b), expected, "{a} // {b}");
        }
        assert_eq!(floor_div(i64::MIN, -1), None);
    }
}
