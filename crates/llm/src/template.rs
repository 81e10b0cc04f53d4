//! Chat templates: messages to the text that a model was trained on.

#![deny(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::arithmetic_side_effects
)]
#![cfg_attr(
    test,
    allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")
)]

mod bounds;
mod meter;
mod transformers;

use minijinja::machinery::{CodeGenerator, eval, make_string_output, parse};
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Value};

use self::meter::Meter;

use crate::config::Config;
use crate::error::{Error, Result};

/// One message of a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message {
    /// Who speaks: `system`, `user` or `assistant`.
    pub role: String,
    /// What is said.
    pub content: String,
}

impl Message {
    /// A message of this role.
    pub fn new(role: impl Into<String>, content: impl Into<String>) -> Message {
        Message { role: role.into(), content: content.into() }
    }

    /// The message as templates see it.
    fn value(&self) -> Value {
        Value::from_pairs([("role", self.role.as_str()), ("content", self.content.as_str())])
    }
}

/// Steps after which a template is stopped, far more than a long chat takes: files of others must not hang a program.
const FUEL: u64 = 10_000_000;

/// How errors call a template.
const NAME: &str = "chat";

/// The format that Meta publishes with Llama 3, whose tokenizer file carries none.
const LLAMA3: &str = "{{ bos_token }}{% for message in messages %}<|start_header_id|>{{ message['role'] }}<|end_header_id|>\
                      {{ '\n\n' + message['content'].strip() }}<|eot_id|>{% endfor %}{% if add_generation_prompt %}\
                      <|start_header_id|>assistant<|end_header_id|>{{ '\n\n' }}{% endif %}";

/// A chat template.
///
/// ```
/// # use pteron_llm::{Config, Message, Template};
/// let config = Config::default();
/// let source = "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}";
/// let template = Template::new(source, &config)?;
/// assert_eq!(template.render(&[Message::new("user", "Hello")], true)?, "user: Hello\n");
/// # Ok::<(), pteron_llm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Template {
    environment: Environment<'static>,
    syntax: SyntaxConfig,
    source: String,
    bos_token: String,
    eos_token: String,
}

impl Template {
    /// A template in Jinja, with the special tokens that it may name.
    pub fn new(source: &str, config: &Config) -> Result<Template> {
        bounds::check_source(source).map_err(wrong)?;
        let mut environment = Environment::new();
        // Templates are written for transformers, which sets these two.
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().map_err(wrong)?;
        environment.set_fuel(Some(FUEL));
        bounds::set(&mut environment);
        meter::set(&mut environment);
        transformers::set(&mut environment);
        parse(source, NAME, syntax.clone()).map_err(wrong)?;
        let token = |token: &Option<String>| token.clone().unwrap_or_default();
        let (bos_token, eos_token) = (token(&config.bos_token), token(&config.eos_token));
        Ok(Template { environment, syntax, source: source.to_owned(), bos_token, eos_token })
    }

    /// The template of a `tokenizer_config.json`, where it has one.
    pub fn from_config(config: &Config) -> Result<Option<Template>> {
        config.chat_template.as_deref().map(|source| Template::new(source, config)).transpose()
    }

    /// The template of Llama 3's instruct models.
    pub fn llama3() -> Result<Template> {
        let bos_token = Some("<|begin_of_text|>".to_owned());
        Template::new(LLAMA3, &Config { bos_token, ..Config::default() })
    }

    /// The text of a chat, with the beginning of an answer after it where one is asked for.
    pub fn render(&self, messages: &[Message], add_generation_prompt: bool) -> Result<String> {
        let given = messages.iter().fold(0usize, |bytes, message| bytes.saturating_add(message.content.len()));
        let values = Value::from_pairs([
            (meter::METER, Value::from_object(Meter::new(given))),
            ("messages", Value::from_iter(messages.iter().map(Message::value))),
            ("add_generation_prompt", Value::from(add_generation_prompt)),
            ("bos_token", Value::from(self.bos_token.as_str())),
            ("eos_token", Value::from(self.eos_token.as_str())),
        ]);
        let mut generator = CodeGenerator::new(NAME, &self.source);
        generator.compile_stmt(&parse(&self.source, NAME, self.syntax.clone()).map_err(wrong)?);
        let (steps, blocks) = generator.finish();
        let blocks = blocks.iter().map(|(name, steps)| (*name, meter::metered(steps))).collect();
        let mut text = String::new();
        let mut output = make_string_output(&mut text);
        eval(&self.environment, &meter::metered(&steps), values, &blocks, &mut output, AutoEscape::None)
            .map_err(wrong)?;
        Ok(text)
    }
}

