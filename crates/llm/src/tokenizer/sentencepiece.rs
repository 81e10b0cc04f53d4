//! sentencepiece models, as Llama 2 and Gemma have them: byte-pair merging or a unigram model, with byte fallback.

mod file;

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::{HashMap, HashSet};

use self::file::{Kind, Options, Piece};
use super::byte_token;
use super::characters::CharacterMap;
use super::lexicon::Lexicon;
use super::merge::{Symbol, merge};
use super::special::{Part, split};
use super::unigram::likeliest;
use crate::error::{Error, Result};

/// What a space is within pieces.
const SPACE: &str = "▁";

/// What sentencepiece takes from the least score for a character that is in no piece.
pub(super) const UNKNOWN_PENALTY: f32 = 10.0;

/// A sentencepiece model.
#[derive(Debug)]
pub(super) struct SentencePiece {
    pieces: Vec<Piece>,
    /// Pieces that text is made of, where a model does not merge.
    words: Lexicon<u32>,
    /// Bytes of the longest piece that others are merged to.
    longest: usize,
    /// Characters that are neighbours in such a piece.
    neighbours: HashSet<(char, char)>,
    unknown: Option<u32>,
    ids: HashMap<String, u32>,
    /// Pieces that stand for one byte.
    bytes: HashMap<u8, u32>,
    /// Pieces that text cannot have; a text that names one means it.
    controls: Lexicon<u32>,
    /// Pieces that are neither normalized nor merged.
    symbols: Lexicon<u32>,
    options: Options,
    characters: Option<CharacterMap>,
    least_score: f32,
    greatest_score: f32,
}

impl SentencePiece {
    /// Reads a model; nothing where the bytes are none.
    pub(super) fn parse(bytes: &[u8]) -> Result<Option<SentencePiece>> {
        file::read(bytes).map(|(pieces, options)| SentencePiece::new(pieces, options)).transpose()
    }

