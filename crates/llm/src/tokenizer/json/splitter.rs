//! How a text is cut into words before the model sees them.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;

use super::cut::{Behavior, Cut};
use super::pattern::Pattern;
use super::{growth, kind, steps, unsupported};
use crate::error::Result;
use crate::tokenizer::alphabet::Alphabet;

/// How GPT-2 cuts text.
const GPT2_PATTERN: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";

/// Punctuation, which includes ASCII's symbols.
const PUNCTUATION: &str = r"[\p{P}!-/:-@\[-`{-~]";

/// A stretch of a text, and whether the text begins with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) first: bool,
}

/// A step.
#[derive(Debug)]
pub(super) enum Splitter {
    /// Cuts at the places of a pattern.
    Split(Cut),
    /// Makes characters of bytes, each of which prints, and may put a space before the text.
    Bytes { add_space: bool, cut: Option<Cut> },
    /// Makes marks of spaces, and cuts before them.
    Marks { mark: String, prepend: Prepend, cut: Option<Cut> },
    /// Cuts after so many characters.
    Lengths(usize),
}

/// Before which texts a mark goes, unless they have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prepend {
    Always,
    First,
    Never,
}

/// Reads the steps.
pub(super) fn read(value: &Value) -> Result<Vec<Splitter>> {
    let mut splitters = Vec::new();
    for step in steps(value, "pretokenizers")? {
        splitters.extend(Splitter::read(step)?.ok_or_else(|| unsupported("pre_tokenizer", step))?);
    }
    Ok(splitters)
}

/// The words of a text after all steps. None is empty.
pub(super) fn apply<'a>(splitters: &[Splitter], text: Word<'a>) -> Result<Vec<Word<'a>>> {
    let bytes = text.text.len();
    let mut words = vec![text];
    for splitter in splitters {
        let (mut next, mut total, mut counted) = (Vec::with_capacity(words.len()), 0usize, 0);
        for word in words {
            splitter.apply(word, &mut next)?;
            let made = next.iter().skip(counted).map(|word| word.text.len());
            total = made.fold(total, usize::saturating_add);
            growth::check(bytes, total)?;
            counted = next.len();
        }
        next.retain(|word| !word.text.is_empty());
        words = next;
    }
    Ok(words)
}

impl Splitter {
    /// The steps that stand for one in the file.
    fn read(step: &Value) -> Result<Option<Vec<Splitter>>> {
        let flag = |name: &str, default: bool| step[name].as_bool().unwrap_or(default);
        let regex = |regex: &str, invert, behavior| {
            Ok::<_, crate::error::Error>(Cut { pattern: Pattern::regex(regex)?, invert, behavior })
        };
        Ok(Some(match kind(step) {
            "ByteLevel" => {
                let cut =
                    flag("use_regex", true).then(|| regex(GPT2_PATTERN, false, Behavior::Isolated)).transpose()?;
                vec![Splitter::Bytes { add_space: flag("add_prefix_space", true), cut }]
            }
            "Metaspace" => {
                let Some(mark) = step["replacement"].as_str().filter(|mark| !mark.is_empty()) else { return Ok(None) };
                let cut = flag("split", true).then(|| Cut {
                    pattern: Pattern::Text(mark.to_owned()),
                    invert: false,
                    behavior: Behavior::MergedWithNext,
                });
                vec![Splitter::Marks { mark: mark.to_owned(), prepend: Prepend::read(step), cut }]
            }
            "Split" => match (Pattern::read(&step["pattern"])?, Behavior::read(&step["behavior"])) {
                (Some(pattern), Some(behavior)) => {
                    vec![Splitter::Split(Cut { pattern, invert: flag("invert", false), behavior })]
                }
                _ => return Ok(None),
            },
            "Digits" => {
                let behavior = if flag("individual_digits", false) { Behavior::Isolated } else { Behavior::Contiguous };
                vec![Splitter::Split(regex(r"\p{N}", false, behavior)?)]
            }
            "Whitespace" => vec![Splitter::Split(regex(r"\w+|[^\w\s]+", true, Behavior::Removed)?)],
            "WhitespaceSplit" => vec![Splitter::Split(regex(r"\s", false, Behavior::Removed)?)],
            "Punctuation" => {
                let behavior = Behavior::read(&step["behavior"]).unwrap_or(Behavior::Isolated);
                vec![Splitter::Split(regex(PUNCTUATION, false, behavior)?)]
            }
            "BertPreTokenizer" => vec![
                Splitter::Split(regex(r"\s", false, Behavior::Removed)?),
                Splitter::Split(regex(PUNCTUATION, false, Behavior::Isolated)?),
            ],
            "CharDelimiterSplit" => match step["delimiter"].as_str() {
                Some(delimiter) => vec![Splitter::Split(Cut {
                    pattern: Pattern::Text(delimiter.to_owned()),
                    invert: false,
                    behavior: Behavior::Removed,
                })],
                None => return Ok(None),
            },
            "FixedLength" => match step["length"].as_u64().and_then(|length| usize::try_from(length).ok()) {
                Some(length) if length > 0 => vec![Splitter::Lengths(length)],
                _ => return Ok(None),
            },
            _ => return Ok(None),
        }))
    }

