//! Expressions of tokenizer files in the words of browsers (`RegExp` with the flag `v`).
//!
//! Tokenizer files are written for Oniguruma and for Rust. What these call letters, digits, spaces and words of all languages
//! has other names in JavaScript, quantifiers that never give back become a look-ahead and a reference to what it found, and a
//! group gets a name of its own. What JavaScript has nothing for is an error that says so.

mod class;

use std::fmt::Write as _;

/// Groups that may lie in each other.
const DEEPEST: usize = 100;

/// Characters of words.
const WORD: &str = r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]";
/// Any character.
const ANY: &str = "[^]";

/// The same expression for a browser.
pub(super) fn translate(expression: &str) -> Result<String, String> {
    let mut reader = Reader { text: expression, at: 0, groups: 0, kept: 0, names: Vec::new(), depth: 0 };
    let translated = reader.alternatives(Flags::default())?;
    match reader.next() {
        None => Ok(translated),
        Some(_) => Err(format!("a group ends at byte {} that did not begin", reader.at)),
    }
}

/// What holds from a place in a group to the group's end.
#[derive(Clone, Copy, Default)]
struct Flags {
    /// Capitals do not matter.
    caseless: bool,
    /// `^` and `$` hold at every line.
    lines: bool,
    /// `.` is any character.
    all: bool,
    /// Spaces and comments do not count.
    spaced: bool,
}

/// What can be repeated.
struct Atom {
    text: String,
    /// Whether a quantifier after the text is for all of it.
    whole: bool,
}

impl Atom {
    fn whole(text: impl Into<String>) -> Atom {
        Atom { text: text.into(), whole: true }
    }
}

/// Reads an expression.
struct Reader<'e> {
    text: &'e str,
    at: usize,
    /// Groups so far that keep what they found.
    groups: usize,
    /// Groups so far that never give back what they found.
    kept: usize,
    /// Names of groups, with their numbers.
    names: Vec<(&'e str, usize)>,
    depth: usize,
}

