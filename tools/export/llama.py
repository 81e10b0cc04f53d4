"""Makes `fixtures/llm/tiny`: a small Llama with random weights, its tokenizer, and the tokens and logits that it gives.

    python tools/export/llama.py [FOLDER]

The program comes from the stock `export_llama`, as its users run it. The expected tokens and logits come from the same
model in eager PyTorch after quantization; the runtime under test has no part in them. It also needs
`pip install pytorch_tokenizers tokenizers hydra-core`.
"""

import json
import sys
import tempfile
from pathlib import Path

import torch
from executorch.examples.models.llama.export_llama_lib import _prepare_for_llama_export, build_args_parser, export_llama
from executorch.extension.llm.export.config.llm_config import LlmConfig
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

FIXTURE = Path(__file__).resolve().parent.parent.parent / "fixtures" / "llm" / "tiny"

CONTEXT = 64
SPECIAL = ["<|begin|>", "<|end|>", "<|user|>", "<|assistant|>"]
PARAMS = {
    "dim": 64,
    "hidden_dim": 128,
    "n_layers": 2,
    "n_heads": 4,
    "n_kv_heads": 2,
    "vocab_size": 352,
    "norm_eps": 1e-5,
    "rope_theta": 10000.0,
}
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}"
    "{% if message['role'] == 'system' %}{{ message['content'].strip() + '\\n' }}"
    "{% elif message['role'] in ['user', 'assistant'] %}"
    "{{ '<|' + message['role'] + '|>' + message['content'].strip() + eos_token }}"
    "{% else %}{{ raise_exception('no such role: ' + message['role']) }}{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)
TEXT = [
    "A wing carries a bird over the sea, and the sea carries a ship under the wing.",
    "The river runs to the sea; the sea is never full.",
    "Ein Flügel trägt einen Vogel über das Meer, und das Meer trägt ein Schiff.",
    "One bird, two birds, three birds: how many wings are there over the river?",
]
PROMPTS = ["A", "The bird carries a wing over the river.", "Über das Meer: 翼 and 🐦, two birds under one wing?"]
STEPS = 24


def tokenizer() -> Tokenizer:
    """A byte-level BPE tokenizer with as many tokens as the model has."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.train_from_iterator(
        TEXT,
        trainers.BpeTrainer(
            vocab_size=PARAMS["vocab_size"],
            special_tokens=SPECIAL,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    assert made.get_vocab_size() == PARAMS["vocab_size"], made.get_vocab_size()
    return made


def checkpoint() -> dict[str, torch.Tensor]:
    """Random weights under the names of a Llama checkpoint."""
    torch.manual_seed(20)
    width, hidden, vocabulary = PARAMS["dim"], PARAMS["hidden_dim"], PARAMS["vocab_size"]
    keys = width * PARAMS["n_kv_heads"] // PARAMS["n_heads"]

    def linear(outputs: int, inputs: int, gain: float = 1.0) -> torch.Tensor:
        return torch.randn(outputs, inputs) * gain / inputs**0.5

    weights = {
        "tok_embeddings.weight": torch.randn(vocabulary, width),
        "norm.weight": torch.ones(width),
        "output.weight": linear(vocabulary, width, 2.0),
    }
    for layer in range(PARAMS["n_layers"]):
        for name, weight in {
            "attention.wq": linear(width, width, 2.0),
            "attention.wk": linear(keys, width, 2.0),
            "attention.wv": linear(keys, width, 2.0),
            "attention.wo": linear(width, width, 2.0),
            "feed_forward.w1": linear(hidden, width),
            "feed_forward.w2": linear(width, hidden),
            "feed_forward.w3": linear(hidden, width),
            "attention_norm": torch.ones(width),
            "ffn_norm": torch.ones(width),
        }.items():
            weights[f"layers.{layer}.{name}.weight"] = weight
    return weights


def arguments(folder: Path, output: Path) -> list[str]:
    """What a user of `export_llama` gives for a 4-bit model with a cache."""
    metadata = json.dumps({"get_bos_id": 0, "get_eos_ids": [1]})
    text = (
        f"--model stories110m -c {folder}/model.pth -p {folder}/params.json -kv --use_sdpa_with_kv_cache -qmode 4w -G 32 "
        f"-E 4,32 -V -d fp32 --max_seq_length {CONTEXT} --max_context_length {CONTEXT} -n {output}"
    )
    return [*text.split(), "--metadata", metadata]


def golden(model: torch.nn.Module, prompts: list[list[int]]) -> tuple[list[dict], dict[str, torch.Tensor]]:
    """What the eager model generates, greedily and past every end of text, and its logits at each step."""
    cases, rows = [], {}
    for number, prompt in enumerate(prompts):
        ids, position, generated, gaps, steps = prompt, 0, [], [], []
        for _ in range(STEPS):
            with torch.no_grad():
                logits = model(torch.tensor([ids]), {"input_pos": torch.tensor([position])})
            logits = logits.reshape(-1, PARAMS["vocab_size"])[-1]
            steps.append(logits)
            best = logits.topk(2)
            position += len(ids)
            ids = [int(best.indices[0])]
            generated += ids
            gaps.append(round(float(best.values[0] - best.values[1]), 5))
        cases.append({
            "name": f"p{number}",
            "prompt_text": PROMPTS[number],
            "prompt_ids": prompt,
            "generated_ids": generated,
            "top2_gap": gaps,
        })
        rows[f"p{number}.logits"] = torch.stack(steps)
    return cases, rows


def main() -> None:
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else FIXTURE
    output.mkdir(parents=True, exist_ok=True)
    made = tokenizer()
    made.save(str(output / "tokenizer.json"), pretty=False)
    config = {"bos_token": SPECIAL[0], "eos_token": SPECIAL[1], "chat_template": TEMPLATE}
    (output / "tokenizer_config.json").write_text(json.dumps(config, indent=1) + "\n")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        torch.save(checkpoint(), folder / "model.pth")
        (folder / "params.json").write_text(json.dumps(PARAMS))
        parsed = build_args_parser().parse_args(arguments(folder, output / "model.pte"))
        model = _prepare_for_llama_export(LlmConfig.from_args(parsed)).model.eval()
        prompts = [made.encode(SPECIAL[0] + text).ids for text in PROMPTS]
        cases, logits = golden(model, prompts)
        export_llama(parsed)
        # The same model with the logits after every token, as some users export it.
        every = [*arguments(folder, output / "every_logit.pte"), "--generate_full_logits"]
        export_llama(build_args_parser().parse_args(every))
    save_file(logits, output / "golden.safetensors")
    (output / "golden.json").write_text(json.dumps({"pte": "model.pte", "cases": cases}, indent=1) + "\n")


if __name__ == "__main__":
    main()
