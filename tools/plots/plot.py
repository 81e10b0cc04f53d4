"""Draws what `measure.py` measured: prompts by length, answers by context, and a convolution by size.

    pip install matplotlib
    python tools/plots/plot.py target/plots/growth.json --out docs/images
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("svg")
# The same figures give the same file.
matplotlib.rcParams["svg.hashsalt"] = "pteron"
matplotlib.rcParams["svg.fonttype"] = "none"

from matplotlib import pyplot  # noqa: E402

Points = Sequence[Sequence[float]]


def draw(path: Path, lines: dict[str, Points], x: str, y: str, *, logarithmic: bool, bottom: float | None = None) -> None:
    figure, axes = pyplot.subplots(figsize=(6, 3.4), layout="constrained")
    for name, points in lines.items():
        axes.plot([point[0] for point in points], [point[1] for point in points], marker="o", markersize=3, label=name)
    if logarithmic:
        axes.set_xscale("log", base=2)
        axes.set_yscale("log", base=10)
        ticks = sorted({point[0] for points in lines.values() for point in points})
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks], fontsize=7)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_ylim(bottom=bottom)
    axes.grid(visible=True, which="major", alpha=0.3)
    if len(lines) > 1:
        axes.legend()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    print(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", type=Path, help="growth.json, as measure.py wrote it")
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    arguments = parser.parse_args()
    figures = json.loads(arguments.figures.read_text())
    arguments.out.mkdir(parents=True, exist_ok=True)
    if "first_token_ms" in figures:
        path = arguments.out / "prompt-by-length.svg"
        draw(path, figures["first_token_ms"], "tokens of the prompt", "first token after, ms", logarithmic=True)
    if "answer_tok_s" in figures:
        path = arguments.out / "answer-by-context.svg"
        lines = {"exact": figures["answer_tok_s"]}
        draw(path, lines, "tokens before the answer", "tokens a second", logarithmic=False, bottom=0)
    if "convolution_us" in figures:
        path = arguments.out / "convolution-by-size.svg"
        lines = {"3×3, 64 to 64 channels": figures["convolution_us"]}
        draw(path, lines, "side of the picture", "time on the GPU, µs", logarithmic=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
