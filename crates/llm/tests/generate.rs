//! Generation on the committed model: the tokens that PyTorch gave, in every way of feeding and stopping.

mod common;

use common::{generate, goldens, gpu, steps, stream, tiny, tiny_folder};
use pteron_llm::{Assets, Cancel, Error, Event, Generate, Message, Model, ModelOptions, Sampler, Sampling, StopReason};
use pteron_runtime::{Device, Program};

fn on_both(check: impl Fn(&Device)) {
    check(&Device::cpu());
    check(&gpu());
}

/// A prompt of the fixture with a long answer.
fn prompt(model: &Model) -> Vec<u32> {
    model.encode("<|begin|>The bird carries a wing over the river.").expect("it encodes")
}

#[test]
fn tokens_are_those_of_pytorch_however_the_prompt_is_fed() {
    let goldens = goldens(&tiny_folder().join("golden.json"));
    on_both(|device| {
        let model = tiny(device);
        let mut conversation = model.conversation().unwrap();
        for golden in &goldens {
            let text = golden.prompt_text.as_deref().unwrap();
            assert_eq!(model.encode(&format!("<|begin|>{text}")).unwrap(), golden.prompt);
            for chunk in [None, Some(1), Some(3), Some(7), Some(1000)] {
                conversation.rewind(0);
                let options = steps(golden.generated.len()).with_chunk(chunk);
                let finish = generate(&mut conversation, &golden.prompt, &options);
                assert_eq!(finish.ids, golden.generated, "{} in chunks of {chunk:?}", golden.name);
                assert_eq!(finish.reason, StopReason::MaxTokens);
                // The last token was chosen and not fed.
                let fed = golden.prompt.len() + golden.generated.len() - 1;
                assert_eq!(conversation.ids().len(), fed);
                assert_eq!(finish.timings.prefill_tokens, golden.prompt.len());
            }
        }
    });
}

#[test]
fn programs_that_give_the_logits_after_every_token_give_the_same_tokens() {
    let goldens = goldens(&tiny_folder().join("golden.json"));
    on_both(|device| {
        // Here the device cannot choose, since it sees more than one row of logits.
        let model = common::load(&tiny_folder().join("every_logit.pte"), Assets::default(), device);
        let mut conversation = model.conversation().unwrap();
        for golden in &goldens {
            for chunk in [None, Some(3)] {
                conversation.rewind(0);
                let options = steps(golden.generated.len()).with_chunk(chunk);
                let finish = generate(&mut conversation, &golden.prompt, &options);
                assert_eq!(finish.ids, golden.generated, "{} in chunks of {chunk:?}", golden.name);
            }
        }
    });
}

#[test]
fn limits_are_those_of_the_export() {
    let model = tiny(&Device::cpu());
    let limits = model.limits();
    assert_eq!((limits.vocabulary, limits.context, limits.chunk), (352, 64, 63));
    assert_eq!((limits.ends.as_slice(), limits.beginning), (&[1][..], Some(0)));
}

#[test]
fn a_rewound_conversation_is_like_a_fresh_one() {
    on_both(|device| {
        let model = tiny(device);
        let (mut used, mut fresh) = (model.conversation().unwrap(), model.conversation().unwrap());
        let first = prompt(&model);
        generate(&mut used, &first, &steps(20));
        let mut edited = first.clone();
        edited[6] = 200;
        for prompt in [&edited[..], &first[..4], &first, &edited] {
            fresh.rewind(0);
            let expected = generate(&mut fresh, prompt, &steps(12));
            let got = generate(&mut used, prompt, &steps(12));
            assert_eq!(got.ids, expected.ids);
            assert_eq!(used.ids(), fresh.ids());
            assert!(got.timings.reused_tokens > 0 || prompt[0] != first[0], "nothing was reused");
            assert_eq!(got.timings.reused_tokens + got.timings.prefill_tokens, prompt.len());
        }
    });
}

