//! `pteron.llm`: language models.

mod conversation;
mod generation;
mod options;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pteron::llm::{self, Assets, ModelOptions, Template};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

pub(crate) use self::conversation::Conversation;
pub(crate) use self::generation::Generation;
use self::generation::Place;
use crate::source::{Origin, Progress};
use crate::{device, errors, program, source, wait};

/// Conversations that nobody has, to be taken by the next answer.
pub(crate) type Idle = Arc<Mutex<Vec<llm::Conversation>>>;

/// A language model: a program that `export_llama` made, with its tokenizer and chat template.
///
/// >>> from pteron.llm import Model
/// >>> model = Model.load(LANGUAGE_MODEL, device="cpu")
/// >>> generation = model.generate("A wing", max_new_tokens=4)
/// >>> text = "".join(piece for piece in generation)
/// >>> generation.finish_reason, generation.usage["completion_tokens"]
/// ('max_tokens', 4)
#[pyclass(module = "pteron.llm", frozen, weakref)]
pub(crate) struct Model {
    model: llm::Model,
    /// The program that it is restored from.
    program: pteron::Program,
    idle: Idle,
    origin: Origin,
    /// The options of `load`, as the user said them.
    options: Py<PyDict>,
}

#[pymethods]
impl Model {
    /// Loads a model. The tokenizer and the chat template lie beside it, unless they are said.
    ///
    /// `tokenizer` is a tokenizer file and `template` a file with a chat template. `device`, `data`, `precision` and `limits`
    /// are as for programs.
    #[staticmethod]
    #[pyo3(signature = (
        source, *, device=None, tokenizer=None, template=None, data=None, method=None, precision="exact", limits=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python's are named")]
    fn load(
        source: &Bound<'_, PyAny>,
        device: Option<&Bound<'_, PyAny>>,
        tokenizer: Option<PathBuf>,
        template: Option<PathBuf>,
        data: Option<&Bound<'_, PyAny>>,
        method: Option<String>,
        precision: &str,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Model> {
        let py = source.py();
        let origin = Origin::of(source)?;
        let options = PyDict::new(py);
        options.set_item("device", device)?;
        options.set_item("tokenizer", &tokenizer)?;
        options.set_item("template", &template)?;
        options.set_item("data", data)?;
        options.set_item("method", &method)?;
        options.set_item("precision", precision)?;
        options.set_item("limits", limits)?;
        let limits = program::parse_limits(limits)?;
        let data = Origin::several(data)?;
        let choice = device.map(device::parse).transpose()?.unwrap_or_default();
        let precision = program::parse_precision(precision)?;
        let device = device::open(py, choice)?;
        let from = origin.clone();
        let opened = wait::interruptible(py, move || source::open(&from, &data), |_| Ok(()))?;
        let (program, loaded) = opened.map_err(errors::runtime)?;
        let assets = assets(&origin, tokenizer, template)?;
        let asked = ModelOptions::default().with_assets(assets).with_method(method).with_precision(precision);
        let mut progress = Progress::new(&loaded);
        let program = program.on(&device).with_limits(limits);
        let from = program.clone();
        let model = wait::interruptible(py, move || llm::Model::load(&from, asked), |py| progress.tick(py));
        progress.end(py)?;
        let model = model?.map_err(errors::language)?;
        Ok(Model { model, program, idle: Arc::default(), origin, options: options.unbind() })
    }

    /// The name of the device that it runs on.
    #[getter]
    fn device(&self) -> String {
        self.model.device().name().to_owned()
    }

    /// Whether it can go on: `"ready"`, or `"lost"` where its device is lost and `restore()` loads it anew.
    #[getter]
    fn condition(&self) -> &'static str {
        if self.model.device().is_lost() { "lost" } else { "ready" }
    }

    /// Loads the model anew: on its device, or on one like it where that is lost. Conversations feed their next prompt from the
    /// beginning.
    fn restore(&self, py: Python<'_>) -> PyResult<()> {
        let (model, program) = (self.model.clone(), self.program.clone());
        wait::interruptible(py, move || model.restore(&program), |_| Ok(()))?.map_err(errors::language)
    }

    /// Tokens that a conversation holds.
    #[getter]
    fn context(&self) -> usize {
        self.model.limits().context
    }

    /// Tokens of the vocabulary.
    #[getter]
    fn vocabulary(&self) -> usize {
        self.model.limits().vocabulary
    }