    /// Adds the words that it cuts a word into.
    fn apply<'a>(&self, word: Word<'a>, words: &mut Vec<Word<'a>>) -> Result<()> {
        match self {
            Splitter::Split(cut) => cut.apply(word, words),
            Splitter::Bytes { add_space, cut } => {
                let Word { text, first } = word;
                let text = if *add_space && !text.starts_with(' ') { Cow::Owned(format!(" {text}")) } else { text };
                let from = words.len();
                match cut {
                    Some(cut) => cut.apply(Word { text, first }, words)?,
                    None => words.push(Word { text, first }),
                }
                for word in words.iter_mut().skip(from) {
                    word.text = Cow::Owned(Alphabet::text(word.text.as_bytes()));
                }
                Ok(())
            }
            Splitter::Marks { mark, prepend, cut } => {
                let spaces = word.text.matches(' ').count();
                growth::check(word.text.len(), spaces.saturating_mul(mark.len()))?;
                let mut text = word.text.replace(' ', mark);
                let wanted = *prepend == Prepend::Always || (*prepend == Prepend::First && word.first);
                if wanted && !text.starts_with(mark.as_str()) {
                    text.insert_str(0, mark);
                }
                let word = Word { text: Cow::Owned(text), first: word.first };
                match cut {
                    Some(cut) => cut.apply(word, words),
                    None => {
                        words.push(word);
                        Ok(())
                    }
                }
            }
            Splitter::Lengths(length) => {
                let ends = word.text.char_indices().map(|(at, _)| at).skip(1).enumerate();
                let ends =
                    ends.filter(|(number, _)| number.saturating_add(1).is_multiple_of(*length)).map(|(_, at)| at);
                let mut start = 0;
                let ranges: Vec<_> =
                    ends.chain([word.text.len()]).map(|end| std::mem::replace(&mut start, end)..end).collect();
                words.extend(ranges.into_iter().map(|range| word.part(range)));
                Ok(())
            }
        }
    }
}

impl<'a> Word<'a> {
    pub(super) fn part(&self, range: Range<usize>) -> Word<'a> {
        let first = self.first && range.start == 0;
        let text = match &self.text {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(range).unwrap_or_default()),
            Cow::Owned(text) => Cow::Owned(text.get(range).unwrap_or_default().to_owned()),
        };
        Word { text, first }
    }
}

impl Prepend {
    /// Reads the scheme, which older files have as a flag.
    pub(super) fn read(step: &Value) -> Prepend {
        match (step["prepend_scheme"].as_str(), step["add_prefix_space"].as_bool()) {
            (Some("first"), _) => Prepend::First,
            (Some("never"), _) | (None, Some(false)) => Prepend::Never,
            _ => Prepend::Always,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn cut(steps: Value, text: &str) -> Vec<String> {
        let word = Word { text: Cow::Borrowed(text), first: true };
        apply(&read(&steps).unwrap(), word).unwrap().into_iter().map(|word| word.text.into_owned()).collect()
    }

    #[test]
    fn words_are_cut_as_the_steps_say() {
        assert_eq!(
            cut(json!({"type": "ByteLevel", "add_prefix_space": false}), "It's  12é"),
            ["It", "'s", "Ġ", "Ġ12", "Ã©"]
        );
        assert_eq!(cut(json!({"type": "ByteLevel", "use_regex": false}), "a b"), ["ĠaĠb"]);
        assert_eq!(cut(json!({"type": "Digits", "individual_digits": true}), "a12b"), ["a", "1", "2", "b"]);
        assert_eq!(cut(json!({"type": "Digits"}), "a12b"), ["a", "12", "b"]);
        assert_eq!(cut(json!({"type": "Whitespace"}), "a+= b!"), ["a", "+=", "b", "!"]);
        assert_eq!(cut(json!({"type": "BertPreTokenizer"}), "a+= b!"), ["a", "+", "=", "b", "!"]);
        assert_eq!(cut(json!({"type": "FixedLength", "length": 2}), "aébcd"), ["aé", "bc", "d"]);
        assert_eq!(cut(Value::Null, "a b"), ["a b"]);
        let both = json!({"type": "Sequence", "pretokenizers": [
            {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"}, {"type": "Punctuation"},
        ]});
        assert_eq!(cut(both, "a, b"), ["▁a", ",", "▁b"]);
    }

    #[test]
    fn marks_go_before_texts_as_the_scheme_says() {
        let marked = |scheme: &str, first: bool| {
            let step = json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": false});
            let words = apply(&read(&step).unwrap(), Word { text: Cow::Borrowed("a b"), first }).unwrap();
            words[0].text.to_string()
        };
        assert_eq!(["always", "first", "never"].map(|scheme| marked(scheme, true)), ["▁a▁b", "▁a▁b", "a▁b"]);
        assert_eq!(["always", "first", "never"].map(|scheme| marked(scheme, false)), ["▁a▁b", "a▁b", "a▁b"]);
    }

    #[test]
    fn texts_that_grow_beyond_measure_are_errors() {
        let grown = |step: Value, text: &str| {
            let steps = read(&json!({"type": "Sequence", "pretokenizers": vec![step; 60]})).unwrap();
            apply(&steps, Word { text: Cow::Borrowed(text), first: true }).map(|words| words.len())
        };
        assert!(grown(json!({"type": "ByteLevel", "use_regex": false}), "é").is_err());
        assert!(grown(json!({"type": "Metaspace", "replacement": "▁ ▁ ", "split": false}), "a b").is_err());
        assert!(grown(json!({"type": "Metaspace", "replacement": "▁".repeat(1000)}), "a b").is_err());
        assert_eq!(grown(json!({"type": "Metaspace", "replacement": "▁"}), "a b").unwrap(), 2);
    }

    #[test]
    fn unknown_steps_are_named() {
        for step in [json!({"type": "UnicodeScripts"}), json!({"type": "Split", "behavior": "Isolated"}), json!({})] {
            let error = read(&step).unwrap_err().to_string();
            assert!(error.contains("pre_tokenizer is not supported"), "{error}");
        }
    }
}
