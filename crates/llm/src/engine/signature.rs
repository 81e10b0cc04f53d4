//! What a language model's method takes and gives.

use pteron_runtime::{DType, HostTensor, Spec};

use crate::error::{Error, Result};

/// What the method takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(super) tokens: DType,
    pub(super) position: DType,
    /// The most tokens in one call.
    pub(crate) chunk: usize,
    pub(crate) vocabulary: usize,
}

/// The logits after the last token of a call.
#[derive(Clone, Debug)]
pub(crate) struct Logits(HostTensor);

impl Logits {
    pub(super) fn last(tensor: &HostTensor, vocabulary: usize) -> Result<Logits> {
        if tensor.numel() < vocabulary {
            return Err(Error::Program(format!("it gave {} logits for {vocabulary} tokens", tensor.numel())));
        }
        let tensor = if tensor.dtype() == DType::F32 { tensor.clone() } else { tensor.cast(DType::F32) };
        if tensor.numel() == vocabulary {
            return Ok(Logits(tensor));
        }
        // A program may give the logits after every token; the last count.
        let all = tensor.as_slice::<f32>().map_err(pteron_runtime::Error::from)?;
        let last = all.get(all.len().saturating_sub(vocabulary)..).unwrap_or_default();
        Ok(Logits(HostTensor::from_slice(last, &[last.len()]).map_err(pteron_runtime::Error::from)?))
    }

    pub(crate) fn as_slice(&self) -> &[f32] {
        self.0.as_slice().unwrap_or_default()
    }
}

impl Signature {
    /// Checks that a method is what `export_llama` makes with a key-value cache.
    pub(super) fn of(inputs: &[Spec], outputs: &[Spec]) -> Result<Signature> {
        let wrong = |text: String| Err(Error::Program(text));
        let (tokens, position) = match inputs {
            [tokens, position] => (tokens, position),
            [_] => {
                return wrong(
                    "it takes tokens and no position, so it has no key-value cache: export it with -kv".to_owned(),
                );
            }
            _ => return wrong(format!("it takes {} inputs, expected tokens and a position", inputs.len())),
        };
        let (tokens, chunk) = match tokens {
            Spec::Tensor { dtype, shape, dynamic } if is_integer(*dtype) && shape.rank() == 2 && shape[0] == 1 => {
                if !dynamic && shape[1] > 1 {
                    return wrong(format!(
                        "it takes exactly {} tokens a call: export it with dynamic shapes, or for one token",
                        shape[1]
                    ));
                }
                (*dtype, shape[1])
            }
            other => return wrong(format!("its first input is {other:?}, expected tokens as integers [1, n]")),
        };
        let position = match position {
            Spec::Tensor { dtype, shape, .. } if is_integer(*dtype) && shape.numel() == 1 && shape.rank() == 1 => {
                *dtype
            }
            other => return wrong(format!("its second input is {other:?}, expected a position as one integer")),
        };
        let vocabulary = match outputs.first() {
            Some(Spec::Tensor { dtype, shape, .. }) if dtype.is_float() => shape.last().copied().unwrap_or(0),
            other => return wrong(format!("its first output is {other:?}, expected logits")),
        };
        if vocabulary == 0 || chunk == 0 {
            return wrong("it has no room for tokens".to_owned());
        }
        Ok(Signature { tokens, position, chunk, vocabulary })
    }
}

fn is_integer(dtype: DType) -> bool {
    matches!(dtype, DType::I64 | DType::I32)
}

#[cfg(test)]
mod tests {
    use pteron_runtime::Shape;

    use super::*;

    fn tensor(dtype: DType, dims: &[usize], dynamic: bool) -> Spec {
        Spec::Tensor { dtype, shape: Shape::new(dims).unwrap(), dynamic }
    }

    #[test]
    fn what_export_llama_makes_is_recognized() {
        let (tokens, position) = (tensor(DType::I64, &[1, 63], true), tensor(DType::I64, &[1], false));
        let logits = tensor(DType::F32, &[1, 512], false);
        let signature = Signature::of(&[tokens.clone(), position.clone()], std::slice::from_ref(&logits)).unwrap();
        assert_eq!((signature.chunk, signature.vocabulary), (63, 512));
        let single = tensor(DType::I64, &[1, 1], false);
        assert_eq!(Signature::of(&[single, position.clone()], std::slice::from_ref(&logits)).unwrap().chunk, 1);

        let fixed = tensor(DType::I64, &[1, 8], false);
        let float = tensor(DType::F32, &[1, 8], true);
        for (inputs, expected) in [
            (vec![tokens.clone()], "export it with -kv"),
            (vec![], "takes 0 inputs"),
            (vec![fixed, position.clone()], "exactly 8 tokens"),
            (vec![float, position], "expected tokens"),
            (vec![tokens.clone(), tokens], "expected a position"),
        ] {
            let error = Signature::of(&inputs, std::slice::from_ref(&logits)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn the_last_of_several_rows_counts() {
        let rows = HostTensor::from_slice(&[1f32, 2.0, 3.0, 4.0], &[1, 2, 2]).unwrap();
        assert_eq!(Logits::last(&rows, 2).unwrap().as_slice(), [3.0, 4.0]);
    }
}
