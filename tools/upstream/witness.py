"""Runs kept programs that are not right by our tolerance in ExecuTorch's own runtime too, where its package has their backend."""

import json
import os
from pathlib import Path
from typing import Any

from broken import broken
from executorch.extension.pybindings import portable_lib as theirs
from kept import ATOL, RTOL, Kept, Run, differs, furthest, tensors
from pteron import portable_lib as ours
from replay import last_lines, right

BACKENDS = ("portable", "xnnpack")
"""How flows begin whose programs ExecuTorch's package can run."""


def outputs(library: Any, kept: Kept, run: Run) -> Any:
    """What a call gives by a library with ExecuTorch's names, or the error that it raises."""
    try:
        module = library._load_for_executorch_from_buffer(kept.program)
        return tensors(module.run_method("forward", tuple(run.inputs)))
    except Exception as error:  # noqa: BLE001: whatever fails is what is asked
        return error


def compare(kept: Kept) -> dict[str, Any]:
    """How far ExecuTorch's runtime is from PyTorch, how far pteron is from both, and whether it is within our tolerance of that runtime."""
    found: dict[str, Any] = {"error": "", "theirs": 0.0, "ours": 0.0, "between": 0.0, "agree": True}
    for run in kept.runs:
        by_them, by_us = outputs(theirs, kept, run), outputs(ours, kept, run)
        if isinstance(by_them, Exception):
            return {"error": f"{type(by_them).__name__}: {by_them}"[:600], "broken": broken(kept.program)}
        if isinstance(by_us, Exception):
            return {"error": "", "theirs": furthest(by_them, run.expected), "agree": False}
        found["theirs"] = max(found["theirs"], furthest(by_them, run.expected))
        found["ours"] = max(found["ours"], furthest(by_us, run.expected))
        found["between"] = max(found["between"], furthest(by_us, by_them))
        found["agree"] = found["agree"] and not differs(by_us, by_them, ATOL, RTOL)
    return found


def witness(results: Path, report: Path, device: str, only: str, flows: list[str], since: int) -> None:
    """Appends a line for each test that is not right by our tolerance on a device, of those that follow so many lines."""
    os.environ["PTERON_DEVICE"] = device
    for line in last_lines(results, since):
        chosen = line["flow"].startswith(BACKENDS) and only in line["test"] and (not flows or line["flow"] in flows)
        if not chosen or right(line):
            continue
        kept = [call["kept"] for call in line["calls"] if call.get("kept") and not call["close"]]
        calls = [compare(Kept.read(results.with_name("programs") / name)) for name in kept]
        with report.open("a") as lines:
            lines.write(json.dumps({"test": line["test"], "flow": line["flow"], "calls": calls}) + "\n")