impl<'e> Reader<'e> {
    fn rest(&self) -> &'e str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at = self.at.saturating_add(next.len_utf8());
        Some(next)
    }

    /// Goes on behind a text, where it comes next.
    fn take(&mut self, text: &str) -> bool {
        let comes = self.rest().starts_with(text);
        if comes {
            self.at = self.at.saturating_add(text.len());
        }
        comes
    }

    /// What comes before a character, behind which it goes on.
    fn until(&mut self, end: char) -> Result<&'e str, String> {
        let (before, _) = self.rest().split_once(end).ok_or_else(|| self.wrong(&format!("{end:?} is missing")))?;
        self.at = self.at.saturating_add(before.len()).saturating_add(end.len_utf8());
        Ok(before)
    }

    fn wrong(&self, what: &str) -> String {
        format!("at byte {}: {what}", self.at)
    }

    fn missing(&self, what: &str) -> String {
        self.wrong(&format!("browsers have no {what}"))
    }

    /// Alternatives up to the end of a group or of the expression.
    fn alternatives(&mut self, mut flags: Flags) -> Result<String, String> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > DEEPEST {
            return Err(self.wrong(&format!("more than {DEEPEST} groups lie in each other")));
        }
        let mut out = String::new();
        loop {
            if flags.spaced {
                self.skip_spaces();
            }
            match self.peek() {
                None | Some(')') => break,
                Some('|') => {
                    self.next();
                    out.push('|');
                }
                Some(_) => {
                    if let Some(atom) = self.atom(&mut flags)? {
                        out += &self.repeated(atom, flags)?;
                    }
                }
            }
        }
        self.depth = self.depth.saturating_sub(1);
        Ok(out)
    }

    fn skip_spaces(&mut self) {
        loop {
            match self.peek() {
                Some('#') => {
                    let line = self.rest().split('\n').next().map_or(0, str::len);
                    self.at = self.at.saturating_add(line);
                }
                Some(space) if space.is_whitespace() => {
                    self.next();
                }
                _ => return,
            }
        }
    }

    /// An atom with the quantifiers after it.
    fn repeated(&mut self, atom: Atom, flags: Flags) -> Result<String, String> {
        let mut atom = atom;
        loop {
            if flags.spaced {
                self.skip_spaces();
            }
            let Some(count) = self.quantifier() else { return Ok(atom.text) };
            let repeats = if atom.whole { atom.text } else { format!("(?:{})", atom.text) };
            let text = match self.peek() {
                Some('?') => {
                    self.next();
                    format!("{repeats}{count}?")
                }
                Some('+') => {
                    self.next();
                    self.kept(&format!("{repeats}{count}"))
                }
                _ => format!("{repeats}{count}"),
            };
            atom = Atom { text, whole: false };
        }
    }

    /// A quantifier as JavaScript writes it, if one comes.
    fn quantifier(&mut self) -> Option<String> {
        if let Some(sign @ ('*' | '+' | '?')) = self.peek() {
            self.next();
            return Some(sign.to_string());
        }
        let (inside, _) = self.rest().strip_prefix('{')?.split_once('}')?;
        let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let count = match inside.split_once(',') {
            None if number(inside) => format!("{{{inside}}}"),
            Some((least, "")) if number(least) => format!("{{{least},}}"),
            Some(("", most)) if number(most) => format!("{{0,{most}}}"),
            Some((least, most)) if number(least) && number(most) => format!("{{{least},{most}}}"),
            _ => return None,
        };
        self.at = self.at.saturating_add(inside.len()).saturating_add(2);
        Some(count)
    }

    /// Something that gives nothing back of what it found.
    fn kept(&mut self, text: &str) -> String {
        self.kept = self.kept.saturating_add(1);
        format!("(?:(?=(?<k{0}>{text}))\\k<k{0}>)", self.kept)
    }

    /// What can be repeated; nothing where flags are set or a comment ends.
    fn atom(&mut self, flags: &mut Flags) -> Result<Option<Atom>, String> {
        let Some(first) = self.next() else { return Ok(None) };
        Ok(Some(match first {
            '(' => return self.group(flags),
            '[' => {
                let class = self.class(flags.spaced)?;
                Atom::whole(if flags.caseless { format!("(?i:{class})") } else { class })
            }
            '.' => Atom::whole(if flags.all { ANY } else { r"[^\n]" }),
            '^' => Atom { text: if flags.lines { r"(?<![^\n])" } else { "(?<![^])" }.to_owned(), whole: false },
            '$' => Atom { text: if flags.lines { r"(?![^\n])" } else { "(?![^])" }.to_owned(), whole: false },
            '\\' => self.escape(*flags)?,
            '*' | '+' | '?' => return Err(self.wrong("nothing is there to be repeated")),
            other => literal(other, flags.caseless),
        }))
    }

    fn group(&mut self, flags: &mut Flags) -> Result<Option<Atom>, String> {
        if self.take("?#") {
            self.until(')')?;
            return Ok(None);
        }
        for (opens, assertion) in [("?=", true), ("?!", true), ("?<=", true), ("?<!", true), ("?:", false)] {
            if self.take(opens) {
                let inside = self.closed(*flags)?;
                return Ok(Some(Atom { text: format!("({opens}{inside})"), whole: !assertion }));
            }
        }
        if self.take("?>") {
            let inside = self.closed(*flags)?;
            return Ok(Some(Atom::whole(self.kept(&inside))));
        }
        if self.take("?P=") {
            let name = self.until(')')?;
            return self.reference(name).map(Some);
        }
        if self.take("?P<") || self.take("?<") {
            let name = self.until('>')?;
            self.names.push((name, self.groups.saturating_add(1)));
        } else if self.take("?") {
            return self.flags(flags);
        }
        self.groups = self.groups.saturating_add(1);
        let number = self.groups;
        let inside = self.closed(*flags)?;
        Ok(Some(Atom::whole(format!("(?<g{number}>{inside})"))))
    }

    /// The inside of a group, up to behind its end.
    fn closed(&mut self, flags: Flags) -> Result<String, String> {
        let inside = self.alternatives(flags)?;
        if self.take(")") { Ok(inside) } else { Err(self.wrong("a group does not end")) }
    }

    /// Flags for the rest of a group, or for one of their own.
    fn flags(&mut self, flags: &mut Flags) -> Result<Option<Atom>, String> {
        let (mut new, mut value) = (*flags, true);
        loop {
            match self.next() {
                Some('i') => new.caseless = value,
                Some('m') => new.lines = value,
                Some('s') => new.all = value,
                Some('x') => new.spaced = value,
                Some('u') if value => {}
                Some('-') if value => value = false,
                Some(')') => {
                    *flags = new;
                    return Ok(None);
                }
                Some(':') => {
                    let inside = self.closed(new)?;
                    return Ok(Some(Atom::whole(format!("(?:{inside})"))));
                }
                _ => return Err(self.missing("group of this kind")),
            }
        }
    }

    /// What a group found before.
    fn reference(&self, name: &str) -> Result<Atom, String> {
        let named = self.names.iter().find(|(known, _)| *known == name).map(|(_, number)| *number);
        let number = named.or_else(|| name.parse().ok()).filter(|number| (1..=self.groups).contains(number));
        let number = number.ok_or_else(|| self.wrong(&format!("there is no group {name:?} before it")))?;
        Ok(Atom::whole(format!("\\k<g{number}>")))
    }

    /// What a backslash begins, outside of a class.
    fn escape(&mut self, flags: Flags) -> Result<Atom, String> {
        let edge = |text: String| Atom { text, whole: false };
        Ok(match self.peek() {
            Some('b') => {
                self.next();
                let (before, after) = (format!("(?<={WORD})"), format!("(?={WORD})"));
                let (not_before, not_after) = (format!("(?<!{WORD})"), format!("(?!{WORD})"));
                if self.take("{start}") {
                    edge(format!("{not_before}{after}"))
                } else if self.take("{end}") {
                    edge(format!("{before}{not_after}"))
                } else if self.take("{start-half}") {
                    edge(not_before)
                } else if self.take("{end-half}") {
                    edge(not_after)
                } else {
                    edge(format!("(?:{before}{not_after}|{not_before}{after})"))
                }
            }
            Some('B') => {
                self.next();
                edge(format!("(?:(?<={WORD})(?={WORD})|(?<!{WORD})(?!{WORD}))"))
            }
            Some('A') => {
                self.next();
                edge("(?<![^])".to_owned())
            }
            Some('z') => {
                self.next();
                edge("(?![^])".to_owned())
            }
            Some('Z') => {
                self.next();
                edge(r"(?=\n?(?![^]))".to_owned())
            }
            Some('R') => {
                self.next();
                Atom::whole(r"(?:\r\n|[\n\x0b\f\r\x85\u2028\u2029])")
            }
            Some('k') => {
                self.next();
                if !self.take("<") {
                    return Err(self.missing("reference of this kind"));
                }
                let name = self.until('>')?;
                self.reference(name)?
            }
            Some('1'..='9') => {
                let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
                let number = self.rest().get(..digits).unwrap_or_default();
                self.at = self.at.saturating_add(digits);
                self.reference(number)?
            }
            _ => match self.escaped()? {
                class::Item::Character(character) => literal(character, flags.caseless),
                class::Item::Set(set) if flags.caseless => Atom::whole(format!("(?i:{set})")),
                class::Item::Set(set) => Atom::whole(set),
            },
        })
    }
}

