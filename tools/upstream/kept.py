"""Programs that ExecuTorch's tests exported, kept with their inputs and expected outputs, so that they run again anywhere."""

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

ATOL = RTOL = 1e-3
"""Our tolerance of floats."""


@dataclass
class Run:
    """One call of a method: what went in, what eager PyTorch gave, and the step of a quantized output.

    Where upstream compares with the network before it was quantized, `quantized` is what the quantized one gives.
    """

    inputs: list[Any]
    expected: list[torch.Tensor]
    step: float | None = None
    quantized: list[torch.Tensor] | None = None


@dataclass
class Kept:
    """A program, its calls, and the tolerance of the test that exported it."""

    program: bytes
    runs: list[Run]
    atol: float
    rtol: float
    first_output_only: bool = False

    def write(self, folder: Path) -> None:
        """Writes everything into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "program.pte").write_bytes(self.program)
        torch.save({**asdict(self), "program": b""}, folder / "calls.pt")

    @classmethod
    def read(cls, folder: Path) -> "Kept":
        """Reads what `write` wrote."""
        # Written by this script; inputs may be numbers and lists as well as tensors.
        fields = torch.load(folder / "calls.pt", weights_only=False)
        fields["program"] = (folder / "program.pte").read_bytes()
        fields["runs"] = [Run(**run) for run in fields["runs"]]
        return cls(**fields)


def tensors(outputs: Any) -> list[torch.Tensor]:
    """Outputs in order, however a module returns them."""
    if isinstance(outputs, torch.Tensor):
        return [outputs]
    return list(outputs.values() if isinstance(outputs, dict) else outputs)


def differs(ours: Sequence[torch.Tensor], theirs: Sequence[torch.Tensor], atol: float, rtol: float) -> str:
    """How outputs differ beyond a tolerance; nothing where they do not."""
    if len(ours) != len(theirs):
        return f"{len(ours)} outputs instead of {len(theirs)}"
    for number, (given, wanted) in enumerate(zip(ours, theirs, strict=True)):
        wanted = wanted.detach()
        if given.shape != wanted.shape or given.dtype != wanted.dtype:
            return f"output {number} is {given.dtype} {list(given.shape)}, not {wanted.dtype} {list(wanted.shape)}"
        left, right = given.double(), wanted.double()
        if not torch.allclose(left, right, atol=atol, rtol=rtol, equal_nan=True):
            apart = torch.nan_to_num((left - right).abs()).max().item()
            return f"output {number} is off by {apart:.3g} at most"
    return ""


def furthest(ours: Sequence[torch.Tensor], theirs: Sequence[torch.Tensor]) -> float:
    """The largest distance between elements of outputs of the same shapes."""
    apart = [torch.nan_to_num((left.double() - right.double()).abs()) for left, right in zip(ours, theirs, strict=True)]
    return max((distance.max().item() for distance in apart if distance.numel()), default=0.0)


def close(ours: Sequence[torch.Tensor], run: Run) -> bool:
    """Whether outputs are right by our tolerance: one step of a quantized output, else 1e-3 and 1e-3."""
    return not differs(ours, run.quantized or run.expected, max(ATOL, 1.01 * (run.step or 0.0)), RTOL)


def execute(kept: Kept, device: str) -> dict[str, Any]:
    """Runs a program on a device and says what became of it, as a line of a report has it."""
    from pteron import portable_lib

    os.environ["PTERON_DEVICE"] = device
    outcome: dict[str, Any] = {"result": "success", "close": True, "error": ""}
    try:
        module = portable_lib._load_for_executorch_from_buffer(kept.program)
        outcome["on"] = module._program.program.device
        for run in kept.runs:
            outputs = tensors(module.run_method("forward", tuple(run.inputs)))
            if kept.first_output_only:
                outputs = outputs[:1]
            outcome["close"] = outcome["close"] and close(outputs, run)
            if error := differs(outputs, run.expected, kept.atol, kept.rtol):
                return {**outcome, "result": "output_mismatch_fail", "close": False, "error": error}
    except Exception as error:  # noqa: BLE001: whatever fails is what is asked
        return {**outcome, "result": "pte_run_fail", "close": False, "error": f"{type(error).__name__}: {error}"[:600]}
    return outcome
