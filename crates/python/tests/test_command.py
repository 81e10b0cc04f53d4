"""The command that the wheel installs."""

import subprocess
import sys
from pathlib import Path

import pteron
import pytest


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "pteron", *arguments], capture_output=True, text=True, check=False)


def test_it_is_the_command_of_the_command_line(embedding: Path) -> None:
    shown = run("inspect", str(embedding))
    assert shown.returncode == 0 and "forward" in shown.stdout
    assert run("--version").stdout.startswith("pteron ")


def test_its_exit_codes_are_the_process_es(tmp_path: Path) -> None:
    missing = run("inspect", str(tmp_path / "nothing.pte"))
    assert missing.returncode == 2 and "nothing.pte" in missing.stderr
    assert run("no-such-command").returncode == 2


def test_the_script_is_beside_python() -> None:
    if not Path(pteron.__file__).is_relative_to(sys.prefix):
        pytest.skip("the package is not installed into this environment")
    script = Path(sys.executable).with_name("pteron")
    shown = subprocess.run([script, "--help"], capture_output=True, text=True, check=True)
    assert "chat" in shown.stdout
