//! The arguments of every command.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use pteron_runtime::{DeviceChoice, DeviceOptions, PipelineCache, Precision};

mod language;
mod limits;

pub(crate) use language::{AnswerArgs, ChatArgs, GenerateArgs, LanguageBenchArgs, ModelArgs};
pub(crate) use limits::LimitArgs;

/// Run ExecuTorch .pte programs on WebGPU.
#[derive(Debug, Parser)]
#[command(
    name = "pteron",
    version,
    about,
    long_about = "Run ExecuTorch .pte programs on WebGPU.\n\n\
        Exit codes: 0 all went well; 1 the operation failed, or a check found something wrong; 2 bad usage, or a file \
        that cannot be read. Results go to standard output, everything else to standard error. PTERON_LOG=debug shows \
        what happens inside.",
    after_help = "EXAMPLES:\n  \
        pteron demo\n  \
        pteron inspect model.pte\n  \
        pteron run model.pte --random\n  \
        pteron generate model.pte --prompt 'Once upon a time'\n  \
        pteron chat model.pte\n  \
        pteron verify fixtures --device gpu"
)]
pub(crate) struct Arguments {
    /// Print the result as one JSON document
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what a program, data file or bundle holds, and whether it runs here
    #[command(
        long_about = "Show what a .pte, .ptd or .bpte file holds: methods, inputs and outputs with their bounds, \
            delegates, how often each operator occurs and whether it is supported, constants, and the memory that a \
            method takes. It needs no device, and a program that does not run here is shown all the same.",
        after_help = "EXAMPLES:\n  \
            pteron inspect model.pte\n  \
            pteron inspect model.pte --graph\n  \
            pteron inspect model.pte --data weights.ptd --json\n  \
            pteron inspect model.skel.pte --fill-missing"
    )]
    Inspect(InspectArgs),
    /// Run a method on tensors from files, or on random ones
    #[command(
        long_about = "Run a method once. Inputs come from .safetensors or .npy files, or are made up; outputs go to \
            files, or a summary of each is printed.",
        after_help = "EXAMPLES:\n  \
            pteron run model.pte --input inputs.safetensors --output outputs.safetensors\n  \
            pteron run model.pte --input 0=ids.npy --output 0=logits.npy\n  \
            pteron run model.pte --random\n  \
            pteron run model.pte --random 0=2x3 --input 1=mask.npy --seed 7\n  \
            pteron run model.pte --input 0=ids.npy --input 1=5 --method prefill --device cpu"
    )]
    Run(RunArgs),
    /// Run conformance cases and judge their outputs
    #[command(
        long_about = "Run conformance cases and judge their outputs by each case's own tolerance. A case is a .bpte \
            file or a folder with a case.json; a folder may hold a tree of them. Exit code 0: all passed; 1: a case \
            failed, is unsupported or could not be run; 2: bad usage, or there was nothing to run.",
        after_help = "EXAMPLES:\n  \
            pteron verify fixtures\n  \
            pteron verify model.bpte --device cpu\n  \
            pteron verify fixtures --filter embedding --verbose\n  \
            pteron verify fixtures --device gpu --json"
    )]
    Verify(VerifyArgs),
    /// Find the operator that computes wrongly on a GPU
    #[command(
        long_about = "Run a method once on a GPU, compute each of its operators again with the reference engine on what the \
            GPU gave it to read, and name the first whose result differs by more than operators of its kind may, or holds \
            the first NaN or infinity. Fused operators are compared at their borders. Inputs that are not given are made up. \
            Exit code 1 where something is wrong. With --save, what a bug report needs is written to a folder.",
        after_help = "EXAMPLES:\n  \
            pteron check model.pte\n  \
            pteron check model.pte --shape 0=1x16 --seed 3\n  \
            pteron check model.pte --input inputs.safetensors --save wrong\n  \
            pteron check model.pte --no-fuse --json"
    )]
    Check(CheckArgs),
    /// Time a method and check its outputs
    #[command(
        long_about = "Time a method: whole calls with inputs on the host and outputs read back, each kernel by \
            timestamps, and many calls in one submit with sets of inputs and outputs taking turns, so that no cache \
            holds them. Bytes moved are compared with the copy bandwidth measured on the same device. Outputs are \
            checked against the reference engine after timing, and a wrong one is exit code 1. With --llm: how many \
            tokens of a prompt and of an answer a language model takes in a second, with random tokens.",
        after_help = "EXAMPLES:\n  \
            pteron bench model.pte\n  \
            pteron bench model.pte --shape 0=512 --iterations 200\n  \
            pteron bench model.pte --input ids.safetensors --device gpu\n  \
            pteron bench model.pte --without subgroups,matrix\n  \
            pteron bench model.skel.pte --fill-missing --shape 0=4096 --json\n  \
            pteron bench model.pte --llm --prompt-tokens 512 --gen 128 --depth 0"
    )]
    Bench(BenchArgs),
    /// Show where the time of calls goes, kernel by kernel
    #[command(
        long_about = "Call a method with timestamps around each launch, and show what each kernel takes and moves. --trace \
            writes a trace that Perfetto (ui.perfetto.dev) and Chrome open, with what the host does, what the GPU does, and \
            the memory on it; --etdump a file that ExecuTorch's Inspector reads. With --llm a language model also answers a \
            prompt of random tokens, and each token is a stretch of the trace.",
        after_help = "EXAMPLES:\n  \
            pteron profile model.pte\n  \
            pteron profile model.pte --shape 0=512 --trace trace.json\n  \
            pteron profile model.pte --input ids.safetensors --etdump model.etdp\n  \
            pteron profile model.pte --llm --prompt-tokens 64 --gen 16 --trace trace.json"
    )]
    Profile(ProfileArgs),
    /// Generate text with a language model
    #[command(
        long_about = "Generate text with a language model that export_llama made. The tokenizer lies beside the model \
            unless said: tokenizer.json, or tokenizer.model of sentencepiece or Llama 3. The likeliest token is taken \
            at each step, unless --temperature or another choice is given. Ctrl-C ends the answer with the text so far. \
            The text goes to standard output; how fast it came, to standard error.",
        after_help = "EXAMPLES:\n  \
            pteron generate model.pte --prompt 'Once upon a time' --max-new-tokens 64\n  \
            pteron generate model.pte --tokenizer tokenizer.model --prompt - < prompt.txt\n  \
            pteron generate model.pte --chat --system 'Be brief.' --prompt 'What is a wing?' --temperature 0.7\n  \
            pteron generate model.pte --prompt-ids 1,2,3 --ignore-eos --max-new-tokens 16 --json"
    )]
    Generate(GenerateArgs),
    /// Talk with a language model
    #[command(
        long_about = "Talk with a language model in the terminal. Questions are kept from chat to chat. /help lists what \
            a line can ask for; Ctrl-C stops an answer, and Ctrl-D ends the chat. Unless said, the temperature is 0.7 \
            and min-p 0.05, which the GPU draws by itself.",
        after_help = "EXAMPLES:\n  \
            pteron chat model.pte\n  \
            pteron chat model.pte --system 'Answer in verse.' --temperature 1\n  \
            pteron chat model.pte --tokenizer tokenizer.model --template chat.jinja"
    )]
    Chat(ChatArgs),
    /// Show adapters, features, limits and bandwidth, and why there is no GPU if there is none
    #[command(
        long_about = "Show every adapter with its features and limits, the measured copy bandwidth of the best one, \
            which kernels will be used there, and, where no GPU was found, what is missing.",
        after_help = "EXAMPLES:\n  \
            pteron doctor\n  \
            pteron doctor --device llvmpipe\n  \
            pteron doctor --json"
    )]
    Doctor(DoctorArgs),
    /// Write text with a small embedded language model and check it
    #[command(
        long_about = "Load a small language model that is part of this command, let it continue some sentences on the best \
            device, compare its tokens with the ones that PyTorch gave, and print how fast they came. Nothing has to be \
            installed: without a WebGPU adapter the reference engine runs it.",
        after_help = "EXAMPLES:\n  \
            pteron demo\n  \
            pteron demo --device cpu\n  \
            pteron demo --json"
    )]
    Demo(DemoArgs),
    /// Serve a page that chats, shows and runs programs in a browser
    #[command(
        long_about = "Serve a page to browsers on this machine: a chat with the embedded language model or one of your own, what \
            a program holds, its results and the times of its kernels, all computed in the browser on its GPU. Nothing leaves \
            the machine. It is served until Ctrl-C.",
        after_help = "EXAMPLES:\n  \
            pteron web --open\n  \
            pteron web --port 0\n  \
            pteron web --folder crates/web/site\n  \
            pteron web --port 0 --json"
    )]
    Web(WebArgs),
    /// Write a script that completes commands in a shell
    #[command(
        long_about = "Write a script that completes the commands and options of pteron, for a shell to read: where the \
            shell keeps such scripts, or in the file that it reads when it starts.",
        after_help = "EXAMPLES:\n  \
            pteron completions bash > ~/.local/share/bash-completion/completions/pteron\n  \
            pteron completions zsh > ~/.zfunc/_pteron\n  \
            pteron completions fish > ~/.config/fish/completions/pteron.fish\n  \
            pteron completions powershell >> $PROFILE"
    )]
    Completions(CompletionsArgs),
    /// Write the manual as man reads it
    #[command(
        long_about = "Write the page of pteron, or of one of its commands, in the format that man reads; or all of them into \
            a folder.",
        after_help = "EXAMPLES:\n  \
            pteron man | man -l -\n  \
            pteron man inspect > pteron-inspect.1\n  \
            pteron man --output ~/.local/share/man/man1"
    )]
    Man(ManArgs),
}