    /// The tokens of a text, as the model's prompts begin.
    fn encode(&self, text: &str) -> PyResult<Vec<u32>> {
        self.model.encode(text).map_err(errors::language)
    }

    /// The text of tokens.
    fn decode(&self, ids: &Bound<'_, PyAny>) -> PyResult<String> {
        let ids = options::tokens(ids).ok_or_else(|| errors::wrong_type("tokens are a list of integers"))?;
        self.model.decode(&ids).map_err(errors::language)
    }

    /// Continues a prompt, which is a text or tokens. The result is iterated over for text, as it grows. A generation that nobody
    /// holds any more, as after leaving a loop over it, ends; `cancel()` ends one that has a name.
    ///
    /// Options: `max_new_tokens`, `temperature` (0 takes the likeliest token), `top_k`, `top_p`, `min_p`,
    /// `repetition_penalty`, `seed` (the same one makes the same choices; without, each generation has another), `stop` (a string
    /// or several), `stop_ids`, `ignore_eos`. `None` is the default of each.
    #[pyo3(signature = (prompt, **options))]
    fn generate(&self, prompt: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Generation> {
        let tokens = options::prompt(&self.model, prompt)?;
        self.start(prompt.py(), tokens, options)
    }

    /// Answers a chat: messages as dictionaries of `role` and `content`. Options are those of `generate`.
    #[pyo3(signature = (messages, **options))]
    fn chat(
        &self,
        py: Python<'_>,
        messages: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Generation> {
        let messages = options::messages(messages)?;
        let tokens = self.model.encode_chat(&messages).map_err(errors::language)?;
        self.start(py, tokens, options)
    }

    /// Begins a conversation, which remembers its tokens: what a new prompt has in common with them is not fed again.
    fn conversation(&self, py: Python<'_>) -> PyResult<Conversation> {
        check_process(&self.model)?;
        let model = self.model.clone();
        let conversation = py.detach(|| model.conversation()).map_err(errors::language)?;
        Ok(Conversation::new(self.model.clone(), conversation))
    }

    fn __repr__(&self) -> String {
        format!("pteron.llm.Model(context={}, device={:?})", self.context(), self.device())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let rebuild = py.import("pteron._pickle")?.getattr("load_model")?;
        Ok((rebuild, PyTuple::new(py, [self.origin.object(py)?, self.options.bind(py).clone().into_any()])?))
    }
}

impl Model {
    fn start(&self, py: Python<'_>, tokens: Vec<u32>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Generation> {
        let options = options::parse(options)?;
        check_process(&self.model)?;
        let spare = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let conversation = match spare {
            Some(conversation) => conversation,
            None => py.detach(|| self.model.conversation()).map_err(errors::language)?,
        };
        Generation::start(Place::Idle(conversation, self.idle.clone()), tokens, options)
    }
}

/// Refuses a model on a GPU that this process was forked away from.
fn check_process(model: &llm::Model) -> PyResult<()> {
    if model.device().is_cpu() { Ok(()) } else { device::check_process() }
}

/// The tokenizer and chat template that were said, or that lie beside the model.
fn assets(origin: &Origin, tokenizer: Option<PathBuf>, template: Option<PathBuf>) -> PyResult<Assets> {
    let beside = match (&tokenizer, origin) {
        (Some(path), _) | (None, Origin::Path(path)) => Some(path.with_file_name("tokenizer_config.json")),
        (None, Origin::Bytes(_)) => None,
    };
    let mut assets = match (tokenizer, origin) {
        (Some(tokenizer), _) => Assets::open(tokenizer),
        (None, Origin::Path(path)) => Assets::beside(path),
        (None, Origin::Bytes(_)) => Ok(Assets::default()),
    }
    .map_err(errors::language)?;
    if let Some(path) = template {
        let text = std::fs::read_to_string(&path)
            .map_err(|source| errors::language(llm::Error::Io { name: path.display().to_string(), source }))?;
        // The special tokens that a template may name.
        let config = match beside.and_then(|path| std::fs::read(path).ok()) {
            Some(bytes) => llm::Config::from_json(&bytes).map_err(errors::language)?,
            None => llm::Config::default(),
        };
        let template = Template::new(&text, &config).map_err(errors::language)?;
        assets = assets.with_template(template);
    }
    Ok(assets)
}
