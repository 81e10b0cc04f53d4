//! The rows of the pointwise families. `build.rs` reads this file too, to validate every expression.

/// An operator of two tensors that broadcast. The WGSL sees `a`, `b` and `alpha` of type `ACC`.
pub(crate) struct BinaryRow {
    /// The operator's name.
    pub(crate) name: &'static str,
    /// The name of the portable kernel.
    pub(crate) portable: &'static str,
    /// The name of the kernel variant.
    pub(crate) variant: &'static str,
    /// The result as a WGSL expression.
    #[allow(dead_code, reason = "build.rs reads it, the library does not")]
    pub(crate) wgsl: &'static str,
    /// The result for floats.
    pub(crate) float: fn(f64, f64, f64) -> f64,
    /// The result for integers.
    pub(crate) int: fn(i64, i64, i64) -> i64,
}

/// Every operator of two tensors.
pub(crate) const BINARY: &[BinaryRow] = &[
    BinaryRow {
        name: "aten.add.Tensor",
        portable: "aten::add.out",
        variant: "add",
        wgsl: "a + alpha * b",
        float: |a, b, alpha| a + alpha * b,
        int: |a, b, alpha| a.wrapping_add(alpha.wrapping_mul(b)),
    },
    BinaryRow {
        name: "aten.mul.Tensor",
        portable: "aten::mul.out",
        variant: "mul",
        wgsl: "a * b",
        float: |a, b, _| a * b,
        int: |a, b, _| a.wrapping_mul(b),
    },
];
