//! What a language model's method takes and gives.

use pteron_runtime::{DType, HostTensor, Spec};

use crate::error::{Error, Result};

/// The input that takes tokens. The one after it takes their positions.
pub(super) const TOKENS: usize = 0;

/// Which positions a method takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Positions {
    /// That of a call's first token.
    First,
    /// Those of all.
    Each,
}

/// What the method takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(super) token_type: DType,
    pub(super) position_type: DType,
    pub(super) positions: Positions,
    /// The most tokens in one call.
    pub(crate) chunk: usize,
    pub(crate) vocabulary: usize,
    /// The output that holds the logits.
    pub(super) logits: usize,
    /// Whether it holds those after the last token only.
    pub(super) is_one_row: bool,
}

/// What is known about a method beside what it takes and gives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hints {
    /// The output that holds the logits, where the caller says it.
    pub(crate) logits: Option<usize>,
    /// Tokens of the vocabulary, where the program says it.
    pub(crate) vocabulary: Option<usize>,
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
    /// Checks that a method is what `export_llama` makes with a key-value cache, or what `transformers` models become.
    pub(super) fn of(inputs: &[Spec], outputs: &[Spec], hints: Hints) -> Result<Signature> {
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
        let (token_type, chunk) = match tokens {
            Spec::Tensor { dtype, shape, dynamic } if is_integer(*dtype) && shape.rank() == 2 && shape[0] == 1 => {
                if !dynamic && shape[1] > 1 {
                    return wrong(format!(
                        "it takes exactly {} tokens a call: export it with dynamic shapes, or for one token",
                        shape[1]
                    ));
                }
                (*dtype, shape[1])
            }
            other => {
                return wrong(format!("its first input is {}, expected tokens as integers [1, n]", described(other)));
            }
        };
        let (position_type, positions) = match position {
            Spec::Tensor { dtype, shape, .. } if is_integer(*dtype) && shape.dims() == [1] => {
                (*dtype, Positions::First)
            }
            Spec::Tensor { dtype, shape, dynamic: true }
                if is_integer(*dtype) && shape.rank() == 1 && shape.numel() >= chunk =>
            {
                (*dtype, Positions::Each)
            }
            other => {
                return wrong(format!(
                    "its second input is {}, expected a position as one integer, or one for each token",
                    described(other)
                ));
            }
        };
        let logits = find_logits(outputs, hints).map_err(Error::Program)?;
        let Some(LogitsShape { vocabulary, rows }) = logits_shape(&outputs[logits]) else {
            return wrong(format!("its output {logits} holds no logits"));
        };
        if vocabulary == 0 || chunk == 0 {
            return wrong("it has no room for tokens".to_owned());
        }
        Ok(Signature { token_type, position_type, positions, chunk, vocabulary, logits, is_one_row: rows == 1 })
    }
}

/// How logits lie in an output.
#[derive(Clone, Copy)]
struct LogitsShape {
    vocabulary: usize,
    rows: usize,
}

/// The shape of logits, where an output may hold them.
fn logits_shape(output: &Spec) -> Option<LogitsShape> {
    match output {
        Spec::Tensor { dtype, shape, .. } if dtype.is_float() => {
            let vocabulary = *shape.last()?;
            Some(LogitsShape { vocabulary, rows: shape.numel().checked_div(vocabulary).unwrap_or(0) })
        }
        _ => None,
    }
}

/// The output that holds the logits: the one that the caller names, or the only one that may, by its type and by the size
/// of the vocabulary where that is known.
fn find_logits(outputs: &[Spec], hints: Hints) -> Result<usize, String> {
    let described = |at: usize| format!("{at} ({})", described(&outputs[at]));
    if let Some(at) = hints.logits {
        return match outputs.get(at) {
            None => Err(format!("output {at} is to hold the logits, and it has {}", outputs.len())),
            Some(output) if logits_shape(output).is_none() => {
                Err(format!("output {} is to hold the logits, and is no tensor of floats", described(at)))
            }
            Some(_) => Ok(at),
        };
    }
    let mut found: Vec<usize> = (0..outputs.len()).filter(|&at| logits_shape(&outputs[at]).is_some()).collect();
    let has_vocabulary = |at: &usize| {
        let vocabulary = logits_shape(&outputs[*at]).map(|shape| shape.vocabulary);
        vocabulary.is_some() && vocabulary == hints.vocabulary
    };
    if found.iter().any(has_vocabulary) {
        found.retain(has_vocabulary);
    }
    match found[..] {
        [at] => Ok(at),
        [] => {
            let all: Vec<_> = (0..outputs.len()).map(described).collect();
            Err(format!("none of its outputs holds logits: {}", all.join(", ")))
        }
        _ => {
            let all: Vec<_> = found.into_iter().map(described).collect();
            Err(format!("each of these outputs may hold its logits, so say which: {}", all.join(", ")))
        }
    }
}