    fn new(pieces: Vec<Piece>, options: Options) -> Result<SentencePiece> {
        if let Some(unsupported) = options.unsupported {
            return Err(Error::Tokenizer(format!("this sentencepiece model {unsupported}, which is not supported")));
        }
        let characters = match options.character_map.as_slice() {
            [] => None,
            map => Some(CharacterMap::read(map).ok_or_else(|| {
                Error::Tokenizer("how this sentencepiece model normalizes characters cannot be read".to_owned())
            })?),
        };
        let of = |kinds: &'static [Kind]| {
            let known = (0..).zip(&pieces).filter(move |(_, piece)| kinds.contains(&piece.kind));
            known.map(|(id, piece)| (piece.text.clone(), id))
        };
        let scores = || pieces.iter().filter(|piece| piece.kind == Kind::Normal).map(|piece| piece.score);
        Ok(SentencePiece {
            words: Lexicon::new(of(if options.merges { &[] } else { &[Kind::Normal, Kind::UserDefined] }))?,
            longest: of(&[Kind::Normal]).map(|(text, _)| text.len()).max().unwrap_or_default(),
            neighbours: of(if options.merges { &[Kind::Normal] } else { &[] })
                .flat_map(|(text, _)| text.chars().zip(text.chars().skip(1)).collect::<Vec<_>>())
                .collect(),
            unknown: of(&[Kind::Unknown]).map(|(_, id)| id).next(),
            ids: of(&[Kind::Normal, Kind::UserDefined]).collect(),
            bytes: of(&[Kind::Byte]).filter_map(|(text, id)| Some((byte_token(&text)?, id))).collect(),
            controls: Lexicon::new(of(&[Kind::Control]))?,
            symbols: Lexicon::new(of(&[Kind::UserDefined]))?,
            least_score: scores().fold(0.0, f32::min),
            greatest_score: scores().fold(f32::NEG_INFINITY, f32::max),
            characters,
            options,
            pieces,
        })
    }

    /// The pieces of a text. Each stretch between control pieces is encoded as sentencepiece encodes a text.
    pub(super) fn encode(&self, text: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        for part in split(&self.controls, text) {
            match part {
                Part::Special(id) => ids.push(id),
                Part::Text(text) => {
                    let text = self.normalize(text);
                    let parts = if self.options.merges { self.merged(&text) } else { self.likeliest(&text) };
                    self.push(&parts, &mut ids);
                }
            }
        }
        ids
    }

    /// Characters as the model has them, spaces marked, and one before the first word where the model wants it.
    fn normalize(&self, text: &str) -> String {
        let trims = self.options.remove_extra_spaces;
        let (mut out, mut rest, mut after_space) =
            (String::with_capacity(text.len().saturating_add(SPACE.len())), text, trims);
        let mut begun = false;
        while let Some((length, stretch)) = self.first(rest) {
            rest = rest.get(length..).unwrap_or_default();
            let stretch = if after_space { stretch.trim_start_matches(' ') } else { &stretch };
            if !begun && self.options.add_space && !(trims && stretch.is_empty()) {
                out += SPACE;
            }
            begun |= !(trims && stretch.is_empty());
            if !stretch.is_empty() {
                out += &stretch.replace(' ', SPACE);
                after_space = trims && stretch.ends_with(' ');
            }
        }
        let kept = if trims { out.trim_end_matches(SPACE).len() } else { out.len() };
        out.truncate(kept);
        out
    }

    /// What a text begins with: its bytes, and what becomes of it.
    fn first<'a>(&'a self, text: &'a str) -> Option<(usize, Cow<'a, str>)> {
        let symbol = self.symbols.longest(text).map(|(length, _)| length);
        match &self.characters {
            Some(characters) if symbol.is_none() => characters.first(text),
            _ => {
                let length = symbol.or_else(|| text.chars().next().map(char::len_utf8))?;
                Some((length, Cow::Borrowed(text.get(..length)?)))
            }
        }
    }

    /// Cuts a text by merging characters, the pair with the highest score first. Symbols of the user stay whole.
    fn merged<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let (mut symbols, mut at) = (Vec::new(), 0);
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let symbol = self.symbols.longest(rest);
            let length = symbol.map_or_else(|| rest.chars().next().map_or(1, char::len_utf8), |(length, _)| length);
            let end = at.saturating_add(length);
            symbols.push(Symbol { range: at..end, token: symbol.is_some() });
            at = end;
        }
        let apart = |left: &Symbol<bool>, right: &Symbol<bool>| {
            let last = text.get(left.range.clone()).and_then(|text| text.chars().next_back());
            let first = text.get(right.range.clone()).and_then(|text| text.chars().next());
            let neighbours = last.zip(first).is_some_and(|pair| self.neighbours.contains(&pair));
            left.token || right.token || !neighbours
        };
        let symbols = merge(symbols, apart, |left, right| {
            let pair = text.get(left.range.start..right.range.end).filter(|pair| pair.len() <= self.longest)?;
            let id = *self.ids.get(pair).filter(|_| !left.token && !right.token)?;
            let piece = self.pieces.get(id as usize).filter(|piece| piece.kind == Kind::Normal)?;
            Some((Reverse(Score(piece.score)), false))
        });
        symbols.into_iter().filter_map(|symbol| text.get(symbol.range)).collect()
    }

    /// Cuts a text so that the scores of its pieces have the largest sum.
    fn likeliest<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let parts = likeliest(text, self.least_score - UNKNOWN_PENALTY, |at| {
            self.words
                .beginnings(text.get(at..).unwrap_or_default())
                .map(|(length, id)| (length, id, self.score(length, id)))
        });
        parts.into_iter().filter_map(|(range, _)| text.get(range)).collect()
    }

    /// The score of a piece of this many bytes. That of a symbol of the user is better than any way to spell it.
    fn score(&self, length: usize, id: u32) -> f32 {
        match self.pieces.get(id as usize) {
            #[expect(clippy::cast_precision_loss, reason = "pieces are short")]
            Some(piece) if piece.kind == Kind::UserDefined => length as f32 * self.greatest_score - 0.1,
            piece => piece.map_or(0.0, |piece| piece.score),
        }
    }

    /// Adds the ids of parts, or of their bytes where no piece has them. Unknown parts in a row are one piece.
    fn push(&self, parts: &[&str], ids: &mut Vec<u32>) {
        let mut after_unknown = false;
        for part in parts {
            let known: Option<Vec<u32>> = match self.ids.get(*part) {
                Some(&id) => Some(vec![id]),
                None => part.bytes().map(|byte| self.bytes.get(&byte).copied()).collect(),
            };
            let unknown = known.is_none();
            match known {
                Some(known) => ids.extend(known),
                None if after_unknown => {}
                None => ids.extend(self.unknown),
            }
            after_unknown = unknown;
        }
    }

    /// The bytes of a piece; control pieces have none. `first` says that no text came before, and is taken back when
    /// text begins: then the space that was put before the first word is left out.
    pub(super) fn bytes(&self, id: u32, first: &mut bool) -> Cow<'_, [u8]> {
        let Some(piece) = self.pieces.get(id as usize) else { return Cow::Borrowed(b"") };
        let bytes = match piece.kind {
            Kind::Control | Kind::Unused => return Cow::Borrowed(b""),
            Kind::Unknown => Cow::Borrowed(" \u{2047} ".as_bytes()),
            Kind::Byte => Cow::Owned(byte_token(&piece.text).into_iter().collect()),
            Kind::Normal | Kind::UserDefined => {
                let marked = *first && (self.options.add_space || self.options.remove_extra_spaces);
                let trimmed = piece.text.strip_prefix(SPACE).filter(|_| marked);
                *first &= trimmed.is_none() || self.options.remove_extra_spaces;
                Cow::Owned(trimmed.unwrap_or(&piece.text).replace(SPACE, " ").into_bytes())
            }
        };
        *first &= bytes.is_empty();
        bytes
    }

    pub(super) fn vocabulary(&self) -> usize {
        self.pieces.len()
    }

    pub(super) fn id(&self, token: &str) -> Option<u32> {
        self.controls.get(token).or_else(|| self.ids.get(token).copied())
    }

    pub(super) fn beginning(&self) -> Option<u32> {
        self.options.beginning
    }

    pub(super) fn end(&self) -> Option<u32> {
        self.options.end
    }
}

/// A score with the order of numbers.
#[derive(PartialEq)]
struct Score(f32);

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}
