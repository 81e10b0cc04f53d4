"""Language models."""

import pickle
from pathlib import Path
from typing import Any

import pteron
import pytest
from pteron import _pteron
from pteron.llm import Model


@pytest.fixture(scope="module")
def model(language_model: Path) -> Model:
    return Model.load(language_model, device="cpu")


def test_text_comes_piece_by_piece(model: Model) -> None:
    generation = model.generate("A wing", max_new_tokens=8)
    assert generation.usage is None and generation.finish_reason is None or generation.ids is not None
    pieces = list(generation)
    assert "".join(pieces) == generation.text == model.generate("A wing", max_new_tokens=8).result()
    assert generation.finish_reason in ("max_tokens", "end_of_text")
    assert generation.usage is not None and generation.ids is not None and generation.timings is not None
    assert generation.usage["prompt_tokens"] == len(model.encode("A wing"))
    assert generation.usage["completion_tokens"] == len(generation.ids) <= 8
    assert generation.timings["prefill_seconds"] > 0


def test_tokens_are_prompts_too(model: Model) -> None:
    assert model.generate(model.encode("A wing"), max_new_tokens=4).result() == model.generate("A wing", max_new_tokens=4).result()


def test_leaving_the_loop_ends_it(model: Model) -> None:
    generation = model.generate("A wing", ignore_eos=True)
    for _ in generation:
        break
    generation.cancel()
    generation.result()
    assert generation.finish_reason in ("cancelled", "context_full")
    for _ in model.generate("A wing", ignore_eos=True):
        break


def test_choices_are_repeatable(model: Model) -> None:
    options = {"temperature": 1.0, "top_k": 40, "top_p": 0.9, "min_p": 0.01, "repetition_penalty": 1.1, "max_new_tokens": 12}
    drawn = {seed: model.generate("A wing", seed=seed, **options).result() for seed in (1, 2, 1)}
    assert drawn[1] == model.generate("A wing", seed=1, **options).result()


def test_stop_strings_end_the_text(model: Model) -> None:
    whole = model.generate("A wing", max_new_tokens=12).result()
    middle = whole[len(whole) // 2 :][:2]
    generation = model.generate("A wing", max_new_tokens=12, stop=middle)
    assert generation.result() == whole[: whole.index(middle)]
    assert generation.finish_reason == "stop_string"


def test_conversations_remember(model: Model) -> None:
    conversation = model.conversation()
    first = conversation.generate("A wing", max_new_tokens=4)
    with_first = first.result()
    again = conversation.generate("A wing", max_new_tokens=4)
    assert again.result() == with_first
    assert again.usage is not None and again.usage["reused_tokens"] > 0
    assert conversation.ids[: len(model.encode("A wing"))] == model.encode("A wing")
    conversation.rewind(1)
    assert len(conversation.ids) == 1
    going_on = conversation.generate("A wing", ignore_eos=True)
    with pytest.raises(pteron.InputError, match="not at its end"):
        conversation.rewind(1)
    assert conversation.generate("A wing", max_new_tokens=4).result() == with_first
    going_on.result()
    assert going_on.finish_reason in ("cancelled", "context_full")


def test_chats_need_messages(model: Model) -> None:
    messages = [{"role": "user", "content": "What is a wing?"}]
    answer = model.chat(messages, max_new_tokens=4)
    assert answer.result() == model.chat([("user", "What is a wing?")], max_new_tokens=4).result()
    assert model.conversation().chat(messages, max_new_tokens=4).result() == answer.text
    for wrong in ["What is a wing?", [{"role": "user"}], [7], 7]:
        with pytest.raises(TypeError):
            model.chat(wrong)


def test_wrong_options_are_errors_before_anything_runs(model: Model) -> None:
    with pytest.raises(TypeError, match="max_tokens"):
        model.generate("A wing", max_tokens=3)
    with pytest.raises(pteron.InputError, match="temperature"):
        model.generate("A wing", temperature=-1.0)
    with pytest.raises(TypeError):
        model.generate(1.5)
    with pytest.raises(pteron.InputError):
        model.generate([10**6]).result()
    with pytest.raises(pteron.InputError):
        model.generate([]).result()


def test_models_pickle(model: Model) -> None:
    copy = pickle.loads(pickle.dumps(model))
    assert copy.generate("A wing", max_new_tokens=4).result() == model.generate("A wing", max_new_tokens=4).result()


def test_a_model_is_restored_after_its_device_is_lost(language_model: Path) -> None:
    if not pteron.devices():
        pytest.skip("this machine has no adapter")
    model = Model.load(language_model, device=0)
    conversation = model.conversation()
    expected = conversation.generate("A wing", max_new_tokens=4).result()
    assert model.condition == "ready"
    _pteron._lose_device(pteron.load(language_model, device=0))
    assert model.condition == "lost"
    with pytest.raises(pteron.DeviceError):
        conversation.generate("A wing", max_new_tokens=4).result()
    model.restore()
    assert model.condition == "ready"
    assert conversation.generate("A wing", max_new_tokens=4).result() == expected
    assert model.generate("A wing", max_new_tokens=4).result() == expected


def test_models_keep_their_limits(language_model: Path) -> None:
    with pytest.raises(pteron.LimitError):
        Model.load(language_model, device="cpu", limits={"nodes": 1})


def test_a_file_that_is_no_language_model_is_refused(embedding: Path, tmp_path: Path) -> None:
    with pytest.raises(pteron.Error):
        Model.load(embedding, device="cpu")
    with pytest.raises(FileNotFoundError):
        Model.load(tmp_path / "nothing.pte")


def test_seeds_decide_and_without_one_texts_differ(model: Model) -> None:
    def texts(**options: Any) -> set[str]:
        return {model.generate("A wing", max_new_tokens=12, temperature=1.5, **options).result() for _ in range(4)}

    assert len(texts(seed=3)) == 1
    assert len(texts()) > 1 and len(texts(seed=None, stop=None, top_p=None)) > 1


def test_tokens_are_text_again_and_bytes_are_neither(model: Model) -> None:
    assert model.decode(model.encode("A wing")).endswith("A wing")
    for call in (model.generate, model.decode):
        with pytest.raises(TypeError):
            call(b"A wing")  # type: ignore[operator]
