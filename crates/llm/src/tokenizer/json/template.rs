//! Tokens that go around every text.

use serde_json::Value;

use super::{kind, steps, unsupported};
use crate::error::{Error, Result};

/// Tokens that may go around a text.
const MOST: usize = 64;

/// The tokens before and after a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Template {
    pub(super) before: Vec<u32>,
    pub(super) after: Vec<u32>,
}

impl Template {
    /// Reads the steps after the model; `id` knows tokens by their names.
    pub(super) fn read(value: &Value, id: impl Fn(&str) -> Option<u32>) -> Result<Template> {
        let mut template = Template::default();
        for step in steps(value, "processors")? {
            match kind(step) {
                // It moves places in the text, not tokens.
                "ByteLevel" => {}
                "TemplateProcessing" => template.read_single(step, &id)?,
                "BertProcessing" | "RobertaProcessing" => {
                    let named = |name: &str| step[name].get(0).and_then(Value::as_str).and_then(&id);
                    let (Some(begin), Some(end)) = (named("cls"), named("sep")) else {
                        return Err(unsupported("post_processor", step));
                    };
                    template.before.insert(0, begin);
                    template.after.push(end);
                }
                _ => return Err(unsupported("post_processor", step)),
            }
            if template.before.len().saturating_add(template.after.len()) > MOST {
                return Err(Error::Tokenizer(format!("its template has more than {MOST} tokens")));
            }
        }
        Ok(template)
    }

    /// Reads what goes around a single text.
    fn read_single(&mut self, step: &Value, id: &impl Fn(&str) -> Option<u32>) -> Result<()> {
        let (mut before, mut after, mut text) = (Vec::new(), Vec::new(), false);
        for piece in step["single"].as_array().into_iter().flatten() {
            if let Some(name) = piece.pointer("/SpecialToken/id").and_then(Value::as_str) {
                let ids = tokens(step, name).or_else(|| Some(vec![id(name)?]));
                let ids = ids.ok_or_else(|| Error::Tokenizer(format!("its template names {name}, which it lacks")))?;
                if text { &mut after } else { &mut before }.extend(ids.into_iter().take(MOST.saturating_add(1)));
            } else if piece["Sequence"].is_object() && !text {
                text = true;
            } else {
                return Err(unsupported("template", piece));
            }
        }
        if !text {
            return Err(unsupported("template", &step["single"]));
        }
        self.before.splice(0..0, before);
        self.after.extend(after);
        Ok(())
    }
}

/// The ids that the template itself gives for a name.
fn tokens(step: &Value, name: &str) -> Option<Vec<u32>> {
    let ids = step["special_tokens"].get(name)?["ids"].as_array()?;
    ids.iter().map(|id| u32::try_from(id.as_u64()?).ok()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(step: Value) -> Result<Template> {
        Template::read(&step, |name| ["<s>", "</s>"].iter().position(|known| *known == name)?.try_into().ok())
    }

    #[test]
    fn tokens_go_around_a_text() {
        let piece = |name: &str| json!({"SpecialToken": {"id": name, "type_id": 0}});
        let text = json!({"Sequence": {"id": "A", "type_id": 0}});
        let template = json!({
            "type": "TemplateProcessing", "single": [piece("<s>"), text, piece("<e>")],
            "special_tokens": {"<e>": {"id": "<e>", "ids": [5, 6], "tokens": []}},
        });
        let both = json!({"type": "Sequence", "processors": [{"type": "ByteLevel"}, template]});
        assert_eq!(read(both).unwrap(), Template { before: vec![0], after: vec![5, 6] });
        let bert = json!({"type": "BertProcessing", "cls": ["<s>", 0], "sep": ["</s>", 1]});
        assert_eq!(read(bert).unwrap(), Template { before: vec![0], after: vec![1] });
        assert_eq!(read(Value::Null).unwrap(), Template::default());
        let mut many = vec![piece("<s>"); MOST + 1];
        many.push(text.clone());
        for wrong in [
            json!({"type": "TemplateProcessing", "single": [piece("<x>"), text], "special_tokens": {}}),
            json!({"type": "TemplateProcessing", "single": [text, text]}),
            json!({"type": "TemplateProcessing", "single": []}),
            json!({"type": "TemplateProcessing", "single": many}),
            json!({"type": "BertProcessing"}),
            json!({"type": "Other"}),
        ] {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
