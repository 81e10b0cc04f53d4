//! The file of a sentencepiece model.

use crate::tokenizer::protobuf::{Field, fields};

/// A piece of text, or what stands for one.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) score: f32,
    pub(super) kind: Kind,
}

/// What a piece is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte,
}

/// What the model's specifications say, with sentencepiece's defaults.
#[derive(Debug)]
pub(super) struct Options {
    /// Byte-pair merging, and no unigram model.
    pub(super) merges: bool,
    pub(super) beginning: Option<u32>,
    pub(super) end: Option<u32>,
    /// Whether a space goes before the first word.
    pub(super) add_space: bool,
    pub(super) remove_extra_spaces: bool,
    /// How characters are normalized; empty where they are not.
    pub(super) character_map: Vec<u8>,
    /// What the model does that cannot be done here.
    pub(super) unsupported: Option<&'static str>,
}

/// The pieces and options of a model; nothing where the bytes are none.
pub(super) fn read(bytes: &[u8]) -> Option<(Vec<Piece>, Options)> {
    let mut pieces = Vec::new();
    let mut options = Options::default();
    for (number, field) in fields(bytes)? {
        let Field::Bytes(content) = field else { return None };
        match number {
            1 => pieces.push(Piece::read(content)?),
            2 => options.read_trainer(content)?,
            3 => options.read_normalizer(content)?,
            _ => {}
        }
    }
    (!pieces.is_empty()).then_some((pieces, options))
}

impl Piece {
    fn read(message: &[u8]) -> Option<Piece> {
        let mut piece = Piece { text: String::new(), score: 0.0, kind: Kind::Normal };
        for (number, field) in fields(message)? {
            match (number, field) {
                (1, Field::Bytes(text)) => piece.text = std::str::from_utf8(text).ok()?.to_owned(),
                (2, Field::Float(score)) => piece.score = score,
                (3, Field::Number(kind)) => {
                    piece.kind = match kind {
                        1 => Kind::Normal,
                        2 => Kind::Unknown,
                        3 => Kind::Control,
                        4 => Kind::UserDefined,
                        5 => Kind::Unused,
                        6 => Kind::Byte,
                        _ => return None,
                    }
                }
                _ => {}
            }
        }
        Some(piece)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            merges: false,
            beginning: Some(1),
            end: Some(2),
            add_space: true,
            remove_extra_spaces: true,
            character_map: Vec::new(),
            unsupported: None,
        }
    }
}

impl Options {
    fn read_trainer(&mut self, message: &[u8]) -> Option<()> {
        for (number, field) in fields(message)? {
            match (number, field) {
                (3, Field::Number(1)) => self.merges = false,
                (3, Field::Number(2)) => self.merges = true,
                (3, Field::Number(_)) => self.unsupported = Some("is one of words or characters"),
                (24, Field::Number(flag)) if flag != 0 => self.unsupported = Some("has spaces at the ends of words"),
                // An id of -1, a large number in this format, says that there is none.
                (41, Field::Number(id)) => self.beginning = u32::try_from(id).ok(),
                (42, Field::Number(id)) => self.end = u32::try_from(id).ok(),
                _ => {}
            }
        }
        Some(())
    }

    fn read_normalizer(&mut self, message: &[u8]) -> Option<()> {
        for (number, field) in fields(message)? {
            match (number, field) {
                (2, Field::Bytes(map)) => self.character_map = map.to_vec(),
                (3, Field::Number(flag)) => self.add_space = flag != 0,
                (4, Field::Number(flag)) => self.remove_extra_spaces = flag != 0,
                (5, Field::Number(0)) => self.unsupported = Some("does not mark spaces"),
                _ => {}
            }
        }
        Some(())
    }
}