#[test]
fn regenerating_feeds_one_token() {
    let model = tiny(&Device::cpu());
    let mut conversation = model.conversation().unwrap();
    let prompt = prompt(&model);
    let first = generate(&mut conversation, &prompt, &steps(5));
    let again = generate(&mut conversation, &prompt, &steps(5));
    assert_eq!((again.ids, again.timings.prefill_tokens), (first.ids, 1));
}

#[test]
fn conversations_on_one_model_do_not_meet() {
    let goldens = goldens(&tiny_folder().join("golden.json"));
    on_both(|device| {
        let model = tiny(device);
        let mut conversations = [model.conversation().unwrap(), model.conversation().unwrap()];
        let mut texts = [goldens[1].prompt.clone(), goldens[2].prompt.clone()];
        // Token by token, in turns.
        for step in 0..12 {
            for ((conversation, text), golden) in conversations.iter_mut().zip(&mut texts).zip(&goldens[1..]) {
                let finish = generate(conversation, text, &steps(1));
                assert_eq!(finish.ids, [golden.generated[step]], "{} at step {step}", golden.name);
                text.extend(finish.ids);
            }
        }
    });
}

#[test]
fn a_conversation_may_speak_while_another_is_in_the_middle_of_a_word() {
    let goldens = goldens(&tiny_folder().join("golden.json"));
    on_both(|device| {
        let model = tiny(device);
        let [mut outer, mut inner] = [0, 1].map(|_| model.conversation().unwrap());
        let mut text = goldens[2].prompt.clone();
        let finish = outer.generate(&goldens[1].prompt, &steps(12), |event| {
            // Every third token, so that tokens that stay on the device are overwritten at some of them only.
            if let Event::Token { id, .. } = event
                && id % 3 == 0
            {
                text.extend(generate(&mut inner, &text, &steps(2)).ids);
            }
        });
        assert_eq!(finish.unwrap().ids, goldens[1].generated[..12]);
        let said = text.len() - goldens[2].prompt.len();
        assert!(said > 2 && text.ends_with(&goldens[2].generated[..said]), "{said} tokens");
    });
}

#[test]
fn every_conversation_has_one_cache_until_it_ends() {
    let model = tiny(&gpu());
    let bytes = || model.gpu_bytes().state;
    let first = model.conversation().unwrap();
    let one = bytes();
    let others = [0, 1].map(|_| model.conversation().unwrap());
    let cache = (bytes() - one) / 2;
    // Two layers of keys and values: 64 rows of 2 heads with 16 numbers.
    assert_eq!(cache, 2 * 2 * 64 * 2 * 16 * 4);
    drop(others);
    assert_eq!(bytes(), one);
    drop(first);
    let again = model.conversation().unwrap();
    assert_eq!((bytes(), again.ids().len()), (one, 0));
}

#[test]
fn conversations_may_run_in_threads_of_their_own() {
    let goldens = goldens(&tiny_folder().join("golden.json"));
    let model = tiny(&gpu());
    std::thread::scope(|scope| {
        for golden in &goldens {
            let model = &model;
            scope.spawn(move || {
                let mut conversation = model.conversation().unwrap();
                let finish = generate(&mut conversation, &golden.prompt, &steps(golden.generated.len()));
                assert_eq!(finish.ids, golden.generated, "{}", golden.name);
            });
        }
    });
}

#[test]
fn it_makes_no_difference_where_tokens_are_chosen() {
    let model = tiny(&gpu());
    let mut conversation = model.conversation().unwrap();
    let prompt = prompt(&model);
    for (temperature, min_p) in [(0.0, 0.0), (1.0, 0.0), (0.7, 0.1)] {
        let on_device = Sampling::default().with_temperature(temperature).with_min_p(min_p).with_seed(11);
        let expected = {
            // Token by token with the logits on the host.
            let mut sampler = Sampler::new(&on_device).unwrap();
            let mut ids = prompt.clone();
            for _ in 0..20 {
                let logits = conversation.logits(&ids, None).unwrap();
                ids.push(sampler.next(&logits, &ids).unwrap());
            }
            ids.split_off(prompt.len())
        };
        let finish = generate(&mut conversation, &prompt, &steps(20).with_sampling(on_device));
        assert_eq!(finish.ids, expected, "at temperature {temperature}");
    }
}

