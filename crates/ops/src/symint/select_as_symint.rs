//! `et_vk.select_as_symint`: an element of an integer input, read on the host.

use crate::catalogue::OpDef;
use crate::sym::SymOp;

pub(crate) const OPS: &[OpDef] = &[OpDef::symbolic("et_vk.select_as_symint.default", SymOp::Element)];
