//! Special tokens that are named in a text.

use super::lexicon::Lexicon;

/// A stretch of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Special(u32),
    Text(&'a str),
}

/// Cuts a text at special tokens, at the longest where several begin. No part is empty.
pub(super) fn split<'a>(specials: &Lexicon<u32>, mut text: &'a str) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    while let Some((start, end, id)) = specials.find(text) {
        let before = text.get(..start).unwrap_or_default();
        parts.extend((!before.is_empty()).then_some(Part::Text(before)));
        parts.push(Part::Special(id));
        text = text.get(end..).unwrap_or_default();
    }
    parts.extend((!text.is_empty()).then_some(Part::Text(text)));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_at_the_longest_names() {
        let specials = Lexicon::new([("<s>", 1), ("<s>>", 2), ("a.b", 3)].map(|(name, id)| (name.to_owned(), id)));
        let specials = specials.unwrap();
        let parts = split(&specials, "<s>x<s>>axba.b");
        assert_eq!(parts, [Part::Special(1), Part::Text("x"), Part::Special(2), Part::Text("axb"), Part::Special(3)]);
        assert!(split(&specials, "").is_empty());
        assert_eq!(split(&Lexicon::new([]).unwrap(), "<s>"), [Part::Text("<s>")]);
    }
}