#[test]
fn a_full_context_ends_the_answer() {
    on_both(|device| {
        let model = tiny(device);
        let mut conversation = model.conversation().unwrap();
        let options = Generate::default().with_ignore_end(true);
        let finish = generate(&mut conversation, &prompt(&model), &options);
        assert_eq!(finish.reason, StopReason::ContextFull);
        assert_eq!(conversation.ids().len(), 64);
        // The token after a full cache is chosen, and cannot be fed.
        assert_eq!(prompt(&model).len() + finish.ids.len(), 65);

        let whole = vec![5; 64];
        let finish = generate(&mut conversation, &whole, &options);
        assert_eq!((finish.reason, finish.ids.len()), (StopReason::ContextFull, 1));
    });
}

#[test]
fn what_is_wrong_is_said_before_anything_runs_and_the_conversation_stays_usable() {
    on_both(|device| {
        let model = tiny(device);
        let mut conversation = model.conversation().unwrap();
        let prompt = prompt(&model);
        let expected = generate(&mut conversation, &prompt, &steps(6)).ids;
        let held = conversation.ids().to_vec();
        let greedy = Generate::default();
        for (ids, options, text) in [
            (vec![], greedy.clone(), "the prompt has no tokens"),
            (vec![1, 352], greedy.clone(), "token 352 at place 1 is outside the model's vocabulary of 352"),
            (vec![1; 65], greedy.clone(), "65 tokens, and the model's context holds 64"),
            (vec![1], greedy.clone().with_chunk(0), "chunk is 0"),
            (vec![1], greedy.clone().with_stop(vec![String::new()]), "stop string"),
            (vec![1], greedy.clone().with_sampling(Sampling::default().with_top_p(2.0)), "top-p is 2"),
        ] {
            let error = conversation.generate(&ids, &options, |_| panic!("nothing runs")).unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
            assert_eq!(conversation.ids(), held);
        }
        assert_eq!(generate(&mut conversation, &prompt, &steps(6)).ids, expected);
    });
}

#[test]
fn a_tokenizer_of_another_model_is_refused() {
    let path = tiny_folder().join("model.pte");
    let other = tiny_folder().join("../tokenizers/bpe.model");
    let assets = Assets::open(other).unwrap();
    let options = ModelOptions::default().with_device(Device::cpu()).with_assets(assets);
    let error = Model::load(&Program::open(path).unwrap(), options).unwrap_err();
    assert!(matches!(error, Error::WrongTokenizer { id: 399, vocabulary: 352 }));
    assert!(error.to_string().contains("the tokenizer that this model was exported with"), "{error}");
}

#[test]
fn programs_that_are_no_language_models_are_refused() {
    let path = tiny_folder().join("../../demo/embedding/model.pte");
    let options = ModelOptions::default().with_device(Device::cpu());
    let error = Model::load(&Program::open(path).unwrap(), options).unwrap_err();
    assert!(error.to_string().contains("no language model that runs here"), "{error}");
}

#[test]
fn cancelling_stops_at_a_token_and_the_conversation_goes_on() {
    on_both(|device| {
        let model = tiny(device);
        let mut conversation = model.conversation().unwrap();
        let prompt = prompt(&model);
        let whole = generate(&mut conversation, &prompt, &steps(12)).ids;

        conversation.rewind(0);
        let options = steps(12);
        let mut seen = 0;
        let finish = conversation.generate(&prompt, &options, |event| {
            if let Event::Token { .. } = event {
                seen += 1;
                if seen == 4 {
                    options.cancel.cancel();
                }
            }
        });
        let finish = finish.unwrap();
        assert_eq!((finish.reason, finish.ids.as_slice()), (StopReason::Cancelled, &whole[..4]));
        let held: Vec<u32> = prompt.iter().chain(&whole).copied().take(conversation.ids().len()).collect();
        assert_eq!(conversation.ids(), held);

        let so_far: Vec<u32> = prompt.iter().chain(&finish.ids).copied().collect();
        let rest = generate(&mut conversation, &so_far, &steps(8));
        assert_eq!(rest.ids, whole[4..]);
        assert_eq!(rest.timings.prefill_tokens, so_far.len() - held.len().min(so_far.len() - 1));
    });
}

