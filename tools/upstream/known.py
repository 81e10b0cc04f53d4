"""Reads the page of results back, so that a checkout that has run few tests, or none, goes on from what the page tells."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from page import BROKEN, EVERY, FAILED, REFERENCE, REFUSED, STATES, WITNESS, WITNESSED

STATE_OF = {shown: state for state, shown in STATES.items()}
FIGURES = ("theirs", "ours", "between")


def rows(page: str) -> Iterator[tuple[str, str, str, list[str]]]:
    """Every row of a table that tells of a test: the headings above it, the flow that is unfolded there, and the cells."""
    section = part = flow = ""
    for line in page.splitlines():
        if line.startswith("## "):
            section, part = line[3:], ""
        elif line.startswith("### "):
            part = line[4:]
        elif opened := re.match(r"<details><summary>(.*): \d+ tests", line):
            flow = opened[1]
        elif line.startswith("| `"):
            cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            yield section, part, flow, [cells[0].strip("`"), *cells[1:]]


class Page:
    """What the page tells, by device and kind of table."""

    def __init__(self, text: str) -> None:
        self.tables: dict[tuple[str, str], list[list[str]]] = defaultdict(list)
        self.tests: list[tuple[str, list[str]]] = []
        self.refused: dict[str, str] = {}
        self.devices: list[str] = []
        for section, part, flow, cells in rows(text):
            device = section.removeprefix("On ")
            if section == EVERY:
                self.tests.append((flow, cells))
            elif section == REFUSED:
                self.refused[cells[0]] = cells[3]
            elif device != section:
                self.devices += [] if device in self.devices else [device]
                self.tables[device, part].append(cells)

    def said(self, device: str, part: str) -> dict[str, str]:
        """What tests in a state say."""
        return {cells[0]: cells[1] for cells in self.tables[device, part]}

    def calls(self, flow: str, cells: list[str], device: str) -> list[dict[str, Any]]:
        """The programs of a test, as if all that were exported were right."""
        name, programs, exported, delegated = cells[0], *map(int, cells[1:4])
        on = {} if device == REFERENCE else {"on": device}
        calls: list[dict[str, Any]] = [
            {"result": "success", "delegated": int(number < delegated), "close": True, "error": "", "kept": f"{flow}/{name}/{number}", **on}
            for number in range(exported)
        ]
        refused = {"result": "export_fail", "delegated": 0, "close": False, "error": self.refused.get(name, ""), "kept": ""}
        return calls + [dict(refused) for _ in range(programs - exported)]

    def results(self, device: str) -> Iterator[dict[str, Any]]:
        """A line of a report for each test that ran on a device."""
        said = self.said(device, FAILED) | self.said(device, BROKEN)
        for flow, cells in self.tests:
            name, shown = cells[0], cells[4 + self.devices.index(device)]
            if shown == "not run":
                continue
            state, calls = STATE_OF.get(shown, shown), self.calls(flow, cells, device)
            outcome, error = "passed", ""
            if state in ("failed", "broken"):
                outcome, error = "failed", said[name]
                calls[0].update(result="pte_run_fail", close=False, error=error)
            elif state == "upstream only":
                calls[0]["close"] = False
            elif state == "not exported":
                outcome, error = "skipped" if calls else "failed", self.refused[name]
            elif state == "left out":
                outcome = "skipped"
            yield {"test": name, "flow": flow, "outcome": outcome, "seconds": 0, "calls": calls, "error": error}

    def witnesses(self, device: str) -> Iterator[dict[str, Any]]:
        """What ExecuTorch's own runtime made of programs that are not right on a device."""
        flows = {cells[0]: flow for flow, cells in self.tests}
        calls: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for name, *figures, agrees in self.tables[device, WITNESSED]:
            known = {figure: float(text) for figure, text in zip(FIGURES, figures, strict=True) if text}
            ran = agrees in ("yes", "no")
            calls[name].append({"error": "" if ran else agrees, **known, **({"agree": agrees == "yes"} if ran else {})})
        for name, why in self.said(device, BROKEN).items():
            calls[name] = [{"error": why, "broken": why}]
        for name, made in calls.items():
            yield {"test": name, "flow": flows[name], "calls": made}


def take_over(page: Path, results: Path) -> None:
    """Writes what a page tells as the results of its devices."""
    told = Page(page.read_text())
    for device in told.devices:
        stem = "cpu" if device == REFERENCE else "gpu"
        for suffix, lines in (("jsonl", told.results(device)), (WITNESS, told.witnesses(device))):
            (results / f"{stem}.{suffix}").write_text("".join(json.dumps(line) + "\n" for line in lines))
