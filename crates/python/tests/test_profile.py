"""Profiles, and what ExecuTorch's own tools make of them."""

import json
import subprocess
import sys
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


@pytest.fixture
def profile_of_language_model(language_model: Path, tmp_path: Path) -> Path:
    """A folder with a trace and a dump of a language model that wrote some tokens."""
    if not pteron.devices():
        pytest.skip("this machine has no adapter")
    files = ["--trace", tmp_path / "trace.json", "--etdump", tmp_path / "model.etdp"]
    command = [sys.executable, "-m", "pteron", "profile", "--llm", language_model, "--device", "gpu", *files]
    subprocess.run([str(part) for part in command], check=True, capture_output=True)
    return tmp_path


def test_tokens_are_stretches_of_a_trace(profile_of_language_model: Path) -> None:
    trace = json.loads((profile_of_language_model / "trace.json").read_text())
    events = trace["traceEvents"]
    spans = [event for event in events if event["ph"] == "X"]
    assert all(event["dur"] >= 0 and event["ts"] >= 0 for event in spans)
    assert sum(event["name"].startswith("token ") for event in spans) > 1
    assert any(event["name"].startswith("prompt of") for event in spans)
    # The host and the GPU have tracks of their own, and memory is a counter.
    assert len({(event["pid"], event["tid"]) for event in spans}) > 1
    assert any(event["ph"] == "C" for event in events)


def test_the_inspector_reads_the_dump_of_a_language_model(profile_of_language_model: Path) -> None:
    devtools = pytest.importorskip("executorch.devtools")
    inspector = devtools.Inspector(etdump_path=str(profile_of_language_model / "model.etdp"))
    names = [event.name for block in inspector.event_blocks for event in block.events]
    assert "Method::execute" in names
    assert any("dispatch_id" in name for name in names)