#[test]
fn cancelling_while_the_prompt_is_fed_leaves_what_was_fed() {
    let model = tiny(&Device::cpu());
    let mut conversation = model.conversation().unwrap();
    let prompt = prompt(&model);
    let expected = generate(&mut conversation, &prompt, &steps(3)).ids;
    conversation.rewind(0);
    let options = steps(3).with_chunk(2);
    let finish = conversation.generate(&prompt, &options, |event| {
        if event == (Event::Prefill { tokens: 4, of: prompt.len() }) {
            options.cancel.cancel();
        }
    });
    let finish = finish.unwrap();
    assert_eq!((finish.reason, finish.ids.len()), (StopReason::Cancelled, 0));
    assert_eq!((conversation.ids(), finish.timings.first_token), (&prompt[..4], None));
    assert_eq!(generate(&mut conversation, &prompt, &steps(3)).ids, expected);

    let cancelled = steps(3).with_cancel(Cancel::new());
    cancelled.cancel.cancel();
    assert_eq!(generate(&mut conversation, &[9, 9], &cancelled).reason, StopReason::Cancelled);
    assert!(conversation.ids().is_empty());
}

#[test]
fn stop_strings_across_tokens_end_the_text_before_them() {
    let model = tiny(&Device::cpu());
    let mut conversation = model.conversation().unwrap();
    let prompt = prompt(&model);
    let (whole, pieces) = stream(&mut conversation, &prompt, &steps(20));
    // From the middle of one token's text into the next one's.
    let shown: Vec<_> = pieces.iter().filter(|piece| !piece.is_empty()).collect();
    let at = (3..shown.len() - 1).find(|&at| shown[at].is_char_boundary(1)).expect("a piece of ASCII");
    let stop = format!("{}{}", shown[at], shown[at + 1].chars().next().unwrap());
    let before = whole.text.find(&stop).expect("it occurs");

    let options = steps(20).with_stop(vec!["never occurs".to_owned(), stop.clone()]);
    let (finish, pieces) = stream(&mut conversation, &prompt, &options);
    assert_eq!((finish.reason, finish.text.as_str()), (StopReason::StopString, &whole.text[..before]));
    assert_eq!(pieces.concat(), finish.text, "no part of the stop string went out");
    assert!(finish.ids.len() < whole.ids.len() && whole.ids.starts_with(&finish.ids));
}

#[test]
fn text_that_only_began_a_stop_string_goes_out_at_the_end() {
    let model = tiny(&Device::cpu());
    let mut conversation = model.conversation().unwrap();
    let prompt = prompt(&model);
    let (whole, _) = stream(&mut conversation, &prompt, &steps(20));
    let last: String = whole.text.chars().rev().take(2).collect::<Vec<_>>().into_iter().rev().collect();
    let options = steps(20).with_stop(vec![format!("{last} never")]);
    let (finish, pieces) = stream(&mut conversation, &prompt, &options);
    assert_eq!((finish.text.as_str(), finish.reason), (whole.text.as_str(), StopReason::MaxTokens));
    assert_eq!(pieces.concat(), whole.text);
}

