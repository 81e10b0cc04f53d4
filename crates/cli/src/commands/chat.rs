//! `pteron chat`: a conversation in the terminal.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use etcetera::BaseStrategy as _;
use pteron_llm::{Cancel, Conversation, Event, Generate, Message, Sampling};
use rustyline::error::ReadlineError;

use crate::args::ChatArgs;
use crate::commands::Outcome;
use crate::failure::{self, Usage};
use crate::output::{Output, note};
use crate::{interrupt, language};

mod command;

use command::{Command, HELP};

pub(crate) fn run(arguments: &ChatArgs, output: &mut Output) -> Result<Outcome> {
    if output.is_json() {
        return Err(Usage::error("a chat is for people: pteron generate --chat --json is for scripts"));
    }
    let default = Sampling::default().with_temperature(0.7).with_min_p(0.05);
    let sampling = arguments.sampling.sampling(&default);
    sampling.check()?;
    interrupt::watch()?;
    let model = language::load(&arguments.model)?;
    if model.tokenizer().is_none() {
        return Err(Usage::error("no tokenizer was found beside the model: give one with --tokenizer FILE"));
    }
    // A template that is missing or broken is found before the first question.
    model.encode_chat(&[Message::new("user", "")])?;
    let conversation = model.conversation()?;
    model.notes().iter().for_each(|text| note(format_args!("note: {text}")));
    note(format_args!("{} on {}; /help says what you can do", model_name(arguments), model.device().name()));
    let options = language::options(&arguments.answer, sampling);
    let mut chat = Chat { conversation, options, system: arguments.system.clone(), messages: Vec::new() };
    chat.talk(output)?;
    Ok(Outcome::Success)
}

fn model_name(arguments: &ChatArgs) -> String {
    let file = &arguments.model.program.file;
    file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

/// What was said, and what the model holds of it.
struct Chat {
    conversation: Conversation,
    options: Generate,
    system: Option<String>,
    /// Questions and answers in turn.
    messages: Vec<Message>,
}

impl Chat {
    /// Reads lines until there are no more.
    fn talk(&mut self, output: &mut Output) -> Result<()> {
        let mut editor = rustyline::DefaultEditor::new().context("cannot read from the terminal")?;
        let history = history_file();
        if let Some(path) = &history {
            // The first chat has none yet.
            let _ = editor.load_history(path);
        }
        loop {
            let line = match editor.readline("> ") {
                Ok(line) => line,
                Err(ReadlineError::Interrupted) => {
                    note("Ctrl-D or /exit ends the chat");
                    continue;
                }
                Err(ReadlineError::Eof) => return Ok(()),
                Err(error) => return Err(error).context("cannot read from the terminal"),
            };
            if line.trim().is_empty() {
                continue;
            }
            let _ = editor.add_history_entry(line.as_str());
            if let Some(path) = &history
                && let Err(error) = editor.append_history(path)
            {
                note(format_args!("the history is not kept: {}: {error}", path.display()));
            }
            match Command::parse(&line) {
                Command::Exit => return Ok(()),
                Command::Help => note(HELP),
                Command::Reset => self.reset(),
                Command::System(text) => {
                    self.system = Some(text).filter(|text| !text.is_empty());
                    self.reset();
                }
                Command::Regenerate => self.regenerate(output)?,
                Command::Unknown(name) => note(format_args!("there is no command {name}: /help lists them")),
                Command::Say(text) => {
                    self.messages.push(Message::new("user", text));
                    self.answer(output)?;
                }
            }
        }
    }

    fn reset(&mut self) {
        self.messages.clear();
        self.conversation.rewind(0);
        note("a new chat");
    }

    fn regenerate(&mut self, output: &mut Output) -> Result<()> {
        if self.messages.pop_if(|message| message.role == "assistant").is_none() {
            note("there is no answer yet");
            return Ok(());
        }
        // Another answer needs other choices.
        self.options.sampling.seed = self.options.sampling.seed.wrapping_add(1);
        self.answer(output)
    }

    /// Answers the last message. What cannot be answered is taken back and said, and the chat goes on.
    fn answer(&mut self, output: &mut Output) -> Result<()> {
        self.options.cancel = Cancel::new();
        let system = self.system.iter().map(|text| Message::new("system", text));
        let messages: Vec<_> = system.chain(self.messages.iter().cloned()).collect();
        let (options, conversation) = (&self.options, &mut self.conversation);
        let mut written = Ok(());
        let finish = conversation.model().encode_chat(&messages).and_then(|prompt| {
            interrupt::during(&options.cancel, || {
                conversation.generate(&prompt, options, |event| {
                    if let (Event::Token { text, .. } | Event::Rest { text }, Ok(())) = (event, &written) {
                        written = output.text(text);
                    }
                })
            })
        });
        written?;
        output.line("")?;
        match finish {
            Ok(finish) => {
                note(format_args!("({})", language::summary(&finish)));
                self.messages.push(Message::new("assistant", finish.text));
            }
            Err(error) => {
                self.messages.pop();
                note(format_args!("error: {}; /reset begins a new chat", failure::chain(&error.into())));
            }
        }
        Ok(())
    }
}

/// Where questions are kept from chat to chat, in the user's data folder.
fn history_file() -> Option<PathBuf> {
    let folder = etcetera::choose_base_strategy().ok()?.data_dir().join("pteron");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("chat_history.txt"))
}
