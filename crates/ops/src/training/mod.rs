//! What training on the device needs beyond inference: a loss, gradients through 4-bit weights, an optimizer.

pub(crate) mod adamw_step;
pub(crate) mod fused_ce;
pub(crate) mod linear_q4gsw_backward;
pub(crate) mod q4gsw_requant;
