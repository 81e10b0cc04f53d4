//! `sym_size.int`: the size of a dimension.

use crate::catalogue::OpDef;
use crate::sym::SymOp;

pub(crate) const OPS: &[OpDef] = &[OpDef::symbolic("sym_size.int", SymOp::Size)];