/// Where a program is.
#[derive(Debug, Args)]
pub(crate) struct ProgramArgs {
    /// A .pte file, or a .bpte file
    pub(crate) file: PathBuf,
    /// A .ptd file with external data; may be given several times
    #[arg(long, value_name = "FILE.ptd")]
    pub(crate) data: Vec<PathBuf>,
    /// Fill the constants that a skeleton lacks, by the manifest beside it (model.skel.json)
    #[arg(long)]
    pub(crate) fill_missing: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// What to run on.
#[derive(Debug, Args)]
pub(crate) struct DeviceArgs {
    /// cpu, gpu, auto, part of an adapter's name, or pci: and its address
    ///
    /// auto takes the best WebGPU adapter, or the reference engine where there is none. gpu takes any WebGPU adapter, a
    /// software one too, and never runs a delegated operator on the CPU. cpu is the reference engine.
    #[arg(long, value_name = "cpu|gpu|auto|NAME|pci:ADDRESS", default_value = "auto", value_parser = parse_device)]
    pub(crate) device: DeviceChoice,
    /// Where compiled kernels are kept from run to run: a folder, user for the user's own, or off
    #[arg(long, value_name = "FOLDER|user|off", default_value = "user", value_parser = parse_cache)]
    pub(crate) pipeline_cache: PipelineCache,
    /// Use a driver that is met for the first time without comparing its kernels with the reference
    ///
    /// Kernels that are wrong on a driver are left out, and a warning names them. What was found is kept with the compiled
    /// kernels.
    #[arg(long)]
    pub(crate) no_self_test: bool,
    /// Features of the adapter to leave alone, as on one that lacks them: --without subgroups,matrix
    #[arg(long, value_name = "FEATURES", value_delimiter = ',')]
    pub(crate) without: Vec<FeatureArg>,
}

/// What kernels can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FeatureArg {
    /// 16-bit floats, and with them matrix units
    F16,
    /// Subgroups, and with them matrix units
    Subgroups,
    /// Matrix units
    Matrix,
}

