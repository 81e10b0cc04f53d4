//! Conversations whose device is lost: they say so, and go on where their model is restored.

mod common;

use common::{steps, tiny_folder};
use pteron_llm::{ErrorKind, Model, ModelOptions};
use pteron_runtime::testing::device::lose;
use pteron_runtime::{Condition, Device, DeviceChoice, Program};

#[test]
fn conversations_go_on_where_their_model_is_restored() {
    let device = Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README");
    let program = Program::open(tiny_folder().join("model.pte")).expect("the program opens");
    let model = Model::load(&program, ModelOptions::default().with_device(device.clone())).expect("the model loads");
    let prompts = [vec![1, 2, 3], vec![4, 5], vec![9, 8, 7, 6]];
    let mut conversations = [(); 3].map(|()| model.conversation().expect("there is memory"));
    let mut chats = Vec::new();
    for (conversation, prompt) in conversations.iter_mut().zip(&prompts) {
        let first = conversation.generate(prompt, &steps(6), |_| {}).expect("it generates").ids;
        let longer = [&prompt[..], &first[..], &[2, 3]].concat();
        let second = conversation.generate(&longer, &steps(6), |_| {}).expect("it generates").ids;
        conversation.rewind(longer.len() - 2);
        chats.push((longer, second));
    }

    lose(&device);
    for (conversation, (longer, _)) in conversations.iter_mut().zip(&chats) {
        let error = conversation.generate(longer, &steps(6), |_| {}).expect_err("the device is lost");
        assert_eq!(error.kind(), ErrorKind::Device, "{error}");
        assert_eq!(conversation.condition(), Condition::Lost);
    }
    model.restore(&program).expect("another device opens");
    assert_ne!(model.device(), device);
    // In another order, and one of them twice.
    for number in [2, 0, 1, 0] {
        let (longer, expected) = &chats[number];
        assert_eq!(conversations[number].condition(), Condition::Ready);
        let finish = conversations[number].generate(longer, &steps(6), |_| {}).expect("it generates");
        assert_eq!(finish.ids, *expected, "conversation {number}");
    }
    let mut new = model.conversation().expect("there is memory");
    assert_eq!(new.generate(&chats[1].0, &steps(6), |_| {}).expect("it generates").ids, chats[1].1);
}
