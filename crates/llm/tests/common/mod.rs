//! What the tests share: the fixture, devices, and golden tokens.

#![allow(dead_code, reason = "each test uses some of it")]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use pteron_llm::{Assets, Conversation, Event, Finish, Generate, Model, ModelOptions};
use pteron_runtime::{Device, DeviceChoice, Program};

/// The committed model.
pub(crate) fn tiny_folder() -> PathBuf {
    pteron_testkit::fixtures().join("llm/tiny")
}

/// The models that lie beside a checkout, or where `PTERON_SHARED` says, if they are there.
pub(crate) fn shared_models() -> Option<PathBuf> {
    pteron_testkit::shared("models").filter(|folder| folder.is_dir())
}

/// The GPU, opened once: its pipelines are compiled once then.
pub(crate) fn gpu() -> Device {
    static GPU: LazyLock<Device> =
        LazyLock::new(|| Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README"));
    GPU.clone()
}

/// The model of the fixture, with its tokenizer.
pub(crate) fn tiny(device: &Device) -> Model {
    let path = tiny_folder().join("model.pte");
    load(&path, Assets::beside(&path).expect("the tokenizer reads"), device)
}

pub(crate) fn load(path: &Path, assets: Assets, device: &Device) -> Model {
    let program = Program::open(path).expect("the program opens");
    let options = ModelOptions::default().with_device(device.clone()).with_assets(assets);
    Model::load(&program, options).expect("the model loads")
}

/// Greedy, and past the end of a text.
pub(crate) fn steps(count: usize) -> Generate {
    Generate::default().with_max_new_tokens(count).with_ignore_end(true)
}

pub(crate) fn generate(conversation: &mut Conversation, prompt: &[u32], options: &Generate) -> Finish {
    conversation.generate(prompt, options, |_| {}).expect("the model generates")
}

/// A generation with the text of its events, one after the other.
pub(crate) fn stream(conversation: &mut Conversation, prompt: &[u32], options: &Generate) -> (Finish, Vec<String>) {
    let mut pieces = Vec::new();
    let finish = conversation.generate(prompt, options, |event| match event {
        Event::Token { text, .. } | Event::Rest { text } => pieces.push(text.to_owned()),
        _ => {}
    });
    (finish.expect("the model generates"), pieces)
}

/// One prompt and what PyTorch generated.
pub(crate) struct Golden {
    pub(crate) name: String,
    pub(crate) prompt_text: Option<String>,
    pub(crate) prompt: Vec<u32>,
    pub(crate) generated: Vec<u32>,
    /// How far the best logit was from the next, at each step.
    pub(crate) gaps: Vec<f64>,
}

pub(crate) fn goldens(path: &Path) -> Vec<Golden> {
    let json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(path).expect("the golden tokens are there")).expect("they are JSON");
    let ids = |value: &serde_json::Value| -> Vec<u32> {
        let ids = value.as_array().expect("a list").iter();
        ids.map(|id| u32::try_from(id.as_u64().expect("a number")).expect("an id")).collect()
    };
    let cases: Vec<_> = json["cases"].as_array().expect("cases").iter().collect();
    let golden = |case: &&serde_json::Value| Golden {
        name: case["name"].as_str().expect("a name").to_owned(),
        prompt_text: case["prompt_text"].as_str().map(str::to_owned),
        prompt: ids(&case["prompt_ids"]),
        generated: ids(&case["generated_ids"]),
        gaps: case["top2_gap"].as_array().expect("gaps").iter().filter_map(serde_json::Value::as_f64).collect(),
    };
    let goldens: Vec<_> = cases.iter().map(golden).collect();
    assert!(!goldens.is_empty());
    goldens
}