impl FeatureArg {
    pub(crate) fn left_out(self, options: DeviceOptions) -> DeviceOptions {
        match self {
            FeatureArg::F16 => options.with_f16(false),
            FeatureArg::Subgroups => options.with_subgroups(false),
            FeatureArg::Matrix => options.with_matrix(false),
        }
    }
}

fn parse_cache(text: &str) -> Result<PipelineCache, std::convert::Infallible> {
    text.parse()
}

fn parse_device(text: &str) -> Result<DeviceChoice, std::convert::Infallible> {
    text.parse()
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    /// List the nodes of each delegate and the instructions between them
    #[arg(long)]
    pub(crate) graph: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// The method to run; `forward`, or the only one, unless said
    #[arg(long)]
    pub(crate) method: Option<String>,
    /// Inputs: FILE.safetensors with tensors named 0, 1, …, or N=FILE, or N=NUMBER
    #[arg(long, value_name = "[N=]FILE")]
    pub(crate) input: Vec<InputArg>,
    /// Random inputs: all that no --input gives, or input N with this shape
    ///
    /// Without a value: every tensor that no --input gives, at its declared or largest shape, and numbers as the program was
    /// exported with them.
    #[arg(long, value_name = "N=SHAPE", num_args = 0..=1, default_missing_value = "")]
    pub(crate) random: Vec<RandomArg>,
    /// The seed of random inputs, and of what the program draws at random
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Where outputs go: FILE.safetensors, or N=FILE for one of them
    #[arg(long, value_name = "[N=]FILE")]
    pub(crate) output: Vec<OutputArg>,
}

