//! What a line of a chat asks for.

/// The commands of a chat.
pub(super) const HELP: &str = "  /reset         begin a new chat\n  \
    /system TEXT   set the message of the system, and begin a new chat\n  \
    /regenerate    answer the last question again\n  \
    /help          show this\n  \
    /exit          end (Ctrl-D does, too)\n  \
    Ctrl-C         stop the answer";

/// What a line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command {
    Reset,
    System(String),
    Regenerate,
    Help,
    Exit,
    Unknown(String),
    /// No command: what the user says.
    Say(String),
}

impl Command {
    pub(super) fn parse(line: &str) -> Command {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match name {
            "/reset" => Command::Reset,
            "/system" => Command::System(rest.trim().to_owned()),
            "/regenerate" => Command::Regenerate,
            "/help" => Command::Help,
            "/exit" | "/quit" => Command::Exit,
            // A path or a date is no command.
            name if is_command(name) => Command::Unknown(name.to_owned()),
            _ => Command::Say(line.to_owned()),
        }
    }
}

fn is_command(word: &str) -> bool {
    word.strip_prefix('/').is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_or_speech() {
        for (line, expected) in [
            ("/reset", Command::Reset),
            (" /system  Be brief. ", Command::System("Be brief.".to_owned())),
            ("/system", Command::System(String::new())),
            ("/regenerate", Command::Regenerate),
            ("/quit", Command::Exit),
            ("/rest", Command::Unknown("/rest".to_owned())),
            ("What is /usr/bin?", Command::Say("What is /usr/bin?".to_owned())),
            ("/usr/bin is a folder", Command::Say("/usr/bin is a folder".to_owned())),
        ] {
            assert_eq!(Command::parse(line), expected, "{line}");
        }
    }
}
