//! Classes of characters: those in brackets, and those that a backslash and a letter name.

use super::{Reader, WORD, shown};

/// Classes of ASCII by their names.
const NAMED: &[(&str, &str)] = &[
    ("alnum", "0-9A-Za-z"),
    ("alpha", "A-Za-z"),
    ("ascii", r"\x00-\x7f"),
    ("blank", r"\t\u{20}"),
    ("cntrl", r"\x00-\x1f\x7f"),
    ("digit", "0-9"),
    ("graph", r"\x21-\x7e"),
    ("lower", "a-z"),
    ("print", r"\x20-\x7e"),
    ("punct", r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e"),
    ("space", r"\t-\r\u{20}"),
    ("upper", "A-Z"),
    ("word", "0-9A-Z_a-z"),
    ("xdigit", "0-9A-Fa-f"),
];

/// General categories, whose names stand alone: the short ones are a letter, or a letter and a small one.
const CATEGORIES: &[&str] = &[
    "Cased_Letter",
    "Close_Punctuation",
    "Connector_Punctuation",
    "Control",
    "Currency_Symbol",
    "Dash_Punctuation",
    "Decimal_Number",
    "Enclosing_Mark",
    "Final_Punctuation",
    "Format",
    "Initial_Punctuation",
    "Letter",
    "Letter_Number",
    "Line_Separator",
    "Lowercase_Letter",
    "Mark",
    "Math_Symbol",
    "Modifier_Letter",
    "Modifier_Symbol",
    "Nonspacing_Mark",
    "Number",
    "Open_Punctuation",
    "Other",
    "Other_Letter",
    "Other_Number",
    "Other_Punctuation",
    "Other_Symbol",
    "Paragraph_Separator",
    "Private_Use",
    "Punctuation",
    "Separator",
    "Space_Separator",
    "Spacing_Mark",
    "Surrogate",
    "Symbol",
    "Titlecase_Letter",
    "Unassigned",
    "Uppercase_Letter",
    "Any",
    "ASCII",
    "Assigned",
    "Alphabetic",
    "Lowercase",
    "Uppercase",
    "White_Space",
];

/// One of the things that a class holds.
pub(super) enum Item {
    Character(char),
    /// As JavaScript writes it.
    Set(String),
}

impl Reader<'_> {
    /// A class, behind its bracket.
    pub(super) fn class(&mut self, spaced: bool) -> Result<String, String> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > super::DEEPEST {
            return Err(self.wrong("too many classes lie in each other"));
        }
        let negated = if self.take("^") { "^" } else { "" };
        let (mut before, mut items) = (None::<(String, &str)>, String::new());
        if self.take("]") {
            items += &shown(']');
        }
        loop {
            let operator = ["&&", "--", "~~"].into_iter().find(|operator| self.rest().starts_with(operator));
            match (operator, self.peek()) {
                (Some("~~"), _) => return Err(self.missing("~~ of classes")),
                (Some(operator), _) => {
                    self.take(operator);
                    before = Some((joined(before, &items), operator));
                    items.clear();
                }
                (None, None) => return Err(self.wrong("a class does not end")),
                (None, Some(']')) => {
                    self.next();
                    break;
                }
                (None, Some('[')) => {
                    self.next();
                    items += &match self.named()? {
                        Some(named) => named,
                        None => self.class(spaced)?,
                    };
                }
                (None, Some(space)) if spaced && space.is_whitespace() => {
                    self.next();
                }
                (None, Some(_)) => items += &self.range()?,
            }
        }
        self.depth = self.depth.saturating_sub(1);
        Ok(match before {
            None => format!("[{negated}{items}]"),
            Some((before, operator)) => format!("[{negated}{before}{operator}[{items}]]"),
        })
    }

    /// `[:name:]` of ASCII, behind its first bracket.
    fn named(&mut self) -> Result<Option<String>, String> {
        let Some((inside, _)) = self.rest().strip_prefix(':').and_then(|rest| rest.split_once(":]")) else {
            return Ok(None);
        };
        let (negated, name) = inside.strip_prefix('^').map_or(("", inside), |name| ("^", name));
        let known = NAMED.iter().find(|(known, _)| *known == name);
        let (_, characters) = known.ok_or_else(|| self.wrong(&format!("there is no class {name:?}")))?;
        self.at = self.at.saturating_add(inside.len()).saturating_add(3);
        Ok(Some(format!("[{negated}{characters}]")))
    }

    /// A character, a range of them, or a set.
    fn range(&mut self) -> Result<String, String> {
        let first = match self.item()? {
            Item::Set(set) => return Ok(set),
            Item::Character(first) => first,
        };
        let ends = self.rest().strip_prefix('-').is_none_or(|rest| rest.starts_with([']', '-']) || rest.is_empty());
        if ends {
            return Ok(shown(first));
        }
        self.next();
        match self.item()? {
            Item::Character(last) if first <= last => Ok(format!("{}-{}", shown(first), shown(last))),
            Item::Character(_) => Err(self.wrong("a range is out of order")),
            Item::Set(_) => Err(self.wrong("a range ends with a class")),
        }
    }

    fn item(&mut self) -> Result<Item, String> {
        match self.next() {
            Some('\\') => self.escaped(),
            Some(character) => Ok(Item::Character(character)),
            None => Err(self.wrong("a class does not end")),
        }
    }

    /// What a backslash begins, within a class or outside.
    pub(super) fn escaped(&mut self) -> Result<Item, String> {
        let set = |text: &str| Ok(Item::Set(text.to_owned()));
        match self.next() {
            Some('d') => set(r"\p{Nd}"),
            Some('D') => set(r"\P{Nd}"),
            Some('s') => set(r"\p{White_Space}"),
            Some('S') => set(r"\P{White_Space}"),
            Some('w') => set(WORD),
            Some('W') => Ok(Item::Set(WORD.replacen('[', "[^", 1))),
            Some('h') => set("[0-9A-Fa-f]"),
            Some('H') => set("[^0-9A-Fa-f]"),
            Some(kind @ ('p' | 'P')) => self.property(kind == 'P').map(Item::Set),
            Some('n') => Ok(Item::Character('\n')),
            Some('r') => Ok(Item::Character('\r')),
            Some('t') => Ok(Item::Character('\t')),
            Some('f') => Ok(Item::Character('\u{c}')),
            Some('v') => Ok(Item::Character('\u{b}')),
            Some('a') => Ok(Item::Character('\u{7}')),
            Some('e') => Ok(Item::Character('\u{1b}')),
            Some('x') => self.number(2),
            Some('u') => self.number(4),
            Some('U') => self.number(8),
            Some(letter) if letter.is_ascii_alphanumeric() => Err(self.missing(&format!("\\{letter}"))),
            Some(other) => Ok(Item::Character(other)),
            None => Err(self.wrong("it ends with a backslash")),
        }
    }

    /// A character by its number, of so many digits or in braces.
    fn number(&mut self, digits: usize) -> Result<Item, String> {
        let text = if self.take("{") {
            self.until('}')?
        } else {
            let text = self.rest().get(..digits).ok_or_else(|| self.wrong("a number is too short"))?;
            self.at = self.at.saturating_add(digits);
            text
        };
        let character = u32::from_str_radix(text, 16).ok().and_then(char::from_u32);
        character.map(Item::Character).ok_or_else(|| self.wrong(&format!("there is no character {text}")))
    }

    /// A property of characters, by the name that JavaScript has for it.
    fn property(&mut self, negated: bool) -> Result<String, String> {
        let named = if self.take("{") {
            self.until('}')?
        } else {
            let length = self.peek().map_or(0, char::len_utf8);
            let letter = self.rest().get(..length).unwrap_or_default();
            self.next();
            letter
        };
        let (turned, name) = named.strip_prefix('^').map_or((false, named), |name| (true, name));
        let (kind, value) = name.split_once(['=', ':']).unwrap_or(("", name));
        let words: Vec<String> = value.trim().split(['_', ' ', '-']).map(capitalized).collect();
        let value = words.join("_");
        if value.is_empty()
            || !value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            || words.contains(&String::new())
        {
            return Err(self.wrong(&format!("there is no property {name:?}")));
        }
        let value = if value == "Lc" { "LC".to_owned() } else { value };
        let listed = CATEGORIES.iter().find(|known| known.eq_ignore_ascii_case(&value)).copied();
        let short = value.len() <= 2;
        let written = match kind.to_ascii_lowercase().as_str() {
            "" if listed.is_some() || short => listed.unwrap_or(&value).to_owned(),
            "gc" | "general_category" => listed.unwrap_or(&value).to_owned(),
            "" | "sc" | "script" => format!("Script={value}"),
            "scx" | "script_extensions" => format!("Script_Extensions={value}"),
            _ => return Err(self.wrong(&format!("there is no property {name:?}"))),
        };
        Ok(format!("\\{}{{{written}}}", if negated == turned { 'p' } else { 'P' }))
    }
}

/// What stands before an operator, as one operand.
fn joined(before: Option<(String, &str)>, items: &str) -> String {
    match before {
        None => format!("[{items}]"),
        Some((before, operator)) => format!("[{before}{operator}[{items}]]"),
    }
}

/// A word with its first letter large and the others small.
fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters.flat_map(char::to_lowercase)).collect())
}
