//! The list of every operator.

use pteron_tensor::HostTensor;

use crate::args::Args;
use crate::error::{OpError, Result};
use crate::eval::{Eval, Number};
use crate::plan::PlanContext;
use crate::sym::SymOp;
use crate::{
    attention, conv, fused, index, matmul, norm, pointwise, pool, quant, reduce, sampling, shape, symint, training,
    transform,
};

/// An operator: its names and what it does.
#[derive(Debug)]
pub struct OpDef {
    /// The name in a delegate's graph: `aten.flip.default`.
    pub name: &'static str,
    /// The name of the portable kernel that the exporter leaves outside the delegate: `aten::flip.out`.
    pub portable: Option<&'static str>,
    /// What it does.
    pub body: Body,
    /// How closely the GPU follows the reference.
    pub accuracy: Accuracy,
    /// The argument whose element type the output has, where what the exporter declares is not to be relied on.
    pub typed_like: Option<usize>,
    /// The arguments that it changes in place: caches, and parameters in training.
    pub writes: &'static [usize],
}

/// What an operator does.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// Tensors to tensors, on the GPU and in plain Rust.
    Tensor {
        /// Arguments and shapes to dispatches.
        plan: fn(&mut PlanContext<'_>) -> Result<()>,
        /// The same in plain Rust.
        reference: fn(&mut Eval<'_>) -> Result<()>,
    },
    /// A symbolic integer, on the host.
    Symbolic(SymOp),
    /// Nothing: a graph is the same without it.
    Nothing,
    /// A portable kernel only, on the host.
    Host(fn(&mut Eval<'_>) -> Result<()>),
    /// A portable kernel that gives a number, on the host.
    Number(fn(&Args<'_, HostTensor>) -> Result<Number>),
}

/// How closely the GPU follows the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accuracy {
    /// To the last bit: copies and integer arithmetic.
    Exact,
    /// A few roundings per element.
    Rounded,
    /// A function that the GPU approximates by a polynomial.
    Approximate,
    /// A sum of many products, in another order than the reference's.
    Accumulated,
    /// One step of an integer result: a float that lies on the edge between two may be rounded to either.
    Step,
}

impl Accuracy {
    /// The largest relative error of one element, in units of the type's precision, and of the largest term.
    pub fn tolerance(self) -> pteron_tensor::Tolerance {
        match self {
            Accuracy::Exact => pteron_tensor::Tolerance::EXACT,
            Accuracy::Rounded => pteron_tensor::Tolerance { atol: 1e-6, rtol: 1e-6 },
            Accuracy::Approximate => pteron_tensor::Tolerance { atol: 2e-6, rtol: 5e-6 },
            Accuracy::Accumulated => pteron_tensor::Tolerance { atol: 1e-5, rtol: 1e-5 },
            Accuracy::Step => pteron_tensor::Tolerance { atol: 1.0, rtol: 0.0 },
        }
    }
}

impl OpDef {
    const fn new(name: &'static str, portable: Option<&'static str>, body: Body) -> OpDef {
        OpDef { name, portable, body, accuracy: Accuracy::Exact, typed_like: None, writes: &[] }
    }

    pub(crate) const fn tensor(
        name: &'static str,
        plan: fn(&mut PlanContext<'_>) -> Result<()>,
        reference: fn(&mut Eval<'_>) -> Result<()>,
    ) -> OpDef {
        OpDef::new(name, None, Body::Tensor { plan, reference })
    }

    /// An operator that only passes put into graphs. The reference engine runs graphs as they were written, so its reference is
    /// for tests and diagnoses, and pages do not have it.
    pub(crate) const fn fused(
        name: &'static str,
        plan: fn(&mut PlanContext<'_>) -> Result<()>,
        reference: fn(&mut Eval<'_>) -> Result<()>,
    ) -> OpDef {
        let absent: fn(&mut Eval<'_>) -> Result<()> = |_| Err(OpError::Unsupported("a reference in a page".to_owned()));
        OpDef::tensor(name, plan, if cfg!(target_arch = "wasm32") { absent } else { reference })
    }

    pub(crate) const fn symbolic(name: &'static str, op: SymOp) -> OpDef {
        OpDef::new(name, None, Body::Symbolic(op))
    }

    pub(crate) const fn nothing(name: &'static str) -> OpDef {
        OpDef::new(name, None, Body::Nothing)
    }

    pub(crate) const fn host(name: &'static str, reference: fn(&mut Eval<'_>) -> Result<()>) -> OpDef {
        OpDef::new(name, Some(name), Body::Host(reference))
    }

    pub(crate) const fn number(name: &'static str, compute: fn(&Args<'_, HostTensor>) -> Result<Number>) -> OpDef {
        OpDef::new(name, Some(name), Body::Number(compute))
    }

    pub(crate) const fn accuracy(self, accuracy: Accuracy) -> OpDef {
        OpDef { accuracy, ..self }
    }

    pub(crate) const fn typed_like(self, argument: usize) -> OpDef {
        OpDef { typed_like: Some(argument), ..self }
    }

    pub(crate) const fn portable(self, name: &'static str) -> OpDef {
        OpDef { portable: Some(name), ..self }
    }

    /// Declares the arguments that it changes in place. A plan or reference that changes another is refused.
    pub(crate) const fn writes(self, arguments: &'static [usize]) -> OpDef {
        OpDef { writes: arguments, ..self }
    }

    /// Whether it does no more than give its results, so that nothing is lost with it where nobody reads them.
    pub fn is_pure(&self) -> bool {
        self.writes.is_empty()
    }

    /// Whether no file names it: a pass over a graph, or the runtime, puts it there.
    pub fn is_made_here(&self) -> bool {
        self.name.starts_with("pteron.")
    }

    /// Whether the result depends on the order in which memory holds the elements, not on their coordinates alone.
    pub fn reads_memory_order(&self) -> bool {
        matches!(
            self.portable,
            Some("aten::as_strided_copy.out" | "aten::sym_stride.int" | "executorch_prim::et_view.default")
        )
    }

    /// Whether it looks at the sizes of its tensors only, so that nobody needs to know their elements.
    pub fn reads_shapes_only(&self) -> bool {
        matches!(self.portable, Some("aten::sym_numel" | "aten::sym_size.int" | "aten::sym_stride.int"))
    }

    /// Whether the result is drawn at random.
    pub fn is_random(&self) -> bool {
        matches!(
            self.portable,
            Some("aten::rand.out" | "aten::randn.out" | "aten::randperm.out" | "aten::native_dropout.out")
        )
    }

    /// The reference, where the operator has tensors.
    pub fn reference(&self) -> Option<fn(&mut Eval<'_>) -> Result<()>> {
        match self.body {
            Body::Tensor { reference, .. } | Body::Host(reference) => Some(reference),
            Body::Symbolic(_) | Body::Number(_) | Body::Nothing => None,
        }
    }
}

/// Refuses a change of an argument that the operator does not declare: passes move reads where nothing is declared.
pub(crate) fn check_writes(name: &str, writes: &[usize], argument: usize) -> Result<()> {
    if writes.contains(&argument) {
        return Ok(());
    }
    Err(OpError::Unsupported(format!("{name} changes argument {argument} and does not declare it")))
}

/// Every operator file, family by family, alphabetic within each.
pub static CATALOGUE: &[&[OpDef]] = &[
    attention::apply_rotary_emb::OPS,
    attention::custom_sdpa::OPS,
    attention::gated_delta_rule::OPS,
    attention::heads::OPS,
    attention::rope_attention::OPS,
    attention::sdpa::OPS,
    attention::sdpa_with_kv_cache::OPS,
    attention::update_cache::OPS,
    conv::convolution::OPS,
    conv::convolution_backward::OPS,
    fused::convolution::OPS,
    fused::linear::OPS,
    fused::linear_norm::OPS,
    #[cfg(not(target_arch = "wasm32"))]
    fused::q4_attention::OPS,
    fused::q4_linear::OPS,
    fused::q4_mlp::OPS,
    #[cfg(not(target_arch = "wasm32"))]
    fused::turn::OPS,
    fused::two_layers::OPS,
    index::bucketize::OPS,
    index::copy_index::OPS,
    index::embedding::OPS,
    index::embedding_bag::OPS,
    index::embedding_quantized::OPS,
    index::gather::OPS,
    index::index_put::OPS,
    index::index_select::OPS,
    index::index_tensor::OPS,
    index::masks::OPS,
    index::nonzero::OPS,
    index::scatter::OPS,
    index::scatter_reduce::OPS,
    matmul::hadamard::OPS,
    matmul::linear::OPS,
    matmul::matrices::OPS,
    norm::batch_norm::OPS,
    norm::rms_norm::OPS,
    norm::rows::OPS,
    pointwise::chain::OPS,
    pointwise::clamp_tensor::OPS,
    pointwise::complex::OPS,
    pointwise::copy::OPS,
    pointwise::elementwise::OPS,
    pointwise::fill::OPS,
    pointwise::glu::OPS,
    pointwise::round_decimals::OPS,
    pointwise::where_self::OPS,
    pool::adaptive_pool::OPS,
    pool::avg_pool::OPS,
    pool::grid_sampler_2d::OPS,
    pool::max_pool::OPS,
    pool::max_pool2d_backward::OPS,
    pool::upsample2d::OPS,
    pool::upsample_bilinear2d_aa::OPS,
    quant::bytes_layers::OPS,
    quant::bytes_mean::OPS,
    quant::bytes_pointwise::OPS,
    quant::choose_qparams::OPS,
    quant::dequantize::OPS,
    quant::dynamic_rows::OPS,
    quant::embedding_q4gsw::OPS,
    quant::linear_dq8ca_q4gsw::OPS,
    quant::linear_per_channel::OPS,
    quant::linear_q4gsw::OPS,
    quant::portable::OPS,
    quant::q8ta_conv2d::OPS,
    quant::q8ta_linear::OPS,
    quant::q8ta_pointwise::OPS,
    quant::quantize::OPS,
    reduce::allclose::OPS,
    reduce::any::OPS,
    reduce::best::OPS,
    reduce::distance::OPS,
    reduce::fold::OPS,
    reduce::median::OPS,
    reduce::scan::OPS,
    reduce::softmax::OPS,
    reduce::sort::OPS,
    reduce::variance::OPS,
    sampling::next_token::OPS,
    sampling::random::OPS,
    shape::as_strided_copy::OPS,
    shape::cat::OPS,
    shape::expand_copy::OPS,
    shape::flip::OPS,
    shape::grid_priors::OPS,
    shape::moves::OPS,
    shape::pad::OPS,
    shape::permute_copy::OPS,
    shape::pixel_shuffle::OPS,
    shape::prepack::OPS,
    shape::repeat::OPS,
    shape::select_copy::OPS,
    shape::slice_copy::OPS,
    shape::slice_scatter::OPS,
    shape::split_copy::OPS,
    shape::squeeze_copy::OPS,
    shape::unfold_copy::OPS,
    shape::unsqueeze_copy::OPS,
    shape::view_copy::OPS,
    symint::arithmetic::OPS,
    symint::assertions::OPS,
    symint::portable::OPS,
    symint::select_as_symint::OPS,
    symint::sym_size::OPS,
    training::adamw_step::OPS,
    training::fused_ce::OPS,
    training::linear_q4gsw_backward::OPS,
    training::q4gsw_requant::OPS,
    transform::fourier::OPS,
];

/// Every operator.
pub fn all() -> impl Iterator<Item = &'static OpDef> {
    CATALOGUE.iter().copied().flatten()
}

/// The operator of a delegate's graph with this name. Portable-only operators are not delegated.
pub fn lookup(name: &str) -> Option<&'static OpDef> {
    all().find(|op| op.name == name && !matches!(op.body, Body::Host(_) | Body::Number(_)))
}

/// The operator behind a portable kernel such as `aten::mean.out`.
pub fn lookup_portable(name: &str) -> Option<&'static OpDef> {
    all().find(|op| op.portable == Some(name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_operator_file_is_listed() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let catalogue = std::fs::read_to_string(source.join("catalogue.rs")).unwrap();
        let families = std::fs::read_dir(&source).unwrap().map(|entry| entry.unwrap());
        for family in families.filter(|entry| entry.path().join("mod.rs").exists()) {
            let family = family.file_name().into_string().unwrap();
            for entry in std::fs::read_dir(source.join(&family)).unwrap() {
                let path = entry.unwrap().path();
                let stem = path.file_stem().unwrap().to_str().unwrap();
                if path.extension().is_none_or(|e| e != "rs") {
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                if text.contains("const OPS: &[OpDef]") {
                    assert!(catalogue.contains(&format!("{family}::{stem}::OPS,")), "{family}/{stem} is not listed");
                }
            }
        }
    }

    #[test]
    fn names_are_unique() {
        let names: BTreeSet<_> = all().map(|op| op.name).collect();
        assert_eq!(names.len(), all().count());
    }
}
