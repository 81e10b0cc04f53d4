"""Exports what `train.py` saved with the stock exporter, and writes what the program must generate.

    python tools/demo_model/export.py [--folder target/demo_model] [--out crates/cli/demo]

Writes `model.pte`, `tokenizer.json`, `tokenizer_config.json`, `golden.json` and `golden.safetensors`. The golden ids
and logits come from the model in PyTorch, in 32-bit floats, with the 4-bit constants of the exported file itself.
"""

import argparse
import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from executorch.backends.vulkan.serialization.vulkan_graph_schema import OperatorCall, VkGraph
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor

HERE = Path(__file__).resolve().parent
# The exporter's driver and the reader of programs belong to the fixture scripts.
sys.path.append(str(HERE.parent / "export"))

from model import GROUP, Model, Shape, rounded  # noqa: E402
from program import Program  # noqa: E402
from stock_llama import export, write_checkpoint  # noqa: E402
from train import BOUNDARY, LENGTH, sample  # noqa: E402

OUT = HERE.parent.parent / "crates" / "cli" / "demo"
PROMPTS = [
    "It is a truth universally acknowledged, that",
    "\"My dear Miss Bennet,\" said he,",
    "Emma was not at all sorry to",
]
STEPS = 64
LOGIT_ROWS = 8
LIMIT = 4_000_000
MATRICES = ["attention.wq", "attention.wk", "attention.wv", "attention.wo"] + [f"feed_forward.w{n}" for n in (1, 3, 2)]
NORMS = ["attention_norm", "ffn_norm"]


def tokenizer_config(tokenizer: Tokenizer) -> dict[str, Any]:
    """What a runtime reads beside the tokenizer."""
    boundary = tokenizer.id_to_token(BOUNDARY)
    return {
        "bos_token": boundary, "eos_token": boundary, "add_bos_token": True,
        "tokenizer_class": "GPT2Tokenizer", "model_max_length": LENGTH,
    }


def calls(graph: VkGraph, name: str) -> Iterator[OperatorCall]:
    """The calls of one operator, in order."""
    return (call for call in graph.chain if call.name == f"et_vk.{name}.default")


def unpack(weight: np.ndarray, scales: np.ndarray) -> Tensor:
    """The values of packed weights [rows, columns/2], low nibble first, by the scales [rows, columns/32]."""
    nibbles = np.stack([weight & 15, weight >> 4], axis=-1).reshape(weight.shape[0], -1).astype(np.float32)
    return torch.from_numpy((nibbles - 8) * np.repeat(scales, GROUP, axis=1))


def read_weights(program: Program, shape: Shape) -> dict[str, Tensor]:
    """The weights of an exported program under the model's names, from its operators in the order of their calls."""
    [graph] = program.method("forward").graphs
    layers = range(shape.n_layers)
    linears = [f"layers.{n}.{name}.weight" for n in layers for name in MATRICES] + ["output.weight"]
    norms = [f"layers.{n}.{name}.weight" for n in layers for name in NORMS] + ["norm.weight"]
    weights = {}
    for name, call in zip(linears, calls(graph, "linear_q4gsw"), strict=True):
        packed, scales = (program.constant(graph, value) for value in call.args[1:3])
        weights[name] = unpack(packed, scales.T)
    for name, call in zip(norms, calls(graph, "rms_norm"), strict=True):
        weights[name] = torch.from_numpy(program.constant(graph, call.args[1]).copy())
    [embedding] = calls(graph, "embedding_q4gsw")
    weights["tok_embeddings.weight"] = unpack(*(program.constant(graph, value) for value in embedding.args[:2]))
    return weights


def check(exported: dict[str, Tensor], trained: Model) -> None:
    """Fails unless the exported weights are the ones that the last part of the training used."""
    expected = {name: weight.detach() for name, weight in (dict(trained.named_parameters()) | rounded(trained)).items()}
    expected["output.weight"] = expected["tok_embeddings.weight"]
    if exported.keys() != expected.keys():
        raise ValueError(f"the program and the checkpoint differ in {sorted(exported.keys() ^ expected.keys())}")
    for name, weight in exported.items():
        if not torch.allclose(weight, expected[name], rtol=1e-5, atol=1e-6):
            raise ValueError(f"{name} of the program is not what the checkpoint rounds to")


@torch.no_grad()
def golden(model: Model, name: str, prompt: str, tokenizer: Tokenizer) -> tuple[dict[str, Any], Tensor]:
    """The ids that follow a prompt, each the best one, and the logits of the first few steps."""
    text = tokenizer.id_to_token(BOUNDARY) + prompt
    prompt_ids = tokenizer.encode(text).ids
    ids, gaps, rows = list(prompt_ids), [], []
    for _ in range(STEPS):
        logits = model(torch.tensor([ids]))[0, -1]
        best = logits.topk(2)
        gaps.append(round(float(best.values[0] - best.values[1]), 5))
        rows.append(logits)
        ids.append(int(best.indices[0]))
    generated = ids[len(prompt_ids) :]
    case = {
        "name": name, "prompt_text": text, "prompt_ids": prompt_ids, "generated_ids": generated, "top2_gap": gaps,
        "min_gap": min(gaps), "generated_text": tokenizer.decode(generated, skip_special_tokens=False),
    }
    return case, torch.stack(rows[:LOGIT_ROWS])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("target/demo_model"), help="what train.py wrote")
    parser.add_argument("--out", type=Path, default=OUT, help="folder to write to (default: crates/cli/demo)")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(arguments.folder / "tokenizer.json"))
    shape = Shape(vocab_size=tokenizer.get_vocab_size())
    trained, model = Model(shape).eval(), Model(shape).eval()
    trained.load_state_dict(torch.load(arguments.folder / "checkpoint.pt", weights_only=True)["model"])

    shutil.copyfile(arguments.folder / "tokenizer.json", arguments.out / "tokenizer.json")
    config = json.dumps(tokenizer_config(tokenizer), indent=1)
    (arguments.out / "tokenizer_config.json").write_text(config + "\n")
    file = arguments.out / "model.pte"
    with tempfile.TemporaryDirectory() as checkpoint:
        write_checkpoint(Path(checkpoint), trained.state_dict(), shape.params())
        export(Path(checkpoint), file, model="llama2", context=LENGTH, bos=BOUNDARY, eos=[BOUNDARY])
    data = file.read_bytes()
    if len(data) > LIMIT:
        raise ValueError(f"the program has {len(data)} bytes, more than {LIMIT}")

    exported = read_weights(Program.read(data), shape)
    check(exported, trained)
    del exported["output.weight"]
    model.load_state_dict(exported)
    found = [golden(model, f"p{number}", prompt, tokenizer) for number, prompt in enumerate(PROMPTS)]
    (arguments.out / "golden.json").write_text(json.dumps({
        "pte": file.name,
        "pte_sha256": hashlib.sha256(data).hexdigest(),
        "source": "the model in torch fp32, with the file's own constants",
        "decode": "greedy argmax; not stopped at the end of the text",
        "logits_rows": "row 0 after prefill; row i after feeding generated_ids[i-1]",
        "cases": [case for case, _ in found],
    }, indent=1) + "\n")
    save_file({f"{case['name']}.logits": rows for case, rows in found}, arguments.out / "golden.safetensors")

    print(f"{file}: {len(data)} bytes")
    torch.manual_seed(0)
    for prompt in PROMPTS:
        print(f"---\n{tokenizer.decode(sample(model, {}, tokenizer.encode(prompt).ids, 120, 0.7))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
