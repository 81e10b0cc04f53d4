//! Cutting a text at the places of a pattern.

use std::ops::Range;

use serde_json::Value;

use super::pattern::Pattern;
use super::splitter::Word;
use crate::error::Result;

/// Where a text is cut.
#[derive(Debug)]
pub(super) struct Cut {
    pub(super) pattern: Pattern,
    /// Whether what the pattern leaves out is what counts.
    pub(super) invert: bool,
    pub(super) behavior: Behavior,
}

/// What becomes of the places where a text is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behavior {
    Removed,
    Isolated,
    Contiguous,
    MergedWithPrevious,
    MergedWithNext,
}

impl Cut {
    /// Adds the words that a word is cut into.
    pub(super) fn apply<'a>(&self, word: Word<'a>, words: &mut Vec<Word<'a>>) -> Result<()> {
        // Stretches in order, and whether each is a place to cut.
        let (mut stretches, mut end) = (Vec::new(), 0);
        for place in self.pattern.places(&word.text)? {
            stretches.extend((place.start > end).then_some((end..place.start, self.invert)));
            end = place.end;
            stretches.push((place, !self.invert));
        }
        stretches.extend((word.text.len() > end).then_some((end..word.text.len(), self.invert)));
        if let [_] = stretches.as_slice()
            && self.behavior != Behavior::Removed
        {
            words.push(word);
            return Ok(());
        }
        words.extend(self.behavior.join(stretches).into_iter().map(|range| word.part(range)));
        Ok(())
    }
}

impl Behavior {
    pub(super) fn read(value: &Value) -> Option<Behavior> {
        Some(match value.as_str()? {
            "Removed" => Behavior::Removed,
            "Isolated" => Behavior::Isolated,
            "Contiguous" => Behavior::Contiguous,
            "MergedWithPrevious" => Behavior::MergedWithPrevious,
            "MergedWithNext" => Behavior::MergedWithNext,
            _ => return None,
        })
    }

    /// The stretches that are left, each with whether it is a place to cut, joined as the behavior wants it.
    fn join(self, stretches: Vec<(Range<usize>, bool)>) -> Vec<Range<usize>> {
        let mut joined: Vec<(Range<usize>, bool)> = Vec::with_capacity(stretches.len());
        for (range, place) in stretches {
            let last = joined.last_mut();
            let together = last.as_ref().is_some_and(|(_, last)| match self {
                Behavior::Removed | Behavior::Isolated => false,
                Behavior::Contiguous => *last == place,
                Behavior::MergedWithPrevious => place && !*last,
                Behavior::MergedWithNext => *last && !place,
            });
            match last {
                Some((before, last)) if together => {
                    before.end = range.end;
                    // What has taken its neighbour takes no other.
                    *last = place && self != Behavior::MergedWithNext;
                }
                _ => joined.push((range, place)),
            }
        }
        let kept = joined.into_iter().filter(|(_, place)| !(self == Behavior::Removed && *place));
        kept.map(|(range, _)| range).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_behavior_does_as_it_says() {
        let split = |behavior: &str, invert: bool| {
            let behavior = Behavior::read(&behavior.into()).unwrap();
            let cut = Cut { pattern: Pattern::Text("-".to_owned()), invert, behavior };
            let (word, mut words) = (Word { text: "the-final--countdown".into(), first: true }, Vec::new());
            cut.apply(word, &mut words).unwrap();
            assert!(words.iter().all(|word| word.first == word.text.starts_with("the")));
            words.iter().map(|word| &*word.text).collect::<Vec<_>>().join("|")
        };
        assert_eq!(split("Removed", false), "the|final|countdown");
        assert_eq!(split("Isolated", false), "the|-|final|-|-|countdown");
        assert_eq!(split("Contiguous", false), "the|-|final|--|countdown");
        assert_eq!(split("MergedWithPrevious", false), "the-|final-|-|countdown");
        assert_eq!(split("MergedWithNext", false), "the|-final|-|-countdown");
        assert_eq!(split("Removed", true), "-|-|-");
        assert_eq!(split("Isolated", true), split("Isolated", false));
    }
}
