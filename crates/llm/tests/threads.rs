//! Generations on executors that move futures from thread to thread, as servers have them.

mod common;

use common::{generate, gpu, steps, tiny};

/// A future that may go on in another thread.
fn movable<T>(future: impl Future<Output = T> + Send) -> impl Future<Output = T> + Send {
    future
}

#[test]
fn a_generation_may_go_on_in_another_thread() {
    let prompt = [0, 40, 12];
    let model = tiny(&gpu());
    let expected = generate(&mut model.conversation().expect("there is memory"), &prompt, &steps(6)).ids;
    let mut ids = Vec::new();
    let task = async {
        let mut conversation = model.conversation_async().await?;
        let options = steps(6);
        let finish = conversation.generate_async(&prompt, &options, |_| {}).await?;
        conversation.rewind(0);
        conversation.logits_async(&prompt, None).await?;
        ids = finish.ids;
        Ok::<(), pteron_llm::Error>(())
    };
    let task = movable(task);
    std::thread::scope(|scope| scope.spawn(|| pteron_runtime::block_on(task)).join().expect("it does not panic"))
        .expect("it generates");
    assert_eq!(ids, expected);
}
