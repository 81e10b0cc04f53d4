//! What a program says about itself: methods without inputs that return constants.

use pteron_runtime::{Device, Program, Value};

use crate::error::Result;

/// What the exporter wrote into the program; all of it may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Metadata {
    /// Tokens that the context holds.
    pub(crate) context: Option<usize>,
    pub(crate) vocabulary: Option<usize>,
    pub(crate) beginning: Option<u32>,
    pub(crate) ends: Vec<u32>,
    /// Whether the program keeps keys and values between calls.
    pub(crate) cache: Option<bool>,
}

impl Metadata {
    pub(crate) async fn read(program: &Program) -> Result<Metadata> {
        let constants = Constants { names: program.methods()?, program: program.clone().on(&Device::cpu()) };
        let context = match constants.size("get_max_context_len").await? {
            Some(context) => Some(context),
            None => constants.size("get_max_seq_len").await?,
        };
        let ids = |values: Vec<i64>| values.into_iter().filter_map(|id| u32::try_from(id).ok()).collect::<Vec<_>>();
        let mut ends = ids(constants.integers("get_eos_ids").await?);
        if ends.is_empty() {
            ends = ids(constants.integers("get_eos_id").await?);
        }
        Ok(Metadata {
            context,
            vocabulary: constants.size("get_vocab_size").await?,
            beginning: ids(constants.integers("get_bos_id").await?).first().copied(),
            ends,
            cache: constants.integers("use_kv_cache").await?.first().map(|&flag| flag != 0),
        })
    }
}

/// Constant methods, by name.
struct Constants {
    program: Program,
    names: Vec<String>,
}

impl Constants {
    /// All integers that a method returns; none where the program has no such method.
    async fn integers(&self, name: &str) -> Result<Vec<i64>> {
        if !self.names.iter().any(|known| known == name) {
            return Ok(Vec::new());
        }
        let mut method = self.program.method_async(name).await?;
        if !method.inputs().is_empty() {
            return Ok(Vec::new());
        }
        let outputs = method.run_async(&[]).await?;
        let integers = |value: &Value| match value {
            Value::Tensor(tensor) if !tensor.dtype().is_float() => tensor.to_i64s(),
            other => other.int().into_iter().collect(),
        };
        Ok(outputs.iter().flat_map(integers).collect())
    }

    /// The first integer of a method, where it is a size.
    async fn size(&self, name: &str) -> Result<Option<usize>> {
        let first = self.integers(name).await?.first().copied();
        Ok(first.and_then(|size| usize::try_from(size).ok()).filter(|&size| size > 0))
    }
}