/// An input or output for a message.
fn described(spec: &Spec) -> String {
    match spec {
        Spec::Tensor { dtype, shape, .. } => format!("{dtype}{shape}"),
        Spec::Other(word) => (*word).to_owned(),
        _ => "something else".to_owned(),
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
        let of = |inputs: &[Spec]| Signature::of(inputs, std::slice::from_ref(&logits), Hints::default());
        let signature = of(&[tokens.clone(), position.clone()]).unwrap();
        assert_eq!((signature.chunk, signature.vocabulary, signature.is_one_row), (63, 512, true));
        assert_eq!(signature.positions, Positions::First);
        let single = tensor(DType::I64, &[1, 1], false);
        assert_eq!(of(&[single, position.clone()]).unwrap().chunk, 1);
        let each = tensor(DType::I64, &[63], true);
        assert_eq!(of(&[tokens.clone(), each]).unwrap().positions, Positions::Each);
        let too_few = of(&[tokens.clone(), tensor(DType::I64, &[62], true)]).unwrap_err().to_string();
        assert!(too_few.contains("one for each token"), "{too_few}");

        let fixed = tensor(DType::I64, &[1, 8], false);
        let float = tensor(DType::F32, &[1, 8], true);
        for (inputs, expected) in [
            (vec![tokens.clone()], "export it with -kv"),
            (vec![], "takes 0 inputs"),
            (vec![fixed, position.clone()], "exactly 8 tokens"),
            (vec![float, position], "expected tokens"),
            (vec![tokens.clone(), tokens], "expected a position"),
        ] {
            let error = of(&inputs).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn logits_are_found_among_several_outputs_or_must_be_named() {
        let inputs = [tensor(DType::I64, &[1, 63], true), tensor(DType::I64, &[1], false)];
        let (count, hidden) = (tensor(DType::I64, &[1], false), tensor(DType::F32, &[1, 63, 64], true));
        let (logits, every) = (tensor(DType::F32, &[1, 512], false), tensor(DType::F32, &[1, 63, 512], true));
        let find = |outputs: &[&Spec], logits: Option<usize>, vocabulary: Option<usize>| {
            let outputs: Vec<Spec> = outputs.iter().map(|&output| output.clone()).collect();
            let found = Signature::of(&inputs, &outputs, Hints { logits, vocabulary });
            found.map(|found| (found.logits, found.vocabulary, found.is_one_row)).map_err(|error| error.to_string())
        };
        assert_eq!(find(&[&count, &logits], None, None), Ok((1, 512, true)));
        assert_eq!(find(&[&hidden, &logits], None, Some(512)), Ok((1, 512, true)));
        assert_eq!(find(&[&every, &hidden], None, Some(512)), Ok((0, 512, false)));
        // A vocabulary that no output has does not rule out the only one.
        assert_eq!(find(&[&logits], None, Some(500)), Ok((0, 512, true)));
        assert_eq!(find(&[&hidden, &logits], Some(1), None), Ok((1, 512, true)));
        for (outputs, named, vocabulary, expected) in [
            (&[&hidden, &logits][..], None, None, "say which: 0 (f32[1, 63, 64]), 1 (f32[1, 512])"),
            (&[&logits, &every], None, Some(512), "say which: 0 (f32[1, 512]), 1 (f32[1, 63, 512])"),
            (&[&hidden, &logits], None, Some(500), "say which"),
            (&[&count], None, None, "none of its outputs holds logits: 0 (i64[1])"),
            (&[], None, None, "none of its outputs"),
            (&[&logits], Some(1), None, "output 1 is to hold the logits, and it has 1"),
            (&[&count, &logits], Some(0), None, "is no tensor of floats"),
        ] {
            let error = find(outputs, named, vocabulary).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn the_last_of_several_rows_counts() {
        let rows = HostTensor::from_slice(&[1f32, 2.0, 3.0, 4.0], &[1, 2, 2]).unwrap();
        assert_eq!(Logits::last(&rows, 2).unwrap().as_slice(), [3.0, 4.0]);
    }
}
