"""What the stock runtime makes of prompts: a golden run that `pteron verify` follows.

    python tools/export/stock_golden.py MODEL_DIR [--count 24]

Reads `model.pte` and `tokenizer.json` in MODEL_DIR, a program for XNNPACK with its caches, and writes `golden.json` and
`golden.safetensors` beside them: the tokens that the stock runtime prefers, and the logits before each.
"""

import argparse
import json
import sys
from pathlib import Path

import executorch.extension.llm.custom_ops.custom_ops  # noqa: F401  (registers torch.ops.llama and its kernels)
import executorch.kernels.quantized  # noqa: F401  (registers the kernels of quantized embeddings)
import torch
from executorch.extension.pybindings.portable_lib import _load_for_executorch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor

PROMPTS = [
    "What is the capital of France?",
    "Write one sentence about the sea.",
    "List three primary colors.",
    "Why is the sky blue?",
    "Say hello in Spanish.",
]
LOGITS_ATOL = 0.15
"""Activations are rounded to 8 bits row by row, and one that falls to the other side moves logits by as much."""


def follow(program: Path, prompt: list[int], count: int) -> tuple[list[int], Tensor]:
    """The ids that the runtime prefers after a prompt, and the logits that it preferred each by."""
    module = _load_for_executorch(str(program))
    (logits,) = module.forward((torch.tensor([prompt]), torch.tensor([0])))
    ids, rows = [], []
    for place in range(len(prompt), len(prompt) + count):
        rows.append(logits.reshape(-1, logits.shape[-1])[-1].clone())
        ids.append(int(rows[-1].argmax()))
        (logits,) = module.forward((torch.tensor([[ids[-1]]]), torch.tensor([place])))
    return ids, torch.stack(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="MODEL_DIR")
    parser.add_argument("--count", type=int, default=24, help="tokens to generate for each prompt (default: 24)")
    arguments = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(arguments.folder / "tokenizer.json"))
    cases, tensors = [], {}
    for number, text in enumerate(PROMPTS):
        prompt = tokenizer.encode(f"<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n").ids
        ids, logits = follow(arguments.folder / "model.pte", prompt, arguments.count)
        best = logits.topk(2, dim=-1).values
        gaps = [round(float(first - second), 5) for first, second in best]
        cases.append({"name": f"p{number}", "prompt_ids": prompt, "generated_ids": ids, "top2_gap": gaps})
        tensors[f"p{number}.logits"] = logits.float()
        print(f"{text}\n  {tokenizer.decode(ids)!r}", flush=True)
    golden = {"pte": "model.pte", "logits_atol": LOGITS_ATOL, "source": "runtime", "cases": cases}
    (arguments.folder / "golden.json").write_text(json.dumps(golden, indent=1) + "\n")
    save_file(tensors, arguments.folder / "golden.safetensors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
