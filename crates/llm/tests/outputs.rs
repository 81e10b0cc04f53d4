//! Programs that give more than logits.

mod common;

use std::path::PathBuf;

use common::{generate, gpu, steps};
use pteron_llm::{ErrorKind, Model, ModelOptions, Result, Sampler, Sampling};
use pteron_runtime::{Device, HostTensor, Program, Value};

/// It gives the hidden states of all tokens before the logits after the last.
fn path() -> PathBuf {
    pteron_testkit::fixtures().join("programs/language_model/hidden_first/model.pte")
}

fn load(logits: Option<usize>, device: &Device) -> Result<Model> {
    let options = ModelOptions::default().with_device(device.clone()).with_logits(logits);
    Model::load(&Program::open(path()).expect("the program opens"), options)
}

/// Tokens after a prompt, chosen here from the method's second output.
fn expected(prompt: &[u32], sampling: &Sampling, count: usize) -> Vec<u32> {
    let program = Program::open(path()).expect("the program opens").on(&Device::cpu());
    let mut method = program.method("forward").expect("the method loads");
    let mut sampler = Sampler::new(sampling).expect("the sampling makes sense");
    let (mut ids, mut fed) = (prompt.to_vec(), 0);
    for _ in 0..count {
        let tokens: Vec<i64> = ids[fed..].iter().map(|&id| id.into()).collect();
        let position = [i64::try_from(fed).expect("a short text")];
        let inputs: [Value; 2] = [
            HostTensor::from_slice(&tokens, &[1, tokens.len()]).expect("a row").into(),
            HostTensor::from_slice(&position, &[1]).expect("one number").into(),
        ];
        let outputs = method.run(&inputs).expect("it runs");
        let logits = outputs[1].tensor().expect("logits").as_slice::<f32>().expect("floats");
        fed = ids.len();
        ids.push(sampler.next(logits, &ids).expect("a token"));
    }
    ids.split_off(prompt.len())
}

#[test]
fn tokens_come_from_the_output_that_is_named() {
    let prompt = [3, 141, 59];
    for device in [Device::cpu(), gpu()] {
        let model = load(Some(1), &device).expect("it loads");
        assert_eq!(model.limits().vocabulary, 257);
        let mut conversation = model.conversation().expect("there is memory");
        let drawn = Sampling::default().with_temperature(1.0).with_seed(5);
        for sampling in [Sampling::default(), drawn.clone(), drawn.with_top_k(9)] {
            let expected = expected(&prompt, &sampling, 20);
            let options = steps(20).with_sampling(sampling);
            assert_eq!(generate(&mut conversation, &prompt, &options).ids, expected, "{options:?}");
        }
    }
}

#[test]
fn an_output_that_may_or_may_not_hold_logits_must_be_named() {
    for (logits, reason) in [
        (None, "each of these outputs may hold its logits, so say which: 0 (f32[1, 47, 16]), 1 (f32[1, 257])"),
        (Some(2), "output 2 is to hold the logits, and it has 2"),
    ] {
        let error = load(logits, &Device::cpu()).expect_err("nobody knows");
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().contains(reason), "{error}");
    }
}
