//! sentencepiece models, as Llama 2 has them: byte-pair merging or a unigram model, with byte fallback.

mod characters;
mod file;

use std::borrow::Cow;
use std::collections::HashMap;

use self::characters::CharacterMap;
use self::file::{Kind, Options, Piece};
use super::json::byte_token;
use super::merge::merge;
use super::special::{Part, Specials};
use crate::error::{Error, Result};

/// What a space is within pieces.
const SPACE: &str = "▁";

/// What sentencepiece takes from the least score for a character that is in no piece.
const UNKNOWN_PENALTY: f32 = 10.0;

/// A sentencepiece model.
#[derive(Debug)]
pub(super) struct SentencePiece {
    pieces: Vec<Piece>,
    /// Pieces that text is made of.
    ids: HashMap<String, u32>,
    /// Pieces that stand for one byte.
    bytes: HashMap<u8, u32>,
    specials: Specials,
    options: Options,
    characters: Option<CharacterMap>,
    longest: usize,
    least_score: f32,
}

impl SentencePiece {
    /// Reads a model; nothing where the bytes are none.
    pub(super) fn parse(bytes: &[u8]) -> Result<Option<SentencePiece>> {
        file::read(bytes).map(|(pieces, options)| SentencePiece::new(pieces, options)).transpose()
    }

    fn new(pieces: Vec<Piece>, options: Options) -> Result<SentencePiece> {
        let (mut ids, mut bytes, mut specials) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (id, piece) in (0..).zip(&pieces) {
            match piece.kind {
                Kind::Normal => drop(ids.insert(piece.text.clone(), id)),
                Kind::Control | Kind::UserDefined => drop(specials.insert(piece.text.clone(), id)),
                Kind::Byte => bytes.extend(byte_token(&piece.text).map(|byte| (byte, id))),
                Kind::Unknown | Kind::Unused => {}
            }
        }
        let characters = match options.character_map.as_slice() {
            [] => None,
            map => Some(CharacterMap::read(map).ok_or_else(|| {
                Error::Tokenizer("how this sentencepiece model normalizes characters cannot be read".to_owned())
            })?),
        };
        let longest = ids.keys().map(String::len).max().unwrap_or(0);
        let normal = pieces.iter().filter(|piece| piece.kind == Kind::Normal);
        let least_score = normal.map(|piece| piece.score).fold(0.0, f32::min);
        Ok(SentencePiece {
            specials: Specials::new(specials)?,
            pieces,
            ids,
            bytes,
            options,
            characters,
            longest,
            least_score,
        })
    }

    /// The pieces of a text. Each stretch between special tokens is encoded as sentencepiece encodes a text.
    pub(super) fn encode(&self, text: &str) -> Result<Vec<u32>> {
        let mut ids = Vec::new();
        for part in self.specials.split(text)? {
            match part {
                Part::Special(id) => ids.push(id),
                Part::Text(text) => {
                    let text = self.normalize(text);
                    let parts = if self.options.merges { self.merged(&text) } else { self.likeliest(&text) };
                    self.push(&parts, &mut ids);
                }
            }
        }
        Ok(ids)
    }

    fn normalize(&self, text: &str) -> String {
        let mut text = match &self.characters {
            Some(characters) => Cow::Owned(characters.apply(text)),
            None => Cow::Borrowed(text),
        };
        if self.options.remove_extra_spaces {
            text = Cow::Owned(text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "));
        }
        let space = if self.options.add_space && !text.is_empty() { SPACE } else { "" };
        format!("{space}{}", text.replace(' ', SPACE))
    }

    /// Cuts a text by merging characters, the pair with the highest score first.
    fn merged<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let rank = |bytes: &[u8]| {
            let id = *self.ids.get(std::str::from_utf8(bytes).ok()?)?;
            Some(std::cmp::Reverse(Score(self.pieces.get(id as usize)?.score)))
        };
        let characters = text.char_indices().map(|(at, c)| at..at + c.len_utf8());
        merge(text.as_bytes(), characters, rank).into_iter().filter_map(|range| text.get(range)).collect()
    }

    /// Cuts a text so that the scores of its pieces have the largest sum.
    fn likeliest<'a>(&self, text: &'a str) -> Vec<&'a str> {
        // For each end of a character: the best sum up to there, and where its last piece begins.
        let mut best: Vec<Option<(f32, usize)>> = vec![None; text.len() + 1];
        best[0] = Some((0.0, 0));
        for (start, character) in text.char_indices() {
            let Some((sum, _)) = best[start] else { continue };
            let mut offer = |end: usize, score: f32| {
                if best[end].is_none_or(|(known, _)| score > known) {
                    best[end] = Some((score, start));
                }
            };
            offer(start + character.len_utf8(), sum + self.least_score - UNKNOWN_PENALTY);
            let ends = text[start..].char_indices().map(|(at, c)| start + at + c.len_utf8());
            for end in ends.take_while(|end| end - start <= self.longest) {
                if let Some(&id) = self.ids.get(&text[start..end]) {
                    offer(end, sum + self.pieces[id as usize].score);
                }
            }
        }
        let mut parts = Vec::new();
        let mut end = text.len();
        while let Some((_, start)) = best[end].filter(|_| end > 0) {
            parts.push(&text[start..end]);
            end = start;
        }
        parts.reverse();
        parts
    }

    /// Adds the ids of parts, or of their bytes where no piece has them. Unknown parts in a row are one piece.
    fn push(&self, parts: &[&str], ids: &mut Vec<u32>) {
        let mut after_unknown = false;
        for part in parts {
            let bytes: Option<Vec<u32>> = match self.ids.get(*part) {
                Some(&id) => Some(vec![id]),
                None => part.bytes().map(|byte| self.bytes.get(&byte).copied()).collect(),
            };
            let unknown = bytes.is_none();
            match bytes {
                Some(known) => ids.extend(known),
                None if after_unknown => {}
                None => ids.extend(self.unknown()),
            }
            after_unknown = unknown;
        }
    }

    fn unknown(&self) -> Option<u32> {
        let at = self.pieces.iter().position(|piece| piece.kind == Kind::Unknown)?;
        u32::try_from(at).ok()
    }

    /// The bytes of a piece; control pieces have none.
    pub(super) fn bytes(&self, id: u32) -> Cow<'_, [u8]> {
        let Some(piece) = self.pieces.get(id as usize) else { return Cow::Borrowed(b"") };
        match piece.kind {
            Kind::Control | Kind::Unused => Cow::Borrowed(b""),
            Kind::Unknown => Cow::Borrowed(" \u{2047} ".as_bytes()),
            Kind::Byte => Cow::Owned(byte_token(&piece.text).into_iter().collect()),
            Kind::Normal | Kind::UserDefined => Cow::Owned(piece.text.replace(SPACE, " ").into_bytes()),
        }
    }

    pub(super) fn vocabulary(&self) -> usize {
        self.pieces.len()
    }

    pub(super) fn id(&self, token: &str) -> Option<u32> {
        self.specials.id(token).or_else(|| self.ids.get(token).copied())
    }

    pub(super) fn beginning(&self) -> Option<u32> {
        self.options.beginning
    }

    pub(super) fn end(&self) -> Option<u32> {
        self.options.end
    }

    pub(super) fn adds_space(&self) -> bool {
        self.options.add_space
    }
}

/// A score with the order of numbers.
#[derive(PartialEq)]
struct Score(f32);

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
