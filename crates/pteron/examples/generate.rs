//! Generates text: `cargo run --features llm --example generate -- model.pte [prompt]`.
//!
//! The tokenizer lies beside the model.

use std::io::Write as _;

use pteron::llm::{Assets, Event, Generate, Model, ModelOptions};
use pteron::{Device, DeviceChoice, Program};

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which model? give the path of a .pte file, and a prompt")?;
    let prompt = arguments.next().unwrap_or_else(|| "A wing".to_owned());

    let device = Some(Device::open(DeviceChoice::Auto)?);
    let options = ModelOptions::default().with_device(device).with_assets(Assets::beside(&path)?);
    let model = Model::load(&Program::open(&path)?, options)?;
    let mut conversation = model.conversation()?;

    let options = Generate::default().with_max_new_tokens(64);
    let finish = conversation.generate(&model.encode(&prompt)?, &options, |event| {
        if let Event::Token { text, .. } | Event::Rest { text } = event {
            print!("{text}");
            let _ = std::io::stdout().flush();
        }
    })?;
    let rate = finish.timings.decode_rate().unwrap_or(0.0);
    println!("\n{} tokens on {}, {rate:.1} tokens/s", finish.ids.len(), model.device().name());
    Ok(())
}
