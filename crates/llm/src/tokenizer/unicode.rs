//! What Unicode says of texts: by libraries, and in a browser by the browser, so that no page downloads its tables.

#[cfg(target_arch = "wasm32")]
pub(super) use self::browser::{graphemes, is_mark, normalize};
#[cfg(not(target_arch = "wasm32"))]
pub(super) use self::library::{graphemes, is_mark, normalize};

/// A normal form.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
}

#[cfg(not(target_arch = "wasm32"))]
mod library {
    use unicode_normalization::UnicodeNormalization;
    use unicode_normalization::char::is_combining_mark;
    use unicode_segmentation::UnicodeSegmentation;

    use super::Form;

    /// A text in a normal form.
    pub(in super::super) fn normalize(text: &str, form: Form) -> String {
        match form {
            Form::Nfc => text.nfc().collect(),
            Form::Nfd => text.nfd().collect(),
            Form::Nfkc => text.nfkc().collect(),
            Form::Nfkd => text.nfkd().collect(),
        }
    }

    /// Whether a character changes the one before it, as accents do.
    pub(in super::super) fn is_mark(character: char) -> bool {
        is_combining_mark(character)
    }

    /// What people take for characters, in order.
    pub(in super::super) fn graphemes(text: &str) -> impl Iterator<Item = &str> {
        text.graphemes(true)
    }
}

#[cfg(target_arch = "wasm32")]
mod browser {
    use js_sys::{Array, Function, JsString, Object, Reflect, RegExp};
    use wasm_bindgen::{JsCast, JsValue};

    use super::Form;

    thread_local! {
        static MARK: RegExp = RegExp::new(r"^\p{M}$", "u");
    }

    /// A text in a normal form.
    pub(in super::super) fn normalize(text: &str, form: Form) -> String {
        let form = match form {
            Form::Nfc => "NFC",
            Form::Nfd => "NFD",
            Form::Nfkc => "NFKC",
            Form::Nfkd => "NFKD",
        };
        JsString::from(text).normalize(form).into()
    }

    /// Whether a character changes the one before it, as accents do.
    pub(in super::super) fn is_mark(character: char) -> bool {
        !character.is_ascii() && MARK.with(|mark| mark.test(character.encode_utf8(&mut [0; 4])))
    }

    /// What people take for characters, in order.
    pub(in super::super) fn graphemes(text: &str) -> impl Iterator<Item = &str> {
        let parts = segments(text).unwrap_or_default();
        let mut rest = text;
        // A browser without a segmenter gives characters.
        let mut parts = parts.into_iter();
        std::iter::from_fn(move || {
            let first = rest.chars().next()?;
            let length = parts.next().unwrap_or(first.len_utf8());
            let (part, after) = rest.split_at_checked(length)?;
            rest = after;
            Some(part)
        })
    }

    /// The bytes of each grapheme.
    fn segments(text: &str) -> Option<Vec<usize>> {
        let property = |object: &JsValue, name: &str| Reflect::get(object, &JsString::from(name)).ok();
        let constructor: Function = property(&property(&js_sys::global(), "Intl")?, "Segmenter")?.dyn_into().ok()?;
        let segmenter = Reflect::construct(&constructor, &Array::new()).ok()?;
        let segment: Function = property(&segmenter, "segment")?.dyn_into().ok()?;
        let segments = segment.call1(&segmenter, &text.into()).ok()?;
        let parts = Array::from(segments.unchecked_ref::<Object>());
        parts.iter().map(|part| property(&part, "segment")?.as_string().map(|part| part.len())).collect()
    }
}
