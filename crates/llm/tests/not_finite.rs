//! Logits that are no numbers, from some token on: the same error wherever tokens are chosen.

mod common;

use common::{generate, gpu, steps, tiny, tiny_folder};
use pteron_llm::{Conversation, Error, ErrorKind, Event, Generate, Model, ModelOptions, Sampling, StopReason};
use pteron_runtime::{Device, Program};

/// Numbers of each row of the table that rotary embedding takes its cosines from.
const ROW: usize = 8;

const PROMPT: [u32; 5] = [0, 40, 12, 99, 7];

/// The committed model with a cosine that is NaN at one position: so are all logits after the token that stands there.
fn spoilt_at(position: usize, device: &Device) -> Model {
    let mut bytes = std::fs::read(tiny_folder().join("model.pte")).expect("the model is readable");
    let number = |bytes: &[u8], at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let begins_at = |&at: &usize| {
        let is_row = |row: u8| (number(&bytes, at + usize::from(row) * ROW * 4) - f32::from(row).cos()).abs() < 1e-6;
        (0..ROW).all(|column| number(&bytes, at + column * 4) == 1.0) && (1..20).all(is_row)
    };
    let tables: Vec<_> = (0..bytes.len() - 20 * ROW * 4).step_by(4).filter(begins_at).collect();
    let [table] = tables[..] else { panic!("the model has one table of cosines, not {tables:?}") };
    let at = table + position * ROW * 4;
    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let options = ModelOptions::default().with_device(device.clone());
    Model::load(&Program::from_bytes(bytes).expect("the program opens"), options).expect("the model loads")
}

/// What a generation gives until it fails, and how.
fn until_it_fails(conversation: &mut Conversation, options: &Generate) -> (Vec<u32>, Error) {
    let mut ids = Vec::new();
    let outcome = conversation.generate(&PROMPT, options, |event| {
        if let Event::Token { id, .. } = event {
            ids.push(id);
        }
    });
    (ids, outcome.expect_err("no logit is a number"))
}

/// Ways to choose that a device knows, and one that only the host does.
fn samplings() -> [Sampling; 4] {
    let warm = Sampling::default().with_temperature(0.8).with_seed(4);
    [Sampling::default(), warm.clone(), warm.clone().with_min_p(0.1), warm.with_top_k(20)]
}

#[test]
fn it_is_an_error_after_the_tokens_that_were_written() {
    for device in [Device::cpu(), gpu()] {
        for position in [PROMPT.len() - 1, PROMPT.len(), PROMPT.len() + 7] {
            let (model, sound) = (spoilt_at(position, &device), tiny(&device));
            let (mut conversation, mut other) = (model.conversation().unwrap(), sound.conversation().unwrap());
            for sampling in samplings() {
                let options = steps(20).with_sampling(sampling);
                let expected = generate(&mut other, &PROMPT, &options).ids;
                let (ids, error) = until_it_fails(&mut conversation, &options);
                let tokens = position + 1;
                assert!(matches!(error, Error::NotFinite { tokens: after } if after == tokens), "{error}");
                assert_eq!(error.kind(), ErrorKind::Device);
                // The tokens up to the position are those of a model that computes numbers.
                assert_eq!(ids, expected[..tokens - PROMPT.len()]);
                assert_eq!(conversation.ids().len(), tokens);

                // Nothing of what is no number stays behind.
                conversation.rewind(0);
                let short = options.clone().with_max_new_tokens(tokens - PROMPT.len());
                let finish = generate(&mut conversation, &PROMPT, &short);
                assert_eq!((finish.reason, finish.ids.as_slice()), (StopReason::MaxTokens, ids.as_slice()));
            }
        }
    }
}
