//! What templates find in transformers, for which they are written, beside Jinja.

use chrono::format::{Item, StrftimeItems};
use chrono::{DateTime, Local, TimeZone};
use minijinja::value::Value;
use minijinja::{Environment, Error, ErrorKind, filters};

pub(super) fn set(environment: &mut Environment<'static>) {
    environment.add_function("raise_exception", raise_exception);
    environment.add_function("strftime_now", |format: String| formatted(&Local::now(), &format));
    environment.add_filter("length", length);
    environment.add_filter("count", length);
}

/// What templates call to refuse messages.
fn raise_exception(text: String) -> Result<Value, Error> {
    Err(Error::new(ErrorKind::InvalidOperation, text))
}

/// A time as `strftime` writes it.
fn formatted<Z: TimeZone>(time: &DateTime<Z>, format: &str) -> Result<String, Error>
where
    Z::Offset: std::fmt::Display,
{
    let items: Vec<Item<'_>> = StrftimeItems::new(format).collect();
    if items.iter().any(|item| matches!(item, Item::Error)) {
        return Err(Error::new(ErrorKind::InvalidOperation, format!("{format:?} is no format of a time")));
    }
    Ok(time.format_with_items(items.into_iter()).to_string())
}

/// What is not defined has no items, in Python.
fn length(value: Value) -> Result<usize, Error> {
    if value.is_undefined() { Ok(0) } else { filters::length(&value) }
}

#[cfg(test)]
mod tests {
    use chrono::Utc;

    use super::*;

    #[test]
    fn times_are_written_by_their_format() {
        let time = Utc.with_ymd_and_hms(2026, 3, 7, 8, 9, 10).unwrap();
        assert_eq!(formatted(&time, "%d %b %Y").unwrap(), "07 Mar 2026");
        assert_eq!(formatted(&time, "%Y-%m-%d %H:%M, %A").unwrap(), "2026-03-07 08:09, Saturday");
        assert!(formatted(&time, "%!").unwrap_err().to_string().contains("no format"));
    }
}
