//! What keeps a template from asking for as much memory as a number in it says.
//!
//! minijinja bounds repetition and ranges, and not what filters and formats make: `indent(1000000000000)`, `'%099999999999d'`.

use minijinja::value::{Rest, Value, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, filters};
use minijinja_contrib::pycompat;

use super::meter;

/// The largest number that says how much is made.
const MOST: f64 = 10_000.0;
/// Its digits.
const MOST_DIGITS: usize = 5;

/// Filters that make as much as their arguments say, or much more of a text than it has.
const FILTERS: [&str; 9] = ["batch", "format", "indent", "join", "pprint", "replace", "slice", "string", "tojson"];

/// Words and signs of one expression or tag, and branches of conditions: minijinja walks through both by recursion, and a stack
/// that overflows ends the process.
const MOST_WORDS: usize = 1000;
const MOST_BRANCHES: usize = 200;

/// Bytes that a template's own texts may become where it multiplies them.
const MOST_FOLDED: usize = 16_000_000;

/// An error where a template is nested so deeply, or multiplies texts so much, that it may not be compiled.
pub(super) fn check_source(source: &str) -> Result<(), Error> {
    let refused = |text: String| Err(Error::new(ErrorKind::SyntaxError, text));
    let (mut rest, mut folded) = (source, 0usize);
    while let Some((_, inside)) =
        rest.split_once("{{").into_iter().chain(rest.split_once("{%")).min_by_key(|cut| cut.0.len())
    {
        let (tag, after) = Tag::read(inside);
        if tag.words > MOST_WORDS {
            return refused(format!("an expression has more than {MOST_WORDS} words and signs"));
        }
        folded = folded.saturating_add(tag.folded(inside.len().saturating_sub(after.len())));
        rest = after;
    }
    if folded > MOST_FOLDED {
        return refused(format!("its texts are multiplied to more than {MOST_FOLDED} bytes"));
    }
    if source.matches("elif").count() > MOST_BRANCHES {
        return refused(format!("there are more than {MOST_BRANCHES} branches"));
    }
    Ok(())
}

/// What an expression or tag has. A text in quotes is one word.
#[derive(Default)]
struct Tag {
    words: usize,
    has_stars: bool,
    has_texts: bool,
    /// The product of its numbers.
    product: usize,
}

impl Tag {
    /// Reads up to the end of an expression or tag, and gives what follows.
    fn read(inside: &str) -> (Tag, &str) {
        let mut tag = Tag { product: 1, ..Tag::default() };
        let (mut quote, mut word, mut previous) = (None, String::new(), ' ');
        for (at, c) in inside.char_indices() {
            match quote {
                Some(open) => {
                    if c == open && previous != '\\' {
                        quote = None;
                    }
                }
                None => {
                    if c.is_alphanumeric() || c == '_' {
                        tag.words = tag.words.saturating_add(usize::from(word.is_empty()));
                        word.push(c);
                    } else {
                        tag.number(&std::mem::take(&mut word));
                        if c == '}' && (previous == '}' || previous == '%') {
                            return (tag, inside.get(at.saturating_add(1)..).unwrap_or_default());
                        }
                        tag.words = tag.words.saturating_add(usize::from(!c.is_whitespace()));
                        tag.has_stars |= c == '*';
                        tag.has_texts |= matches!(c, '"' | '\'' | '[' | ',');
                        quote = matches!(c, '"' | '\'').then_some(c);
                    }
                }
            }
            previous = c;
        }
        (tag, "")
    }

    fn number(&mut self, word: &str) {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let number = word.replace('_', "").parse().unwrap_or(usize::MAX);
            self.product = self.product.saturating_mul(number.max(1));
        }
    }

    /// Bytes that it may become when it is compiled, which is where minijinja multiplies what it knows.
    fn folded(&self, bytes: usize) -> usize {
        if self.has_stars && self.has_texts { self.product.saturating_mul(bytes) } else { 0 }
    }
}

