//! The arguments of the commands that run language models.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use pteron_llm::Sampling;

use super::{DeviceArgs, PrecisionArg, ProgramArgs};

/// Which model, and what it runs on.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    /// tokenizer.json, or a sentencepiece or tiktoken tokenizer.model; beside the model unless said
    #[arg(long, value_name = "FILE")]
    pub(crate) tokenizer: Option<PathBuf>,
    /// A chat template in Jinja, in place of the tokenizer's own
    #[arg(long, value_name = "FILE")]
    pub(crate) template: Option<PathBuf>,
    /// How closely results must follow 32-bit arithmetic on matrix units
    #[arg(long, value_name = "PRECISION", default_value = "exact")]
    pub(crate) precision: PrecisionArg,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
}

/// How tokens are chosen.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SamplingArgs {
    /// How much variety: 0 takes the likeliest token, always
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) temperature: Option<f32>,
    /// Choose among this many of the likeliest tokens
    #[arg(long, value_name = "K")]
    pub(crate) top_k: Option<usize>,
    /// Choose among the likeliest tokens whose probabilities reach this
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) top_p: Option<f32>,
    /// Choose among tokens that are at least this fraction as likely as the likeliest
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) min_p: Option<f32>,
    /// Above 1: make tokens that occurred less likely
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub(crate) repetition_penalty: Option<f32>,
    /// The same seed makes the same choices; drawn from the clock unless said
    #[arg(long)]
    pub(crate) seed: Option<u32>,
}

impl SamplingArgs {
    /// The sampling that was asked for, with `default` for what was not said.
    ///
    /// Where the default is greedy, asking for a choice among tokens without a temperature makes it 1.
    pub(crate) fn sampling(&self, default: &Sampling) -> Sampling {
        let asked = self.top_k.is_some() || self.top_p.is_some() || self.min_p.is_some() || self.seed.is_some();
        let temperature = if default.is_greedy() && asked { 1.0 } else { default.temperature };
        let sampling = Sampling::default()
            .with_temperature(self.temperature.unwrap_or(temperature))
            .with_top_k(self.top_k.unwrap_or(default.top_k))
            .with_top_p(self.top_p.unwrap_or(default.top_p))
            .with_min_p(self.min_p.unwrap_or(default.min_p))
            .with_repetition_penalty(self.repetition_penalty.unwrap_or(default.repetition_penalty));
        let seed = self.seed.unwrap_or_else(|| if sampling.is_greedy() { 0 } else { seed_from_clock() });
        sampling.with_seed(seed)
    }
}

fn seed_from_clock() -> u32 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    // Nanoseconds change from run to run even where the clock stands within a second.
    now.subsec_nanos()
}

/// Where an answer ends.
#[derive(Clone, Debug, Args)]
pub(crate) struct AnswerArgs {
    /// The most tokens to generate; until the model ends the text or its context is full unless said
    #[arg(long, value_name = "N")]
    pub(crate) max_new_tokens: Option<usize>,
    /// A string that ends the text and is not part of it; may be given several times
    #[arg(long, value_name = "TEXT")]
    pub(crate) stop: Vec<String>,
    /// Go on where the model ends the text
    #[arg(long)]
    pub(crate) ignore_eos: bool,
    /// The most tokens of the prompt in one call; as many as the program takes unless said
    #[arg(long, value_name = "TOKENS")]
    pub(crate) chunk: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The prompt; - reads it from standard input, without its last newline
    #[arg(long, value_name = "TEXT", required_unless_present = "prompt_ids", conflicts_with = "prompt_ids")]
    pub(crate) prompt: Option<String>,
    /// The prompt as token ids: 1,2,3
    #[arg(long, value_name = "IDS")]
    pub(crate) prompt_ids: Option<IdsArg>,
    /// Put the prompt into the chat template, as a message of the user
    #[arg(long, conflicts_with = "prompt_ids")]
    pub(crate) chat: bool,
    /// A message of the system before it; implies --chat
    #[arg(long, value_name = "TEXT", conflicts_with = "prompt_ids")]
    pub(crate) system: Option<String>,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    #[command(flatten)]
    pub(crate) sampling: SamplingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ChatArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// A message of the system before everything else
    #[arg(long, value_name = "TEXT")]
    pub(crate) system: Option<String>,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    #[command(flatten)]
    pub(crate) sampling: SamplingArgs,
}

/// What `bench --llm` measures.
#[derive(Debug, Args)]
pub(crate) struct LanguageBenchArgs {
    /// Time a language model: prompt and answer, in tokens per second
    #[arg(long, conflicts_with_all = ["input", "shape", "warmup", "iterations", "repeat", "sets", "no_check"])]
    pub(crate) llm: bool,
    /// Tokens of the prompt
    #[arg(long, value_name = "N", default_value_t = 512, requires = "llm", value_parser = positive)]
    pub(crate) prompt_tokens: usize,
    /// Tokens to generate
    #[arg(long = "gen", value_name = "N", default_value_t = 128, requires = "llm", value_parser = positive)]
    pub(crate) generate: usize,
    /// Tokens in the cache before the prompt
    #[arg(long, value_name = "N", default_value_t = 0, requires = "llm")]
    pub(crate) depth: usize,
    /// Times that prompt and answer are timed; the median counts
    #[arg(long, value_name = "N", default_value_t = 5, requires = "llm", value_parser = positive)]
    pub(crate) repetitions: usize,
    /// The most tokens of the prompt in one call; as many as the program takes unless said
    #[arg(long, value_name = "TOKENS", requires = "llm", value_parser = positive)]
    pub(crate) chunk: Option<usize>,
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "it is a number above 0".to_owned())
}

/// Token ids with commas or spaces between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IdsArg(pub(crate) Vec<u32>);

impl FromStr for IdsArg {
    type Err = String;

    fn from_str(text: &str) -> Result<IdsArg, String> {
        let words = text.split([',', ' ']).filter(|word| !word.is_empty());
        let id = |word: &str| word.parse().map_err(|_| format!("{word:?} is no token id: give numbers, as in 1,2,3"));
        words.map(id).collect::<Result<_, _>>().map(IdsArg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read() {
        assert_eq!("1,2,3".parse(), Ok(IdsArg(vec![1, 2, 3])));
        assert_eq!("7 8, 9".parse(), Ok(IdsArg(vec![7, 8, 9])));
        assert!("1,-2".parse::<IdsArg>().is_err() && "x".parse::<IdsArg>().is_err());
    }

    #[test]
    fn greedy_unless_a_choice_is_asked_for() {
        let greedy = Sampling::default();
        assert!(SamplingArgs::default().sampling(&greedy).is_greedy());
        let penalized = SamplingArgs { repetition_penalty: Some(1.1), ..SamplingArgs::default() };
        assert!(penalized.sampling(&greedy).is_greedy());
        let top = SamplingArgs { top_k: Some(5), seed: Some(9), ..SamplingArgs::default() }.sampling(&greedy);
        assert_eq!((top.temperature, top.top_k, top.seed), (1.0, 5, 9));
        let chat = Sampling::default().with_temperature(0.7).with_top_p(0.9);
        let cold = SamplingArgs { temperature: Some(0.0), ..SamplingArgs::default() }.sampling(&chat);
        assert!(cold.is_greedy() && cold.top_p == 0.9);
        assert_eq!(SamplingArgs { seed: Some(1), ..SamplingArgs::default() }.sampling(&chat).temperature, 0.7);
    }
}
