"""The Ray example on a local cluster: an actor is killed half way, and then a whole run; no row is lost or written twice.

    python -m pytest crates/python/examples
"""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pteron
import pytest

ray = pytest.importorskip("ray")
parquet = pytest.importorskip("pyarrow.parquet")

import ray_batch  # noqa: E402

MODEL = Path(__file__).resolve().parents[3] / "fixtures/ops/embedding_q4gsw/dynamic/model.pte"
ROWS = 240
BATCH = 10


class Slow(ray_batch.Predictor):
    """Takes its time, and says who it is and what it has begun, so that it can be killed at work."""

    def __init__(self, model: str, column: str) -> None:
        super().__init__(model, column)
        self.begun = Path(os.environ["ACTORS"], str(os.getpid()))
        self.begun.touch()

    def __call__(self, batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        with self.begun.open("a") as lines:
            lines.write(" ".join(map(str, batch["id"])) + "\n")
        time.sleep(0.25)
        # The program takes a row of ids at a time.
        outputs = [self.forward(row)[0].numpy().sum(axis=1) for row in batch[self.column]]
        return {"id": batch["id"], "output": np.stack(outputs)}


def begun(actors: Path) -> dict[int, list[int]]:
    """The rows that each actor has begun with, by its process."""
    return {int(path.name): [int(row) for row in path.read_text().split()] for path in actors.iterdir()}


@pytest.fixture
def given(tmp_path: Path) -> np.ndarray:
    """The inputs of all rows, which eight files have."""
    import pyarrow

    (tmp_path / "rows").mkdir()
    inputs = np.random.default_rng(0).integers(0, 31, (ROWS, 3))
    for part in range(8):
        chosen = slice(part * ROWS // 8, (part + 1) * ROWS // 8)
        table = pyarrow.table({"id": np.arange(ROWS)[chosen], "input": list(inputs[chosen])})
        parquet.write_table(table, tmp_path / "rows" / f"{part}.parquet")
    return inputs


def check_outputs(target: Path, given: np.ndarray) -> None:
    """Every row is there once, with its output."""
    written = parquet.read_table(target).to_pydict()
    assert sorted(written["id"]) == list(range(ROWS))
    forward = pteron.load(MODEL, device="cpu").method()
    for row, output in zip(written["id"], written["output"], strict=True):
        np.testing.assert_allclose(output, forward(given[row])[0].numpy().sum(axis=1), rtol=1e-5)


def run_slowly(folder: Path, actors: Path, checkpoint: Path | None = None) -> None:
    """Runs the example on a cluster of its own, with two actors that take their time."""
    ray_batch.Predictor = Slow
    found = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    # Two for the actors, and others for reading, writing and knowing what is done.
    ray.init(num_cpus=6, include_dashboard=False, runtime_env={"env_vars": {"ACTORS": str(actors), "PYTHONPATH": found}})
    try:
        options = {"actors": 2, "batch_size": BATCH, "rows_per_file": 2 * BATCH}
        ray_batch.run(MODEL, folder / "rows", folder / "outputs", checkpoint=checkpoint, **options)
    finally:
        ray.shutdown()


def test_a_killed_actor_loses_no_row(tmp_path: Path, given: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_batch, "Predictor", ray_batch.Predictor)
    actors = tmp_path / "actors"
    actors.mkdir()
    killed: list[int] = []

    def kill_one() -> None:
        at_work = begun(actors)
        # Both are at work, and one is in its second batch.
        while len(at_work) < 2 or not all(at_work.values()) or max(map(len, at_work.values())) <= BATCH:
            time.sleep(0.02)
            at_work = begun(actors)
        victim = max(at_work, key=lambda process: len(at_work[process]))
        os.kill(victim, signal.SIGKILL)
        killed.append(victim)

    killer = threading.Thread(target=kill_one)
    killer.start()
    try:
        run_slowly(tmp_path, actors)
    finally:
        killer.join()
    assert killed
    assert len(begun(actors)) >= 3, "no actor took the place of the one that was killed"
    check_outputs(tmp_path / "outputs", given)


def start(folder: Path, name: str) -> tuple["subprocess.Popen[bytes]", Path]:
    """Starts a run in a process of its own, and gives the folder where its actors tell of themselves."""
    actors = folder / name
    actors.mkdir()
    return subprocess.Popen([sys.executable, __file__, folder, actors, folder / "checkpoint"]), actors


def committed(checkpoint: Path) -> list[Path]:
    """The files of the rows that are written for good; others are of rows that were about to be."""
    return [path for path in checkpoint.glob("*.parquet") if not path.name.endswith(".pending.parquet")]


def is_running(process: int) -> bool:
    """Whether a process is there that is more than its exit status."""
    status = Path(f"/proc/{process}/stat")
    return status.is_file() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up as Linux has them")
def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path, given: np.ndarray) -> None:
    first, actors = start(tmp_path, "first")
    # Some rows are known to be written, and many are not.
    while first.poll() is None and len(committed(tmp_path / "checkpoint")) < 2:
        time.sleep(0.02)
    assert first.poll() is None, "the first run has ended by itself"
    first.kill()
    first.wait()
    until = time.monotonic() + 60
    while any(map(is_running, begun(actors))):
        assert time.monotonic() < until, "actors outlive the run that they belong to"
        time.sleep(0.1)
    written = {row for path in committed(tmp_path / "checkpoint") for row in parquet.read_table(path)["id"].to_pylist()}
    assert 0 < len(written) < ROWS
    second, actors = start(tmp_path, "second")
    assert second.wait() == 0
    again = [row for rows in begun(actors).values() for row in rows]
    assert sorted(again) == sorted(set(range(ROWS)) - written), "the second run has not gone on where the first was"
    check_outputs(tmp_path / "outputs", given)


if __name__ == "__main__":
    run_slowly(*map(Path, sys.argv[1:]))