/// How closely results must follow 32-bit arithmetic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrecisionArg {
    /// As good as 32-bit arithmetic
    #[default]
    Exact,
    /// Matrix units may round activations to 16 bits
    Fast,
}

impl From<PrecisionArg> for Precision {
    fn from(precision: PrecisionArg) -> Precision {
        match precision {
            PrecisionArg::Exact => Precision::Exact,
            PrecisionArg::Fast => Precision::Fast,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// .bpte files, case folders, golden.json files of language models, or trees of them
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// How closely language models must follow 32-bit arithmetic on matrix units
    #[arg(long, value_name = "PRECISION", default_value = "exact")]
    pub(crate) precision: PrecisionArg,
    /// Run only cases whose path contains this text
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// List passes as well
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

/// Inputs of which those that are not given are random.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Inputs: FILE.safetensors with tensors named 0, 1, …, or N=FILE, or N=NUMBER; the others are random
    #[arg(long, value_name = "[N=]FILE")]
    pub(crate) input: Vec<InputArg>,
    /// The shape of a random input: 0=4096, 1=2x3; the largest unless said
    #[arg(long, value_name = "N=SHAPE")]
    pub(crate) shape: Vec<ShapeArg>,
    /// The seed of random inputs
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// The method to check; `forward`, or the only one, unless said
    #[arg(long)]
    pub(crate) method: Option<String>,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// How closely results must follow 32-bit arithmetic on matrix units
    #[arg(long, value_name = "PRECISION", default_value = "exact")]
    pub(crate) precision: PrecisionArg,
    /// Run every operator for itself
    #[arg(long)]
    pub(crate) no_fuse: bool,
    /// A folder for the inputs, and for what the first wrong operator read and gave
    #[arg(long, value_name = "FOLDER")]
    pub(crate) save: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// The method to time; `forward`, or the only one, unless said
    #[arg(long)]
    pub(crate) method: Option<String>,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// Whole calls before timing
    #[arg(long, default_value_t = 5)]
    pub(crate) warmup: u32,
    /// Whole calls to time
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) iterations: u32,
    /// Calls in one submit; 200, or 10 on a software adapter, unless said; 0 leaves this measurement out
    #[arg(long)]
    pub(crate) repeat: Option<u32>,
    /// Sets of inputs and outputs that take turns in that submit
    ///
    /// Unless said, as many as fill 256 MiB, at most 256 and never more than the calls; 2 on a software adapter.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=256))]
    pub(crate) sets: Option<u64>,
    /// Do not compare outputs with the reference engine
    #[arg(long)]
    pub(crate) no_check: bool,
    /// How closely results must follow 32-bit arithmetic on matrix units
    #[arg(long, value_name = "PRECISION", default_value = "exact")]
    pub(crate) precision: PrecisionArg,
    #[command(flatten)]
    pub(crate) language: LanguageBenchArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ProfileArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// The method to call; `forward`, or the only one, unless said
    #[arg(long)]
    pub(crate) method: Option<String>,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// Calls to record, after one that is not
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) calls: u32,
    /// How closely results must follow 32-bit arithmetic on matrix units
    #[arg(long, value_name = "PRECISION", default_value = "exact")]
    pub(crate) precision: PrecisionArg,
    /// Where to write a trace for Perfetto
    #[arg(long, value_name = "FILE.json")]
    pub(crate) trace: Option<PathBuf>,
    /// Where to write an ETDump for ExecuTorch's Inspector
    #[arg(long, value_name = "FILE.etdp")]
    pub(crate) etdump: Option<PathBuf>,
    /// Let a language model answer a prompt of random tokens too
    #[arg(long)]
    pub(crate) llm: bool,
    /// Tokens of the prompt
    #[arg(long, value_name = "N", default_value_t = 32, requires = "llm")]
    pub(crate) prompt_tokens: usize,
    /// Tokens of the answer
    #[arg(long = "gen", value_name = "N", default_value_t = 16, requires = "llm")]
    pub(crate) generate: usize,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct WebArgs {
    /// The port; 0 takes one that is free
    #[arg(long, default_value_t = 8731)]
    pub(crate) port: u16,
    /// Open the page in the browser that opens links
    #[arg(long)]
    pub(crate) open: bool,
    /// Serve the page in this folder, not the one that is part of the command
    #[arg(long)]
    pub(crate) folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command whose page to write; the page of all of them unless said
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub(crate) command: Option<String>,
    /// A folder for all pages, which is made where there is none
    #[arg(long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
}

/// A value of `--input`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum InputArg {
    /// A file for all inputs.
    All(PathBuf),
    /// A file or a number for one input.
    One(usize, String),
}

