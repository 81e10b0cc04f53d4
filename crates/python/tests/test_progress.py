"""The line that says how far a long load has come."""

import io
import sys
from types import ModuleType

import pytest
from pteron._progress import Line


class Screen(io.StringIO):
    """Standard error, on a terminal or not."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(("terminal", "notebook"), [(True, False), (False, True)])
def test_it_is_written_over_and_taken_away(terminal: bool, notebook: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    if notebook:
        monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    line = Line()
    line.show(0, 4_000_000)
    line.show(4_000_000, 4_000_000)
    line.clear()
    parts = screen.getvalue().split("\r")
    assert [part.strip() for part in parts] == ["", "loading   0 % of 4 MB", "loading 100 % of 4 MB", "", ""]
    # What is written over is covered.
    assert len(parts[2]) >= len(parts[1]) and len(parts[3]) >= len(parts[2].rstrip())


def test_nothing_is_written_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(terminal=False)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    line = Line()
    line.show(1, 2)
    line.clear()
    assert screen.getvalue() == ""
    monkeypatch.setattr(sys, "stderr", None)
    Line().show(1, 2)