/// A character that stands for itself, or for its capital too.
fn literal(character: char, caseless: bool) -> Atom {
    let text = match character {
        // Two letters have a third form that is neither capital nor small.
        's' | 'S' if caseless => "[sS\u{17f}]".to_owned(),
        'k' | 'K' if caseless => "[kK\u{212a}]".to_owned(),
        _ if caseless && character.is_ascii_alphabetic() => {
            format!("[{}{}]", character.to_ascii_lowercase(), character.to_ascii_uppercase())
        }
        _ if caseless && character.is_alphabetic() => format!("(?i:{character})"),
        _ => shown(character),
    };
    Atom::whole(text)
}

/// A character as it is written within a class and outside.
fn shown(character: char) -> String {
    let mut out = String::new();
    if character.is_ascii_alphanumeric() || !(character.is_ascii() || character.is_control()) {
        out.push(character);
    } else {
        // Writing to a string cannot fail.
        let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_all_languages_have_other_names() {
        for (expression, expected) in [
            (r"\p{L}+|\p{N}{1,3}", r"\p{L}+|\p{N}{1,3}"),
            (r" ?[^\s\p{L}\p{N}]+", r"\u{20}?[^\p{White_Space}\p{L}\p{N}]+"),
            (r"\s+(?!\S)", r"\p{White_Space}+(?!\P{White_Space})"),
            (r"\d\D\pL\PN\p{^L}", r"\p{Nd}\P{Nd}\p{L}\P{N}\P{L}"),
            (r"\p{Han}\p{script=greek}\p{letter}", r"\p{Script=Han}\p{Script=Greek}\p{Letter}"),
            ("[一-龥]'/", r"[一-龥]\u{27}\u{2f}"),
            (r"\x41\x{1F426}\u0042", "A\u{1f426}B"),
            (".", r"[^\n]"),
            ("(?s:.)^", "(?:[^])(?<![^])"),
            ("(?m)^$", r"(?<![^\n])(?![^\n])"),
            ("(?x) a  # letter\n b", "ab"),
            ("a(?#nothing)b", "ab"),
            ("{a}", r"\u{7b}a\u{7d}"),
        ] {
            assert_eq!(translate(expression).as_deref(), Ok(expected), "{expression}");
        }
    }

    #[test]
    fn capitals_do_not_matter_where_an_expression_says_so() {
        assert_eq!(translate("(?i:'s|'T)k").as_deref(), Ok("(?:\\u{27}[sS\u{17f}]|\\u{27}[tT])k"));
        assert_eq!(translate("(?i)[a-z](?-i:b)é").as_deref(), Ok("(?i:[a-z])(?:b)(?i:é)"));
    }

    #[test]
    fn what_gives_nothing_back_is_found_by_looking_ahead() {
        assert_eq!(translate(r"(a)\w?+\1").as_deref(), Ok(&*format!(r"(?<g1>a)(?:(?=(?<k1>{WORD}?))\k<k1>)\k<g1>")));
        assert_eq!(translate("(?>a|b)c").as_deref(), Ok(r"(?:(?=(?<k1>a|b))\k<k1>)c"));
        assert_eq!(translate("(?<x>a)(?:b){2}+").as_deref(), Ok(r"(?<g1>a)(?:(?=(?<k1>(?:b){2}))\k<k1>)"));
    }

    #[test]
    fn classes_are_taken_together_and_apart() {
        for (expression, expected) in [
            (r"[\p{Cc}\p{Cf}&&[^\t\n\r]]", r"[[\p{Cc}\p{Cf}]&&[[^\u{9}\u{a}\u{d}]]]"),
            ("[a-z--[aeiou]]", "[[a-z]--[[aeiou]]]"),
            ("[^a&&b&&c]", "[^[[a]&&[b]]&&[c]]"),
            (r"[]a-]", r"[\u{5d}a\u{2d}]"),
            (r"[\]\-&.]", r"[\u{5d}\u{2d}\u{26}\u{2e}]"),
            (r"[[:digit:]\w]", &format!("[[0-9]{WORD}]")),
        ] {
            assert_eq!(translate(expression).as_deref(), Ok(expected), "{expression}");
        }
    }

    #[test]
    fn what_browsers_lack_is_an_error() {
        let deep = format!("{}{}", "(".repeat(200), ")".repeat(200));
        for (expression, what) in [
            (r"\Ka", "no \\K"),
            (r"\1(a)", "no group"),
            ("(a", "does not end"),
            ("a)", "did not begin"),
            ("[a", "does not end"),
            ("*a", "repeated"),
            (r"[z-a]", "out of order"),
            (r"\p{Nonsense-}", "property"),
            (r"(?(1)a|b)", "of this kind"),
            (r"\x{110000}", "no character"),
            ("[a~~b]", "no ~~"),
            (&deep, "lie in each other"),
        ] {
            let error = translate(expression).unwrap_err();
            assert!(error.contains(what), "{expression}: {error}");
        }
    }
}
