"""Runs kept programs again on a device, without exporting them."""

import json
from pathlib import Path
from typing import Any

from kept import Kept, execute

FAILURES = {"pte_load_fail", "pte_run_fail", "output_mismatch_fail"}
"""What `result` says of a program that was exported and did not run rightly."""


def last_lines(report: Path, since: int = 0) -> list[dict[str, Any]]:
    """The last line of each test and flow in a report, or in what follows so many lines of it."""
    lines: dict[tuple[str, str], dict[str, Any]] = {}
    for text in report.read_text().splitlines()[since:]:
        line = json.loads(text)
        lines[line["flow"], line["test"]] = line
    return list(lines.values())


def right(line: dict[str, Any]) -> bool:
    """Whether every program of a test that was exported is right by our tolerance."""
    return line["outcome"] != "failed" and all(call["close"] for call in line["calls"] if call.get("kept"))


def again(line: dict[str, Any], programs: Path, device: str) -> dict[str, Any]:
    """The line of a test whose programs ran again; of one that exported none, as it is."""
    if not any(call.get("kept") for call in line["calls"]):
        return line
    calls = []
    for call in line["calls"]:
        ran = execute(Kept.read(programs / call["kept"]), device) if call.get("kept") else {}
        calls.append({**call, **ran})
    failed = [call for call in calls if call["result"] in FAILURES]
    outcome = "failed" if failed else "passed" if line["outcome"] == "failed" else line["outcome"]
    return {**line, "calls": calls, "outcome": outcome, "error": failed[0]["error"] if failed else ""}


def replay(exported: Path, report: Path, device: str, only: str, flows: list[str], failed: bool) -> None:
    """Runs the kept programs of a report's tests, and appends what became of them."""
    known = {(line["flow"], line["test"]): line for line in last_lines(report)} if report.is_file() else {}
    for line in last_lines(exported):
        if only not in line["test"] or (flows and line["flow"] not in flows):
            continue
        before = known.get((line["flow"], line["test"]))
        if failed and before is not None and right(before):
            continue
        programs = exported.with_name("programs")
        # Large ones may have been removed to make room.
        if any(call.get("kept") and not (programs / call["kept"]).is_dir() for call in line["calls"]):
            continue
        done = again(line, programs, device)
        with report.open("a") as lines:
            lines.write(json.dumps(done) + "\n")
        mark = "." if done["outcome"] != "failed" else f"\n{done['flow']} {done['test']}: {done['error']}\n"
        print(mark, end="", flush=True)
    print()
