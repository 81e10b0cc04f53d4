//! What the exporter asserts about its own shapes. It computes nothing, and calls are checked by their shapes anyway.

use crate::catalogue::OpDef;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::nothing("aten._assert_scalar.default"), OpDef::nothing("aten.sym_constrain_range_for_size.default")];
