//! Many tokens and many conversations: memory of the host and of the GPU stays as it is, and so does the answer.
//!
//! `PTERON_LONG=1` decodes 20,000 tokens and holds 1000 conversations; otherwise some.

mod common;
#[path = "../../pte/tests/counting/mod.rs"]
mod counting;

use std::sync::atomic::Ordering;

use common::{generate, gpu, steps, tiny};
use counting::{ALLOCATED, pages};
use pteron_llm::Model;
use pteron_runtime::Device;
use pteron_runtime::testing::device::allocated_bytes;

/// Bytes that are allocated.
fn host_bytes() -> usize {
    ALLOCATED.load(Ordering::Relaxed)
}

const PROMPT: [u32; 3] = [0, 40, 12];

/// Decodes tokens in one conversation, which begins again where its context is full.
fn decode(model: &Model, count: usize) {
    let mut conversation = model.conversation().expect("there is memory");
    let room = model.limits().context - PROMPT.len();
    let first = generate(&mut conversation, &PROMPT, &steps(room.min(16))).ids;
    let mut decoded = 0;
    while decoded < count {
        conversation.rewind(0);
        let ids = generate(&mut conversation, &PROMPT, &steps(room)).ids;
        assert_eq!(ids[..first.len()], first, "after {decoded} tokens");
        decoded += ids.len();
    }
}

/// Holds conversations, a few at a time.
fn converse(model: &Model, count: usize, expected: &[u32]) {
    let mut open = Vec::new();
    for number in 0..count {
        let mut conversation = model.conversation().expect("there is memory");
        assert_eq!(generate(&mut conversation, &PROMPT, &steps(expected.len())).ids, expected);
        open.push(conversation);
        if open.len() > 3 {
            open.swap_remove(number % open.len());
        }
    }
}

/// What the host, the device and the process hold.
fn held(device: &Device) -> (usize, Option<u64>, Option<u64>) {
    (host_bytes(), allocated_bytes(device), pages())
}

#[expect(clippy::print_stdout, reason = "the long form is run for its figures")]
fn soak(device: &Device, tokens: usize, conversations: usize) {
    let model = tiny(device);
    let expected = generate(&mut model.conversation().expect("there is memory"), &PROMPT, &steps(4)).ids;
    // Pools and caches fill up.
    decode(&model, 200);
    converse(&model, 12, &expected);
    let before = held(device);
    decode(&model, tokens);
    let between = held(device);
    converse(&model, conversations, &expected);
    let after = held(device);
    println!(
        "{tokens} tokens, then {conversations} conversations on {}: bytes of the host, of the GPU, and pages of the process: \
         {before:?}, {between:?}, {after:?}",
        device.name()
    );
    for (host, gpu, _) in [between, after] {
        assert!(host <= before.0 + (1 << 20), "the host held {} bytes, and holds {host}", before.0);
        if let (Some(before), Some(gpu)) = (before.1, gpu) {
            assert!(gpu <= before + (1 << 20), "the GPU held {before} bytes, and holds {gpu}");
        }
    }
}

/// One test, since both count what the process allocates.
#[test]
fn memory_stays_flat_over_tokens_and_conversations() {
    let is_long = std::env::var_os("PTERON_LONG").is_some();
    let (tokens, conversations) = if is_long { (20_000, 1000) } else { (300, 25) };
    soak(&Device::cpu(), tokens, conversations);
    soak(&gpu(), tokens, conversations);
}
