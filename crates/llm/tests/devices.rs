//! Where a language model runs.

use pteron_llm::{Generate, Model, ModelOptions};
use pteron_runtime::{Device, DeviceChoice, Program};

#[test]
fn a_language_model_runs_where_its_program_was_put() {
    let path = pteron_testkit::fixtures().join("llm/tiny/model.pte");
    let device = Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README");
    let program = Program::open(path).expect("the program opens");
    let load = |program: &Program| Model::load(program, ModelOptions::default()).expect("the model loads");
    let on_device = load(&program.clone().on(&device));
    assert_eq!(on_device.device(), device);
    assert!(load(&program.clone().on(&Device::cpu())).device().is_cpu());
    let shared = load(&program);
    assert_eq!(shared.device(), Device::shared().expect("it is open"));

    let options = Generate::default().with_max_new_tokens(4);
    let text = |model: &Model| {
        let mut conversation = model.conversation().expect("there is memory");
        conversation.generate(&[1, 2, 3], &options, |_| {}).expect("it generates").ids
    };
    assert_eq!(text(&on_device), text(&shared));
}
