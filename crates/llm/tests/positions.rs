//! Programs that take the position of each token and give the logits of all, as models of `transformers` do.

mod common;

use common::{generate, goldens, gpu, load, steps};
use pteron_llm::Assets;
use pteron_runtime::Device;

#[test]
fn tokens_follow_their_positions() {
    let folder = pteron_testkit::fixtures().join("programs/language_model/each_position");
    for device in [Device::cpu(), gpu()] {
        let model = load(&folder.join("model.pte"), Assets::default(), &device);
        assert_eq!((model.limits().vocabulary, model.limits().context), (257, 47));
        let mut conversation = model.conversation().expect("there is memory");
        for golden in goldens(&folder.join("golden.json")) {
            let finish = generate(&mut conversation, &golden.prompt, &steps(golden.generated.len()));
            assert_eq!(finish.ids, golden.generated, "{}", device.name());
            // A prompt that differs early is fed from there, over what the cache holds.
            let other = [&golden.prompt[..3], &[7; 4]].concat();
            generate(&mut conversation, &other, &steps(2));
            let longer = [&golden.prompt[..], &golden.generated[..5]].concat();
            let finish = generate(&mut conversation, &longer, &steps(3));
            assert_eq!(finish.ids, golden.generated[5..8], "{}", device.name());
        }
    }
}
