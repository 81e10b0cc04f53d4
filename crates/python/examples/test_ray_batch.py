"""The Ray example on a local cluster: an actor is killed half way, and no row is lost or written twice.

    python -m pytest crates/python/examples
"""

import os
import signal
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


class Slow(ray_batch.Predictor):
    """Takes its time, and says who it is, so that it can be killed at work."""

    def __init__(self, model: str, column: str) -> None:
        super().__init__(model, column)
        Path(os.environ["ACTORS"], str(os.getpid())).touch()

    def __call__(self, batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        with Path(os.environ["ACTORS"], str(os.getpid())).open("a") as begun:
            begun.write("x")
        time.sleep(0.25)
        # The program takes a row of ids at a time.
        outputs = [self.forward(row)[0].numpy().sum(axis=1) for row in batch[self.column]]
        return {"id": batch["id"], "output": np.stack(outputs)}


def test_a_killed_actor_loses_no_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow

    source, target, actors = tmp_path / "rows", tmp_path / "outputs", tmp_path / "actors"
    source.mkdir()
    actors.mkdir()
    random = np.random.default_rng(0)
    given = random.integers(0, 31, (ROWS, 3))
    for part in range(8):
        chosen = slice(part * ROWS // 8, (part + 1) * ROWS // 8)
        table = pyarrow.table({"id": np.arange(ROWS)[chosen], "input": list(given[chosen])})
        parquet.write_table(table, source / f"{part}.parquet")
    monkeypatch.setattr(ray_batch, "Predictor", Slow)
    folder = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    # Two for the actors, and two for reading and writing.
    ray.init(num_cpus=4, include_dashboard=False, runtime_env={"env_vars": {"ACTORS": str(actors), "PYTHONPATH": folder}})
    killed: list[int] = []

    def kill_one() -> None:
        at_work: list[Path] = []
        # Both are there, and one is in its second batch.
        while len(at_work) < 2 or max(path.stat().st_size for path in at_work) < 2:
            time.sleep(0.02)
            at_work = list(actors.iterdir())
        victim = int(max(at_work, key=lambda path: path.stat().st_size).name)
        os.kill(victim, signal.SIGKILL)
        killed.append(victim)

    killer = threading.Thread(target=kill_one)
    killer.start()
    try:
        ray_batch.run(MODEL, source, target, actors=2, batch_size=10)
    finally:
        killer.join()
        ray.shutdown()
    assert killed
    assert len(list(actors.iterdir())) >= 3, "no actor took the place of the one that was killed"
    written = parquet.read_table(target).to_pydict()
    assert sorted(written["id"]) == list(range(ROWS))
    forward = pteron.load(MODEL, device="cpu").method()
    for row, output in zip(written["id"], written["output"], strict=True):
        np.testing.assert_allclose(output, forward(given[row])[0].numpy().sum(axis=1), rtol=1e-5)
