"""Measures how the cost of calls grows with the work, as `plot.py` draws it.

    python tools/plots/measure.py --pteron target/release/pteron --model llama.skel.pte --convolutions target/speed --out target/plots

`--model` is a language model, or a skeleton of one, which is filled. `--convolutions` is the folder of `tools/export/speed.py`,
whose convolutions of several sizes are in it. Every figure is what one `pteron bench --json` prints; needs only Python.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

PROMPTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2047]
CONTEXTS = [0, 64, 128, 256, 512, 1024, 1900]
PRECISIONS = ["exact", "fast"]
# Tokens of an answer whose rate is measured at each context.
ANSWER = 64


def bench(pteron: Path, program: Path, *options: str) -> dict[str, Any]:
    command = [str(pteron), "bench", str(program), "--json", "--device", "gpu", *options]
    print(" ".join(command), file=sys.stderr, flush=True)
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def language_model(pteron: Path, model: Path) -> dict[str, Any]:
    filled = ["--fill-missing"] if model.name.endswith(".skel.pte") else []

    def run(prompt: int, answer: int, depth: int, precision: str) -> dict[str, Any]:
        sizes = ["--prompt-tokens", str(prompt), "--gen", str(answer), "--depth", str(depth)]
        return bench(pteron, model, "--llm", *filled, *sizes, "--precision", precision)

    prompts = {
        precision: [[length, run(length, 1, 0, precision)["ttft_ms"]] for length in PROMPTS] for precision in PRECISIONS
    }
    answers = [[depth, run(8, ANSWER, depth, "exact")["decode_tok_s"]] for depth in CONTEXTS]
    return {"first_token_ms": prompts, "answer_tok_s": answers}


def convolutions(pteron: Path, folder: Path) -> list[list[float]]:
    """The side of each square picture, and the time of a call on the GPU in microseconds."""
    found = {}
    for program in folder.glob("conv_*/model.pte"):
        size = re.fullmatch(r"conv_(\d+)", program.parent.name)
        if size is not None:
            found[int(size[1])] = program
    options = ["--no-check", "--iterations", "50", "--warmup", "50"]
    return [[size, bench(pteron, found[size], *options)["repeated"]["time_us"]] for size in sorted(found)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pteron", type=Path, default=Path("pteron"), help="the command (default: the one on the path)")
    parser.add_argument("--model", type=Path, help="a language model, or a skeleton of one")
    parser.add_argument("--convolutions", type=Path, help="the folder that tools/export/speed.py wrote")
    parser.add_argument("--out", type=Path, default=Path("target/plots"))
    arguments = parser.parse_args()
    if arguments.model is None and arguments.convolutions is None:
        parser.error("there is nothing to measure: give --model, --convolutions or both")
    arguments.out.mkdir(parents=True, exist_ok=True)
    figures: dict[str, Any] = {}
    if arguments.model is not None:
        figures |= language_model(arguments.pteron, arguments.model)
    if arguments.convolutions is not None:
        figures["convolution_us"] = convolutions(arguments.pteron, arguments.convolutions)
        if not figures["convolution_us"]:
            parser.error(f"{arguments.convolutions} holds no conv_SIZE/model.pte; tools/export/speed.py writes them")
    path = arguments.out / "growth.json"
    path.write_text(json.dumps(figures, indent=1) + "\n")
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
