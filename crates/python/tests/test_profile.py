"""Profiles, and what ExecuTorch's own tools make of them."""

from pathlib import Path

import numpy as np
import pteron
import pytest
from pteron.runtime import Runtime


@pytest.fixture
def dump(embedding: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is recorded of a load and three calls on a GPU."""
    if not pteron.devices():
        pytest.skip("this machine has no adapter")
    monkeypatch.setenv("PTERON_DEVICE", "gpu")
    program = Runtime.get().load_program(embedding, enable_etdump=True)
    forward = program.load_method("forward")
    reference = pteron.load(embedding, device="cpu").method()
    for ids in ([1], [1], [1]):
        [rows] = forward.execute([np.array(ids)])
        np.testing.assert_allclose(np.asarray(rows), reference(np.array(ids))[0].numpy(), rtol=1e-6)
    path = tmp_path / "model.etdp"
    program.write_etdump_result_to_file(str(path), str(tmp_path / "debug.bin"))
    return path


def test_launches_of_a_call_are_listed(embedding: Path) -> None:
    if not pteron.devices():
        pytest.skip("this machine has no adapter")
    launches = pteron.load(embedding, device="gpu").method().profile(np.array([1, 2]))
    assert launches and all(launch["op"] and launch["kernel"] and launch["nanoseconds"] >= 0 for launch in launches)


def test_a_dump_has_its_length_and_mark(dump: Path) -> None:
    data = dump.read_bytes()
    assert int.from_bytes(data[:4], "little") == len(data) - 4
    assert data[8:12] == b"ED00"


def test_nothing_is_written_that_was_not_recorded(embedding: Path, tmp_path: Path) -> None:
    program = Runtime.get().load_program(embedding)
    with pytest.raises(RuntimeError, match="enable_etdump"):
        program.write_etdump_result_to_file(str(tmp_path / "a"), str(tmp_path / "b"))


def test_the_inspector_reads_a_dump(dump: Path) -> None:
    devtools = pytest.importorskip("executorch.devtools")
    inspector = devtools.Inspector(etdump_path=str(dump))
    blocks = {block.name: block for block in inspector.event_blocks}
    names = [event.name for block in blocks.values() for event in block.events]
    assert "Program::load_method" in names and "Method::execute" in names and "DELEGATE_CALL" in names
    kernels = [event for block in blocks.values() for event in block.events if "dispatch_id" in event.name]
    assert kernels and all(event.is_delegated_op for event in kernels)
    # Three calls are repetitions of one.
    assert {len(event.perf_data.raw) for event in kernels} == {3}
    assert inspector.to_dataframe().shape[0] == len(names)