/// Puts bounded filters and methods in the place of those that are not.
pub(super) fn set(environment: &mut Environment<'static>) {
    // No template can name these.
    environment.add_filter("unbounded batch", filters::batch);
    environment.add_filter("unbounded format", filters::format);
    environment.add_filter("unbounded indent", filters::indent);
    environment.add_filter("unbounded join", filters::join);
    environment.add_filter("unbounded pprint", filters::pprint);
    environment.add_filter("unbounded replace", filters::replace);
    environment.add_filter("unbounded slice", filters::slice);
    environment.add_filter("unbounded string", filters::string);
    environment.add_filter("unbounded tojson", filters::tojson);
    for name in FILTERS {
        let unbounded = format!("unbounded {name}");
        environment.add_filter(name, move |state: &mut State<'_, '_>, args: Rest<ValueOrKwargs>| {
            let args = args.into_values();
            if let Some((value, rest)) = args.split_first() {
                check(state, name, value, rest)?;
            }
            state.apply_filter(&unbounded, &args)
        });
    }
    environment.set_unknown_method_callback(|state, value, method, args| {
        check(state, method, value, args)?;
        pycompat::unknown_method_callback(state, value, method, args)
    });
}

/// An error where something would make too much of a value.
fn check(state: &State<'_, '_>, name: &str, value: &Value, args: &[Value]) -> Result<(), Error> {
    let widest = args.iter().map(largest).fold(0.0, f64::max);
    let too_much = match name {
        // What is formatted may be any number.
        "format" => value.as_str().is_some_and(has_long_number),
        _ => widest > MOST,
    };
    if too_much {
        return Err(Error::new(ErrorKind::InvalidOperation, format!("{name} takes no number above {MOST}")));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is at least 0 and at most MOST")]
    let widest = widest as usize;
    let length = |value: Option<&Value>| value.and_then(Value::as_str).map_or(0, str::len);
    let items = |value: Option<&Value>| value.and_then(Value::len).unwrap_or(0);
    let of_value = || meter::weight(state, value);
    let made = match name {
        // Of a text as a method, and of a list as a filter.
        "join" if value.as_str().is_some() && args.first().is_some_and(|list| list.as_str().is_none()) => {
            length(Some(value)).saturating_mul(items(args.first()))
        }
        "join" => length(args.first()).saturating_mul(items(Some(value))),
        "replace" => {
            let places = length(Some(value)).checked_div(length(args.first())).unwrap_or(length(Some(value)));
            places.saturating_add(1).saturating_mul(length(args.get(1)))
        }
        "format" => {
            let format = value.as_str().unwrap_or_default();
            let mut each = widest_number(format);
            for value in args {
                each = each.saturating_add(meter::weight(state, value)?);
            }
            format.matches(['{', '%']).count().saturating_mul(each)
        }
        "indent" => value.as_str().map_or(0, |text| text.matches('\n').count()).saturating_mul(widest),
        // What is shown within another text doubles its backslashes, and what is indented is so on every line.
        "pprint" | "string" | "tojson" => of_value()?.saturating_mul(widest.saturating_mul(2).max(2)),
        _ => 0,
    };
    meter::check(state, made)
}

/// The largest number that a value is, or that was given by name.
fn largest(value: &Value) -> f64 {
    let number = |value: &Value| f64::try_from(value.clone()).unwrap_or(0.0);
    match value.kind() {
        ValueKind::Number => number(value),
        ValueKind::Map if value.is_kwargs() => {
            let names = value.try_iter().into_iter().flatten();
            names.filter_map(|name| value.get_item(&name).ok()).map(|value| number(&value)).fold(0.0, f64::max)
        }
        _ => 0.0,
    }
}

/// The largest number that a format names; none has more digits than are allowed.
fn widest_number(format: &str) -> usize {
    format.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).max().unwrap_or(0)
}

