"""The examples, and the code on the pages that a stranger reads first."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "crates/python/examples"


def run(*arguments: str | Path, folder: Path) -> str:
    """What a script prints that nothing but the package helps."""
    environment = {**os.environ, "PTERON_DEVICE": "cpu"}
    done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_program_runs_on_random_inputs(fixtures: Path, tmp_path: Path) -> None:
    shown = run(EXAMPLES / "run.py", fixtures / "ops/add/same_shape/model.pte", folder=tmp_path)
    assert "pteron.Method(forward(" in shown and "pteron.Tensor(" in shown


def test_a_language_model_answers(language_model: Path, tmp_path: Path) -> None:
    assert run(EXAMPLES / "chat.py", language_model, "What is a wing?", folder=tmp_path).strip()


@pytest.mark.parametrize("page", ["README.md", "crates/python/README.md", "docs/python.md"])
def test_code_on_a_page_runs(page: str, tmp_path: Path, language_model: Path) -> None:
    """Blocks that need ExecuTorch are left to whoever has it; the others find a model where they say."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    plain = [block for block in blocks if "executorch" not in block]
    assert plain
    for block in plain:
        model = language_model if "pteron.llm" in block else Path(__file__).with_name("classifier.pte")
        for file in model.parent.iterdir() if model == language_model else [model]:
            name = "model.pte" if file == model else file.name
            target = tmp_path / name
            target.unlink(missing_ok=True)
            target.symlink_to(file)
        # The small model has no room for long texts.
        assert run("-c", block.replace("max_new_tokens=64", "max_new_tokens=8"), folder=tmp_path)