#[test]
fn tokens_to_stop_at_and_ends_of_text_stop() {
    let model = tiny(&Device::cpu());
    let mut conversation = model.conversation().unwrap();
    let prompt = prompt(&model);
    let whole = generate(&mut conversation, &prompt, &steps(20)).ids;
    let options = steps(20).with_stop_ids(vec![whole[5]]);
    let finish = generate(&mut conversation, &prompt, &options);
    let first = whole.iter().position(|id| *id == whole[5]).unwrap();
    assert_eq!((finish.reason, finish.ids.len()), (StopReason::StopId(whole[5]), first + 1));

    // Sampling at a high temperature comes upon the end of the text sooner or later.
    let ended = (0..60).find_map(|seed| {
        let sampling = Sampling::default().with_temperature(8.0).with_seed(seed);
        let finish = generate(&mut conversation, &prompt, &Generate::default().with_sampling(sampling));
        (finish.reason == StopReason::EndOfText(1)).then_some(finish)
    });
    let ended = ended.expect("one of many answers ends");
    assert_eq!(ended.ids.iter().position(|id| *id == 1), Some(ended.ids.len() - 1));
}

#[test]
fn text_comes_in_whole_characters() {
    let model = tiny(&Device::cpu());
    let mut conversation = model.conversation().unwrap();
    for seed in 0..20 {
        let sampling = Sampling::default().with_temperature(1.5).with_seed(seed);
        let options = steps(40).with_sampling(sampling);
        let (finish, pieces) = stream(&mut conversation, &prompt(&model), &options);
        assert_eq!(pieces.concat(), finish.text);
        assert_eq!(model.tokenizer().unwrap().decode(&finish.ids), finish.text);
    }
}

#[test]
fn sampling_depends_on_the_seed_alone() {
    on_both(|device| {
        let model = tiny(device);
        let (mut first, mut second) = (model.conversation().unwrap(), model.conversation().unwrap());
        let options =
            |seed| steps(16).with_sampling(Sampling::default().with_temperature(1.0).with_top_p(0.95).with_seed(seed));
        let prompt = prompt(&model);
        let ids = generate(&mut first, &prompt, &options(3)).ids;
        assert_eq!(generate(&mut second, &prompt, &options(3)).ids, ids);
        assert_ne!(generate(&mut second, &prompt, &options(4)).ids, ids);
    });
}

#[test]
fn no_tokens_at_all_may_be_asked_for() {
    let model = tiny(&Device::cpu());
    let mut conversation = model.conversation().unwrap();
    let finish = generate(&mut conversation, &prompt(&model), &steps(0));
    assert_eq!((finish.reason, finish.ids.len()), (StopReason::MaxTokens, 0));
    assert_eq!(conversation.ids().len(), prompt(&model).len());
}

#[test]
fn a_model_without_a_tokenizer_speaks_in_ids() {
    let path = tiny_folder().join("model.pte");
    let model = common::load(&path, Assets::default(), &Device::cpu());
    let mut conversation = model.conversation().unwrap();
    let golden = &goldens(&tiny_folder().join("golden.json"))[0];
    let finish = generate(&mut conversation, &golden.prompt, &steps(4));
    assert_eq!((finish.ids.as_slice(), finish.text.as_str()), (&golden.generated[..4], ""));
    assert!(matches!(model.encode("A"), Err(Error::Missing(_))));
    let options = steps(4).with_stop(vec!["x".to_owned()]);
    assert!(matches!(conversation.generate(&golden.prompt, &options, |_| {}), Err(Error::Missing(_))));
}

#[test]
fn a_chat_goes_through_the_template() {
    let model = tiny(&Device::cpu());
    let chat = [Message::new("system", "Be brief."), Message::new("user", " A wing? ")];
    let ids = model.encode_chat(&chat).unwrap();
    let expected = "<|begin|>Be brief.\n<|user|>A wing?<|end|><|assistant|>";
    assert_eq!(ids, model.tokenizer().unwrap().encode_as_is(expected).unwrap());
    let error = model.encode_chat(&[Message::new("tool", "x")]).unwrap_err();
    assert!(error.to_string().contains("no such role: tool"), "{error}");
}