/// Whether a format says a long width or precision, or takes it from what is formatted.
fn has_long_number(format: &str) -> bool {
    let digits = format.split(|c: char| !c.is_ascii_digit());
    let is_starred =
        |rest: &str| rest.trim_start_matches(|c: char| "#- +.".contains(c) || c.is_ascii_digit()).starts_with('*');
    let escaped = format.replace("{{", "");
    digits.map(str::len).any(|digits| digits > MOST_DIGITS)
        || format.split('%').skip(1).any(is_starred)
        || escaped.split('{').skip(1).any(|field| !field.contains('}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(source: &str) -> Result<String, Error> {
        let mut environment = Environment::new();
        set(&mut environment);
        meter::set(&mut environment);
        environment.render_str(source, Value::from_pairs([(meter::METER, Value::from_object(meter::Meter::new(0)))]))
    }

    #[test]
    fn filters_and_formats_are_as_they_were() {
        assert_eq!(render("{{ 'a\\nb' | indent(2) }}").unwrap(), "a\n  b");
        assert_eq!(render("{{ 'a\\nb' | indent(width=1, first=true) }}").unwrap(), " a\n b");
        assert_eq!(render("{{ [1, 2, 3] | batch(2, 0) }}").unwrap(), "[[1, 2], [3, 0]]");
        assert_eq!(render("{{ [1, 2, 3] | slice(2) }}").unwrap(), "[[1, 2], [3]]");
        assert_eq!(render("{{ 12345678 | tojson }}{{ [1] | tojson(indent=1) }}").unwrap(), "12345678[\n 1\n]");
        assert_eq!(render("{{ '%05d' | format(12345678) }}{{ '%s' | format('x') }}").unwrap(), "12345678x");
        assert_eq!(render("{{ '**{}** 5% {{}}'.format('x') }}").unwrap(), "**x** 5% {}");
        assert_eq!(render("{{ '{}-{:>3}'.format(12345678, 1) }}{{ ' a '.strip() }}").unwrap(), "12345678-  1a");
    }

    #[test]
    fn expressions_are_not_too_deep() {
        for source in ["{{ 'a b . c }} ' }}{% if x %}", "{{ {'a': {}} }}", "plain { text", "{% set x = \"{{\" %}"] {
            check_source(source).unwrap();
        }
        let deep = |part: &str, count: usize| format!("{{% if x %}}{{{{ {}1 }}}}{{% endif %}}", part.repeat(count));
        for part in ["not ", "-", "a.", "(", "["] {
            check_source(&deep(part, 400)).unwrap();
            check_source(&deep(part, 1100)).unwrap_err();
        }
        check_source(&"{% elif x %}".repeat(1000)).unwrap_err();
    }

    #[test]
    fn texts_are_multiplied_within_measure() {
        for source in ["{{ '-' * 80 }}", "{{ x * 1000000000 // 7 }}", "{{ 'x' }}{{ 99999999 }}", "{{ '*' ~ 99999999 }}"]
        {
            check_source(source).unwrap();
        }
        for source in
            ["{{ 'x' * 99999999 }}", "{{ (1, 2) * 99_999_999 }}", "{{ 'x' * 9999 * 9999 }}", "{{ 'x' * 0xfffffff }}"]
        {
            check_source(source).unwrap_err();
        }
        check_source(&"{{ 'x' * 99999 }}".repeat(1000)).unwrap_err();
    }

    #[test]
    fn large_numbers_are_refused() {
        for source in [
            "{{ 'x' | indent(1000000000000) }}",
            "{{ 'x' | indent(width=1e12) }}",
            "{{ [1] | batch(1000000000000, 0) }}",
            "{{ [1] | slice(1000000000000) }}",
            "{{ [1] | tojson(1000000000000) }}",
            "{{ [1] | tojson(indent=1000000000000) }}",
            "{{ '%01000000000000d' | format(1) }}",
            "{{ '%.1000000000000f' | format(1) }}",
            "{{ '{:>1000000000000}'.format(1) }}",
            "{{ '{:>{}}'.format(1, 1000000000000) }}",
            "{{ '%0*d' | format(1000000000000, 1) }}",
        ] {
            assert!(render(source).is_err(), "{source}");
        }
    }
}
