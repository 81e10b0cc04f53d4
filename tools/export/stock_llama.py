"""Runs the stock `export_llama` on weights that are in memory."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

GROUP = 32
"""How many weights share a scale."""


def write_checkpoint(folder: Path, weights: Mapping[str, Tensor], params: Mapping[str, int | float]) -> None:
    """Writes `consolidated.pth` and `params.json`; the head is the embedding where `weights` has none of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    head = {"output.weight": weights["tok_embeddings.weight"]}
    torch.save({**head, **weights}, folder / "consolidated.pth")
    (folder / "params.json").write_text(json.dumps(params, indent=1) + "\n")


VULKAN = ["-V", "-qmode", "4w", "-G", str(GROUP), "-E", f"4,{GROUP}", "-d", "fp32"]
"""Flags for 4-bit matrices and embedding, lowered for Vulkan."""
XNNPACK = ["-X", "--xnnpack-extended-ops", "-qmode", "8da4w", "-G", str(GROUP), "-E", "8,0", "-d", "fp32"]
"""Flags for 4-bit matrices under 8-bit activations and an 8-bit embedding, lowered for XNNPACK."""


def export(
    checkpoint: Path,
    out: Path,
    *,
    model: str,
    context: int,
    bos: int,
    eos: Sequence[int],
    flags: Sequence[str] = tuple(VULKAN),
) -> None:
    """Exports a checkpoint folder to the program `out`, with caches of `context` places."""
    command = [
        sys.executable, "-m", "executorch.examples.models.llama.export_llama", "--model", model,
        "-c", checkpoint / "consolidated.pth", "-p", checkpoint / "params.json",
        "-kv", "--use_sdpa_with_kv_cache", "--max_seq_length", context, "--max_context_length", context,
        "--metadata", json.dumps({"get_bos_id": bos, "get_eos_ids": list(eos)}),
        "-n", out.resolve(), *flags,
    ]
    out.unlink(missing_ok=True)
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0 or not out.exists():
        last = "\n".join((done.stdout + done.stderr).splitlines()[-30:])
        raise RuntimeError(f"export_llama left no program (exit code {done.returncode}); its last words:\n{last}")