fn wrong(error: minijinja::Error) -> Error {
    let line = error.line().map_or_else(String::new, |line| format!(" (line {line} of the template)"));
    Error::Template(format!("{}{line}", error.detail().map_or_else(|| error.kind().to_string(), str::to_owned)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(source: &str, messages: &[Message]) -> Result<String> {
        let config =
            Config { bos_token: Some("<s>".to_owned()), eos_token: Some("</s>".to_owned()), ..Config::default() };
        Template::new(source, &config)?.render(messages, true)
    }

    #[test]
    fn templates_find_what_transformers_gives_them() {
        let source = "{{ strftime_now('%Y') | length }} {{ tools | length }} {{ tools | count }}";
        assert_eq!(render(source, &[]).unwrap(), "4 0 0");
        assert!(render("{{ strftime_now('%!') }}", &[]).is_err());
        assert!(render("{{ 3 | length }}", &[]).is_err());
    }

    #[test]
    fn templates_in_the_style_of_transformers_render() {
        let source = "{{- bos_token }}\n{%- if messages[0]['role'] == 'system' %}\n    {%- set loop_messages = messages[1:] %}\n\
            {{ '<<SYS>>' + messages[0]['content'].strip() + '<</SYS>>' }}\n{%- else %}\n    \
            {%- set loop_messages = messages %}\n{%- endif %}\n{%- for message in loop_messages %}\n    \
            {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}\n        \
            {{- raise_exception('Conversation roles must alternate user/assistant') }}\n    {%- endif %}\n    \
            {%- if message.role.startswith('u') %}{{ '[INST] ' ~ message.content | trim ~ ' [/INST]' }}\n    \
            {%- else %}{{ ' ' + message['content'] + eos_token }}{%- endif %}\n{%- endfor %}";
        let chat = [
            Message::new("system", " Be brief. "),
            Message::new("user", " Hello "),
            Message::new("assistant", "Hi."),
            Message::new("user", "Why?"),
        ];
        let text = render(source, &chat).unwrap();
        assert_eq!(text, "<s><<SYS>>Be brief.<</SYS>>[INST] Hello [/INST] Hi.</s>[INST] Why? [/INST]");
        let error = render(source, &chat[2..]).unwrap_err().to_string();
        assert!(error.contains("roles must alternate") && error.contains("line"), "{error}");
    }

    #[test]
    fn blocks_leave_no_blank_lines() {
        let source =
            "{% for message in messages %}\n  {% if true %}\n{{ message.content }}\n  {% endif %}\n{% endfor %}\n";
        assert_eq!(render(source, &[Message::new("user", "a"), Message::new("user", "b")]).unwrap(), "a\nb\n");
    }

    #[test]
    fn llama3_has_one_of_its_own() {
        let text = Template::llama3().unwrap().render(&[Message::new("user", "Hi ")], true).unwrap();
        assert_eq!(
            text,
            "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>\
             <|start_header_id|>assistant<|end_header_id|>\n\n"
        );
    }

    #[test]
    fn broken_templates_are_errors_with_a_line() {
        let error = render("a\n{% if %}", &[]).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Input);
        assert!(error.to_string().contains("line 2"), "{error}");
        assert!(render("{{ messages[0].content.nope() }}", &[Message::new("user", "a")]).is_err());
    }

    #[test]
    fn templates_that_do_not_end_are_errors() {
        for (endless, expected) in [
            (
                "{% for a in range(9999) %}{% for b in range(9999) %}{{ b }}{% endfor %}{% endfor %}",
                "more than 1048592 bytes",
            ),
            ("{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}", "makes"),
            ("{% set r = range(9999) %}{% for a in r %}{% for b in r %}{% endfor %}{% endfor %}", "fuel"),
            ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "recursion"),
            ("{% for a in range(999999999999) %}{% endfor %}", "too many"),
            ("{% set n = 9999999 %}{{ 'a' * n }}", "more than 1048592 bytes"),
            ("{% set n = 99999999 %}{{ 'a' * n }}", "a value of more than 16777280 bytes"),
            ("{% set n = 9999999 %}{{ ('a', 'a') * n }}", "a value of more than 16777280 bytes"),
            ("{{ 'a' * 99999999 }}", "multiplied"),
            ("{% set n = namespace(x='ab') %}{% for i in range(99) %}{% set n.x = n.x ~ n.x %}{% endfor %}", "value"),
            ("{% set n = namespace(x=[1]) %}{% for i in range(99) %}{% set n.x = n.x + n.x %}{% endfor %}", "value"),
            ("{% set n = namespace(x=1) %}{% for i in range(999) %}{% set n.x = [n.x] %}{% endfor %}", "nests"),
            ("{% set n = namespace(x=1) %}{% for i in range(40) %}{% set n.x = [n.x, n.x] %}{% endfor %}", "value"),
            ("{% set n = namespace() %}{% set n.x = [n] %}", "namespace"),
            ("{% set x = 'a' * 99999 %}{{ x | replace('a', x) }}", "value"),
            ("{% set x = 'a' * 99999 %}{{ x.replace('a', x) }}", "value"),
            ("{% set x = 'a' * 99999 %}{{ range(99999) | join(x) }}", "value"),
            ("{% set x = 'a' * 99999 %}{{ x.join(range(99999)) }}", "value"),
            ("{% set x = 'a' * 99999 %}{{ ('{0}' * 9999).format(x) }}", "value"),
            (
                &format!("{{% set x = '\\\\' * 9999 %}}{{{{ [x{0}{0}] }}}}", " | tojson | pprint | string".repeat(8)),
                "value",
            ),
            ("{% set x %}{% for i in range(99999) %}aaaaaaaaaaaaaaaaaaaa{% endfor %}{% endset %}", "writes"),
            (
                "{% set n = namespace(l=[]) %}{% for i in range(9999) %}{% set n.l = n.l + ['a' * 99999] %}{% endfor %}",
                "makes",
            ),
        ] {
            let error = render(endless, &[Message::new("user", "a")]).unwrap_err().to_string();
            assert!(error.contains(expected), "{endless}: {error}");
        }
    }
}
