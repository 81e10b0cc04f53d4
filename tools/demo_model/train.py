"""Trains the model on what `corpus.py` wrote.

    python tools/demo_model/train.py [--folder target/demo_model] [--steps 1600]

Goes on from `checkpoint.pt` where there is one; Ctrl-C ends the step, saves and stops. The learning rate rises, stays,
and falls to zero over the last part of the steps, so a run can be resumed with fewer or more of them. At the end the
matrices are rounded to 4 bits as the exporter will round them.
"""

import argparse
import signal
import sys
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.func import functional_call

from model import Model, Shape, rounded

LENGTH = 256
BATCH = 16
BOUNDARY = 0
RATE = 2e-3
WARM_UP = 100
FINISH = 0.3
"""The part of the steps over which the learning rate falls."""
ROUNDED = 0.1
"""The part of the steps with matrices of 4 bits."""
SEED = 1811
PROMPTS = ["", "It is a truth universally acknowledged, that", "\"My dear Miss Bennet,\" said he,"]


def draw(ids: Tensor, starts: Tensor) -> tuple[Tensor, Tensor]:
    """Inputs and targets [batch, length]: half begin at a paragraph, with the boundary before it, and half anywhere."""
    starts = starts[starts + LENGTH < len(ids)]
    half = BATCH // 2
    paragraphs = starts[torch.randint(len(starts), (half,))]
    anywhere = torch.randint(1, len(ids) - LENGTH, (BATCH - half,))
    targets = torch.cat([paragraphs, anywhere])[:, None] + torch.arange(LENGTH)
    inputs = ids[targets - 1]
    inputs[:half, 0] = BOUNDARY
    return inputs, ids[targets]


def windows(ids: Tensor) -> tuple[Tensor, Tensor]:
    """Inputs and targets [windows, length] that go through the ids once, each with the boundary before it."""
    targets = ids[: len(ids) // LENGTH * LENGTH].view(-1, LENGTH)
    inputs = torch.cat([torch.full_like(targets[:, :1], BOUNDARY), targets[:, :-1]], dim=1)
    return inputs, targets


def loss_of(model: Model, weights: dict[str, Tensor], inputs: Tensor, targets: Tensor) -> Tensor:
    """The mean cross-entropy of a model whose `weights` stand in for its own."""
    with torch.autocast("cpu", torch.bfloat16):
        logits = functional_call(model, weights, inputs)
    return F.cross_entropy(logits.float().flatten(0, 1), targets.flatten())


@torch.no_grad()
def evaluate(model: Model, weights: dict[str, Tensor], held_out: Tensor) -> float:
    """The mean loss over the held-out chapters."""
    model.eval()
    inputs, targets = windows(held_out)
    parts = zip(inputs.split(BATCH), targets.split(BATCH), strict=True)
    total = sum(loss_of(model, weights, *part).item() * len(part[0]) for part in parts)
    model.train()
    return total / len(inputs)


@torch.no_grad()
def sample(model: Model, weights: dict[str, Tensor], prompt: list[int], count: int, temperature: float) -> list[int]:
    """The prompt and up to `count` ids drawn after it, until the boundary; they must fit into the context."""
    model.eval()
    ids = [BOUNDARY, *prompt]
    for _ in range(count):
        logits = functional_call(model, weights, torch.tensor([ids]))[0, -1]
        ids.append(int(torch.multinomial(torch.softmax(logits / temperature, dim=-1), 1)))
        if ids[-1] == BOUNDARY:
            break
    model.train()
    return ids[1:]


def rate(step: int, steps: int) -> float:
    """The learning rate of a step."""
    finish = steps * FINISH
    return RATE * min(1.0, (step + 1) / WARM_UP, (steps - step) / finish)


def optimizer_of(model: Model) -> torch.optim.AdamW:
    """AdamW that decays the matrices and leaves the norms alone."""
    matrices = [weight for weight in model.parameters() if weight.dim() == 2]
    norms = [weight for weight in model.parameters() if weight.dim() == 1]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": norms, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.95), fused=True)


def report(model: Model, held_out: Tensor, tokenizer: Tokenizer) -> None:
    """Prints the held-out loss, as trained and in 4 bits, and a few samples in 4 bits."""
    weights = rounded(model)
    exact, short = evaluate(model, {}, held_out), evaluate(model, weights, held_out)
    print(f"  held out {exact:.3f}, in 4 bits {short:.3f}")
    for prompt in PROMPTS:
        ids = sample(model, weights, tokenizer.encode(prompt).ids, 60, 0.8)
        print(f"  | {tokenizer.decode(ids)!r}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("target/demo_model"), help="what corpus.py wrote")
    parser.add_argument("--steps", type=int, default=1600)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--every", type=int, default=250, help="steps between checkpoints and samples")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(SEED)
    data = {name: tensor.long() for name, tensor in load_file(arguments.folder / "tokens.safetensors").items()}
    tokenizer = Tokenizer.from_file(str(arguments.folder / "tokenizer.json"))
    checkpoint = arguments.folder / "checkpoint.pt"
    model = Model(Shape(vocab_size=tokenizer.get_vocab_size()), arguments.dropout)
    optimizer = optimizer_of(model)
    first = 0
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        first = saved["step"]
    print(f"{sum(weight.numel() for weight in model.parameters())} parameters, from step {first} to {arguments.steps}")

    interrupted = []
    signal.signal(signal.SIGINT, lambda *_: interrupted.append(True))
    started, losses = time.monotonic(), []
    for step in range(first, arguments.steps):
        torch.manual_seed(SEED + step)
        for group in optimizer.param_groups:
            group["lr"] = rate(step, arguments.steps)
        weights = rounded(model) if step >= arguments.steps * (1 - ROUNDED) else {}
        loss = loss_of(model, weights, *draw(data["train"], data["train_starts"]))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
        done = step + 1
        if done % 50 == 0:
            pace = (time.monotonic() - started) / (done - first)
            print(f"step {done}: loss {sum(losses) / len(losses):.3f}, {pace:.2f} s a step", flush=True)
            losses.clear()
        if done % arguments.every == 0 or done == arguments.steps or interrupted:
            saved = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": done}
            torch.save(saved, checkpoint.with_suffix(".new"))
            checkpoint.with_suffix(".new").replace(checkpoint)
            report(model, data["held_out"], tokenizer)
        if interrupted:
            return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
