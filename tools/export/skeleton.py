"""Exports a language model of a usual size with random weights, and leaves out what is large in the program.

    python tools/export/skeleton.py q4 q4_f16 q8da4 q8da4_xnnpack embedding [--out DIR] [--layers N]

`NAME.skel.pte` has the program's structure and small constants, `NAME.skel.json` says what was cut out and how to fill it:
`pteron bench NAME.skel.pte --llm --fill-missing`. Shapes are those of Llama 3.2 1B; `embedding` is its embedding alone, of
1 to 4,096 ids. An export takes some 12 GB of memory.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import torch
from torch.export import Dim

import omit
import stock_llama
from cases.embedding_q4gsw import LlamaTable
from lib import Case, lower

OUT = Path(__file__).resolve().parent.parent.parent / "target" / "skeletons"

PARAMS = {
    "dim": 2048, "n_layers": 16, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 128256, "hidden_dim": 8192,
    "norm_eps": 1e-5, "rope_theta": 500000.0,
}
CONTEXT = 2048

GROUPS = ["-G", "64", "-d", "fp32"]
FLAVOURS = {
    "q4": ["-V", "-qmode", "4w", "-E", "4,64", *GROUPS],
    "q4_f16": ["-V", "-qmode", "4w", "-E", "4,64", *GROUPS, "--vulkan-force-fp16"],
    "q8da4": ["-V", "-qmode", "8da4w", "-E", "4,64", *GROUPS],
    "q8da4_xnnpack": ["-X", "--xnnpack-extended-ops", "-qmode", "8da4w", "-E", "4,64", *GROUPS],
}
"""Flags of `export_llama`."""

EMBEDDING = "embedding"


def weights(layers: int) -> Iterator[tuple[str, torch.Tensor]]:
    """Random weights that keep activations near unit size."""
    width, hidden = PARAMS["dim"], PARAMS["hidden_dim"]
    keys = width // PARAMS["n_heads"] * PARAMS["n_kv_heads"]

    def linear(outputs: int, inputs: int) -> torch.Tensor:
        return torch.randn(outputs, inputs) / inputs**0.5

    yield "tok_embeddings.weight", torch.randn(PARAMS["vocab_size"], width)
    yield "norm.weight", torch.ones(width)
    for layer in range(layers):
        name = f"layers.{layer}."
        yield f"{name}attention_norm.weight", torch.ones(width)
        yield f"{name}ffn_norm.weight", torch.ones(width)
        yield f"{name}attention.wq.weight", linear(width, width)
        yield f"{name}attention.wk.weight", linear(keys, width)
        yield f"{name}attention.wv.weight", linear(keys, width)
        yield f"{name}attention.wo.weight", linear(width, width)
        yield f"{name}feed_forward.w1.weight", linear(hidden, width)
        yield f"{name}feed_forward.w2.weight", linear(width, hidden)
        yield f"{name}feed_forward.w3.weight", linear(hidden, width)


def embedding() -> bytes:
    """The program of the embedding alone."""
    table = partial(LlamaTable, PARAMS["vocab_size"], PARAMS["dim"], 64)
    case = Case(EMBEDDING, table, [], dynamic=[{0: Dim("ids", min=1, max=4096)}])
    return lower(case, table().eval(), (torch.zeros(8, dtype=torch.int64),)).program


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flavours", nargs="+", choices=[*FLAVOURS, EMBEDDING])
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--layers", type=int, default=PARAMS["n_layers"])
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    if EMBEDDING in options.flavours:
        options.flavours.remove(EMBEDDING)
        print(omit.write(embedding(), options.out / f"llama1b_{EMBEDDING}.skel.pte"))
    if not options.flavours:
        return
    with tempfile.TemporaryDirectory(dir=options.out) as scratch:
        folder = Path(scratch)
        params = {**PARAMS, "n_layers": options.layers}
        stock_llama.write_checkpoint(folder, dict(weights(options.layers)), params)
        for flavour in options.flavours:
            program = folder / f"{flavour}.pte"
            print(f"exporting {flavour}, which takes some minutes", file=sys.stderr, flush=True)
            stock_llama.export(
                folder, program, model="llama3_2", context=CONTEXT, bos=128000, eos=[128009], flags=FLAVOURS[flavour]
            )
            whole = program.read_bytes()
            program.unlink()
            print(omit.write(whole, options.out / f"llama1b_{flavour}.skel.pte"))


if __name__ == "__main__":
    main()