impl FromStr for InputArg {
    type Err = String;

    fn from_str(text: &str) -> Result<InputArg, String> {
        Ok(match numbered(text) {
            Some((index, rest)) => InputArg::One(index, rest.to_owned()),
            None => InputArg::All(text.into()),
        })
    }
}

/// A value of `--output`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OutputArg {
    /// A file for all outputs.
    All(PathBuf),
    /// A file for one output.
    One(usize, PathBuf),
}

impl FromStr for OutputArg {
    type Err = String;

    fn from_str(text: &str) -> Result<OutputArg, String> {
        Ok(match numbered(text) {
            Some((index, rest)) => OutputArg::One(index, rest.into()),
            None => OutputArg::All(text.into()),
        })
    }
}

/// The shape of one input: `0=2x3`, `0=2,3`; `0=` is a single number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShapeArg {
    pub(crate) input: usize,
    pub(crate) dims: Vec<usize>,
}

impl FromStr for ShapeArg {
    type Err = String;

    fn from_str(text: &str) -> Result<ShapeArg, String> {
        let wrong = || format!("{text:?} is no N=SHAPE, such as 0=2x3 for input 0 (put FILE before this option)");
        let (input, shape) = numbered(text).ok_or_else(wrong)?;
        let sizes = shape.split(['x', ',']).map(str::trim).filter(|_| !shape.is_empty());
        let dims = sizes.map(|size| size.parse().map_err(|_| wrong())).collect::<Result<_, _>>()?;
        Ok(ShapeArg { input, dims })
    }
}

/// A value of `--random`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RandomArg {
    /// Every input that is not given otherwise.
    All,
    /// One input, with its shape.
    One(ShapeArg),
}

impl FromStr for RandomArg {
    type Err = String;

    fn from_str(text: &str) -> Result<RandomArg, String> {
        if text.is_empty() { Ok(RandomArg::All) } else { text.parse().map(RandomArg::One) }
    }
}

/// The number before the first `=`, and what follows.
fn numbered(text: &str) -> Option<(usize, &str)> {
    let (number, rest) = text.split_once('=')?;
    Some((number.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definitions_are_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples() {
        for command in Arguments::command().get_subcommands() {
            let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(examples.contains(&format!("pteron {}", command.get_name())), "{}", command.get_name());
            assert!(command.get_long_about().is_some());
        }
    }

    #[test]
    fn shapes_are_read_in_both_spellings() {
        let shape = |text: &str| text.parse::<ShapeArg>().map(|shape| (shape.input, shape.dims));
        assert_eq!(shape("0=4096"), Ok((0, vec![4096])));
        assert_eq!(shape("1=2x3"), Ok((1, vec![2, 3])));
        assert_eq!(shape("1=2,3"), Ok((1, vec![2, 3])));
        assert_eq!(shape("2="), Ok((2, vec![])));
        for wrong in ["model.pte", "0=2x", "x=2", "0=-1", "0=2 3"] {
            assert!(shape(wrong).is_err(), "{wrong}");
        }
        assert_eq!("".parse(), Ok(RandomArg::All));
        assert_eq!("a=b.npy".parse(), Ok(InputArg::All("a=b.npy".into())));
        assert_eq!("3=b.npy".parse(), Ok(InputArg::One(3, "b.npy".to_owned())));
    }
}
