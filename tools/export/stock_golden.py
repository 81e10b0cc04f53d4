"""What the stock runtime makes of prompts: a golden run that `pteron verify` follows.

    python tools/export/stock_golden.py MODEL_DIR [--count 24] [--pteron cpu]

Reads `model.pte` and `tokenizer.json` in MODEL_DIR, a program for XNNPACK with its caches, and writes `golden.json` and
`golden.safetensors` beside them: the tokens that the stock runtime prefers, and the logits before each.

Rows of activations are rounded to 8 bits by their largest value, which in some models is many times the others. A sum that is
added up in another order then moves logits far, also in the stock runtime when it is fed the same prompt in pieces. How far,
and against which gaps it changes its mind, is measured here, and a golden allows twice that; the logits after a first token,
which attends to nothing but itself, are compared closely.
"""

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
Forward = Callable[[list[int], int], Tensor]
"""Takes ids and the place of the first, and gives logits."""
FEEDINGS = (1, 2, 5)
"""How many ids of a prompt go into a call, beside all at once."""
ALONE_ATOL = 1e-3
"""How far logits may be off after the first token of a prompt, which attends to nothing but itself."""


def stock(program: Path) -> Forward:
    """A fresh state of the stock runtime."""
    module = _load_for_executorch(str(program))
    return lambda ids, place: module.forward((torch.tensor([ids]), torch.tensor([place])))[0]


def ours(program: Path, device: str) -> Forward:
    """A fresh state of pteron, which must be installed."""
    import pteron

    method = pteron.load(program, device=device).method()
    return lambda ids, place: method(torch.tensor([ids]), torch.tensor([place]))[0]


def last(logits: Tensor) -> Tensor:
    """The logits after the last id."""
    return logits.reshape(-1, logits.shape[-1])[-1].float().clone()


def feed(forward: Forward, ids: list[int], prompt: int, most: int) -> Tensor:
    """The logits after a prompt, which is fed in pieces, and after each id that follows it."""
    starts = [*range(0, prompt, most), *range(prompt, len(ids))]
    rows = [last(forward(ids[start:end], start)) for start, end in zip(starts, [*starts[1:], len(ids)], strict=True)]
    return torch.stack(rows[len(range(0, prompt, most)) - 1 :])


def follow(forward: Forward, prompt: list[int], count: int) -> tuple[list[int], Tensor]:
    """The ids that a runtime prefers after a prompt, and the logits that it preferred each by."""
    rows = [last(forward(prompt, 0))]
    ids = [int(rows[0].argmax())]
    while len(ids) < count:
        rows.append(last(forward(ids[-1:], len(prompt) + len(ids) - 1)))
        ids.append(int(rows[-1].argmax()))
    return ids, torch.stack(rows)


@dataclass
class Difference:
    """How often, and how far, logits prefer other ids than those of the golden."""

    steps: int = 0
    others: int = 0
    doubt: float = 0.0
    spread: float = 0.0

    def add(self, golden: Tensor, again: Tensor) -> None:
        lost = golden.max(dim=-1).values - golden.gather(1, again.argmax(dim=-1, keepdim=True))[:, 0]
        self.steps, self.others = self.steps + len(lost), self.others + int((lost > 0).sum())
        self.doubt = max(self.doubt, float(lost.max()))
        self.spread = max(self.spread, float((again - golden).abs().max()))

    def __str__(self) -> str:
        return (f"another id at {self.others} of {self.steps} steps, against a gap of {self.doubt:.2f} at most; "
                f"logits {self.spread:.2f} apart at most")


def case(name: str, prompt: list[int], ids: list[int], logits: Tensor) -> dict[str, Any]:
    """A run of the golden."""
    best = logits.topk(2, dim=-1).values
    gaps = [round(float(first - second), 5) for first, second in best]
    return {"name": name, "prompt_ids": prompt, "generated_ids": ids, "top2_gap": gaps}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="MODEL_DIR")
    parser.add_argument("--count", type=int, default=24, help="tokens to generate for each prompt (default: 24)")
    parser.add_argument("--pteron", action="append", default=[], metavar="DEVICE", help="say how far pteron is off there")
    arguments = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(arguments.folder / "tokenizer.json"))
    program = arguments.folder / "model.pte"
    cases, tensors = [], {}
    itself, others = Difference(), {device: Difference() for device in arguments.pteron}
    for number, text in enumerate(PROMPTS):
        prompt = tokenizer.encode(f"<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n").ids
        ids, logits = follow(stock(program), prompt, arguments.count)
        cases.append(case(f"p{number}", prompt, ids, logits))
        tensors[f"p{number}.logits"] = logits
        print(f"{text}\n  {tokenizer.decode(ids)!r}", flush=True)
        fed = prompt + ids[:-1]
        for most in FEEDINGS:
            itself.add(logits, feed(stock(program), fed, len(prompt), most))
        for device, difference in others.items():
            difference.add(logits, feed(ours(program, device), fed, len(prompt), len(prompt)))
    print(f"the stock runtime, fed in pieces: {itself}")
    for device, difference in others.items():
        print(f"pteron on {device}: {difference}")
    ids, logits = follow(stock(program), prompt[:1], 1)
    cases.append({**case("alone", prompt[:1], ids, logits), "logits_atol": ALONE_ATOL, "choice_gap": ALONE_ATOL})
    tensors["alone.logits"] = logits
    allowed = {"logits_atol": 2 * itself.spread, "choice_gap": 2 * itself.doubt}
    golden = {"pte": "model.pte", **allowed, "source": "runtime", "cases": cases}
    (arguments.folder / "golden.json").write_text(json.dumps(golden, indent=1) + "\n")
    save_file(tensors, arguments.folder / "golden.safetensors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
