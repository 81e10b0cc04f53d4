//! What keeps a template from asking for as much memory as a number in it says.
//!
//! minijinja bounds repetition and ranges, and not what filters and formats make: `indent(1000000000000)`, `'%099999999999d'`.

use minijinja::value::{Rest, Value, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, filters};
use minijinja_contrib::pycompat;

/// The largest number that says how much is made.
const MOST: f64 = 10_000.0;
/// Its digits.
const MOST_DIGITS: usize = 5;

/// Filters that make as much as their arguments say.
const FILTERS: [&str; 5] = ["batch", "format", "indent", "slice", "tojson"];

/// Words and signs of one expression or tag, and branches of conditions: minijinja walks through both by recursion, and a stack
/// that overflows ends the process.
const MOST_WORDS: usize = 1000;
const MOST_BRANCHES: usize = 200;

/// An error where a template is nested so deeply that it may not be compiled.
pub(super) fn check_depth(source: &str) -> Result<(), Error> {
    let mut rest = source;
    while let Some((_, inside)) =
        rest.split_once("{{").into_iter().chain(rest.split_once("{%")).min_by_key(|cut| cut.0.len())
    {
        let (words, after) = words(inside);
        if words > MOST_WORDS {
            let text = format!("an expression has more than {MOST_WORDS} words and signs");
            return Err(Error::new(ErrorKind::SyntaxError, text));
        }
        rest = after;
    }
    if source.matches("elif").count() > MOST_BRANCHES {
        return Err(Error::new(ErrorKind::SyntaxError, format!("there are more than {MOST_BRANCHES} branches")));
    }
    Ok(())
}

/// The words and signs up to the end of an expression or tag, and what follows. A text in quotes is one.
fn words(inside: &str) -> (usize, &str) {
    let (mut count, mut quote, mut in_word, mut previous) = (0usize, None, false, ' ');
    for (at, c) in inside.char_indices() {
        match quote {
            Some(open) => {
                if c == open && previous != '\\' {
                    quote = None;
                }
            }
            None if c == '}' && (previous == '}' || previous == '%') => {
                return (count, inside.get(at.saturating_add(1)..).unwrap_or_default());
            }
            None => {
                let is_letter = c.is_alphanumeric() || c == '_';
                count = count.saturating_add(usize::from(!(c.is_whitespace() || is_letter && in_word)));
                in_word = is_letter;
                quote = matches!(c, '"' | '\'').then_some(c);
            }
        }
        previous = c;
    }
    (count, "")
}

/// Puts bounded filters and methods in the place of those that are not.
pub(super) fn set(environment: &mut Environment<'static>) {
    // No template can name these.
    environment.add_filter("unbounded batch", filters::batch);
    environment.add_filter("unbounded format", filters::format);
    environment.add_filter("unbounded indent", filters::indent);
    environment.add_filter("unbounded slice", filters::slice);
    environment.add_filter("unbounded tojson", filters::tojson);
    for name in FILTERS {
        let unbounded = format!("unbounded {name}");
        environment.add_filter(name, move |state: &mut State<'_, '_>, args: Rest<ValueOrKwargs>| {
            let args = args.into_values();
            if let Some((value, rest)) = args.split_first() {
                check(name, value, rest)?;
            }
            state.apply_filter(&unbounded, &args)
        });
    }
    environment.set_unknown_method_callback(|state, value, method, args| {
        check(method, value, args)?;
        pycompat::unknown_method_callback(state, value, method, args)
    });
}

/// An error where something would make too much of a value.
fn check(name: &str, value: &Value, args: &[Value]) -> Result<(), Error> {
    let too_much = match name {
        // What is formatted may be any number.
        "format" => value.as_str().is_some_and(has_long_number),
        _ => args.iter().any(is_large),
    };
    if too_much {
        return Err(Error::new(ErrorKind::InvalidOperation, format!("{name} takes no number above {MOST}")));
    }
    Ok(())
}

/// Whether a value, or one of those that were given by name, is a large number.
fn is_large(value: &Value) -> bool {
    match value.kind() {
        ValueKind::Number => f64::try_from(value.clone()).is_ok_and(|number| number > MOST),
        ValueKind::Map => {
            let mut names = value.try_iter().into_iter().flatten();
            names.any(|name| value.get_item(&name).is_ok_and(|value| value.is_number() && is_large(&value)))
        }
        _ => false,
    }
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
        environment.render_str(source, ())
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
            check_depth(source).unwrap();
        }
        let deep = |part: &str, count: usize| format!("{{% if x %}}{{{{ {}1 }}}}{{% endif %}}", part.repeat(count));
        for part in ["not ", "-", "a.", "(", "["] {
            check_depth(&deep(part, 400)).unwrap();
            check_depth(&deep(part, 1100)).unwrap_err();
        }
        check_depth(&"{% elif x %}".repeat(1000)).unwrap_err();
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
