"""Opening programs and devices, and what goes wrong there."""

import errno
import io
import multiprocessing
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pteron
import pytest
from pteron import _pteron


def test_a_program_comes_from_anywhere(embedding: Path) -> None:
    data = embedding.read_bytes()
    for source in [embedding, str(embedding), data, bytearray(data), memoryview(data), io.BytesIO(data)]:
        program = pteron.load(source, device="cpu")
        assert program.methods == ["forward"]
        assert program.method()(np.array([1]))[0].shape == (1, 32)


def test_programs_pickle(embedding: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(embedding.parent)
    expected = pteron.load(embedding, device="cpu").method()(np.array([4]))[0].tolist()
    pickles = [
        pickle.dumps(pteron.load(source, device="cpu")) for source in ["model.pte", embedding.read_bytes()]
    ]
    monkeypatch.chdir(tmp_path)
    for dumped in pickles:
        program = pickle.loads(dumped)
        assert program.device == "cpu (reference engine)"
        assert program.method()(np.array([4]))[0].tolist() == expected
    assert len(pickles[0]) < 1000


def test_what_cannot_be_opened_says_why(embedding: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        pteron.load(tmp_path / "nothing.pte")
    assert isinstance(missing.value, pteron.Error) and missing.value.kind == "io"
    assert (missing.value.errno, missing.value.filename) == (errno.ENOENT, str(tmp_path / "nothing.pte"))
    with pytest.raises(pteron.FileError) as folder:
        pteron.load(tmp_path)
    assert folder.value.filename == str(tmp_path)
    again = pickle.loads(pickle.dumps(missing.value))
    assert (type(again), str(again), again.kind) == (pteron.FileMissingError, str(missing.value), "io")
    with pytest.raises(pteron.FormatError):
        pteron.load(b"PK\x03\x04 is no program")
    with pytest.raises(TypeError):
        pteron.load(7)
    with pytest.raises(TypeError, match="text"):
        pteron.load(io.StringIO("text"))
    with pytest.raises(KeyError, match="it has forward") as unknown:
        pteron.load(embedding, device="cpu").method("backward")
    assert isinstance(unknown.value, pteron.Error)


@pytest.mark.parametrize("case", ["linear", "two_files"])
def test_data_files_come_from_anywhere(case: str, fixtures: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = fixtures / "formats/external_data" / case
    files = sorted(folder.glob("*.ptd"))
    with pytest.raises(pteron.Error):
        pteron.load(folder / "model.pte", device="cpu").method()
    outputs = []
    monkeypatch.chdir(folder)
    kinds = [files, [file.name for file in files], [file.read_bytes() for file in files]]
    programs = [pteron.load("model.pte", device="cpu", data=data) for data in kinds]
    monkeypatch.chdir(tmp_path)
    for program in [*programs, *map(pickle.loads, map(pickle.dumps, programs))]:
        forward = program.method()
        inputs = [np.ones(spec.shape, spec.dtype) for spec in forward.inputs]
        outputs.append([output.tolist() for output in forward(*inputs)])
    assert all(output == outputs[0] for output in outputs)


def test_reading_data_files_is_progress(fixtures: Path) -> None:
    folder = fixtures / "formats/external_data/linear"
    program = pteron.load(folder / "model.pte", device="cpu", data=[folder / "model.ptd"])
    before, of = _pteron._read_so_far(program)
    assert of == sum((folder / name).stat().st_size for name in ("model.pte", "model.ptd"))
    program.method()
    # A matrix of 8 by 12 numbers, and a vector.
    assert _pteron._read_so_far(program)[0] - before >= 4 * (8 * 12 + 8)


def test_programs_keep_their_limits(embedding: Path) -> None:
    program = pteron.load(embedding, device="cpu", limits={"nodes": 0})
    for limited in [program, pickle.loads(pickle.dumps(program))]:
        with pytest.raises(pteron.LimitError) as refused:
            limited.method()
        assert refused.value.kind == "limit"
    with pytest.raises(pteron.InputError, match="no limit"):
        pteron.load(embedding, limits={"bytes": 1})


def test_devices_are_chosen_by_name_number_and_address(embedding: Path) -> None:
    assert pteron.load(embedding, device="cpu").device == "cpu (reference engine)"
    for wrong in ["no such adapter", "pci:ffff:ff:1f.7", 99]:
        with pytest.raises(pteron.DeviceError, match="no WebGPU adapter"):
            pteron.load(embedding, device=wrong)
    with pytest.raises(TypeError):
        pteron.load(embedding, device=1.5)
    for number, adapter in enumerate(pteron.devices()):
        assert pteron.load(embedding, device=number).device == adapter["name"]


def test_devices_are_chosen_by_kind_and_part_of_a_name(embedding: Path) -> None:
    adapters = pteron.devices()
    if not adapters:
        assert pteron.load(embedding).device == pteron.load(embedding, device="auto").device == "cpu (reference engine)"
        with pytest.raises(pteron.DeviceError):
            pteron.load(embedding, device="gpu")
        return
    assert pteron.load(embedding).device == pteron.load(embedding, device="auto").device
    first = adapters[0]
    assert pteron.load(embedding, device="gpu").device == first["name"]
    assert pteron.load(embedding, device=first["name"][:5].lower()).device == first["name"]
    for adapter in adapters:
        if adapter["pci"] is not None:
            assert pteron.load(embedding, device=f"pci:{adapter['pci']}").device == adapter["name"]


def shape_of_row(program: pteron.Program) -> tuple[int, ...]:
    """What another process makes of a program that it was given."""
    return program.method()(np.array([4]))[0].shape


def test_programs_go_to_other_processes(embedding: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(shape_of_row, (pteron.load(embedding, device="cpu"),)) == (1, 32)


def test_every_limit_is_kept(embedding: Path) -> None:
    for limits in ({"nodes": 0}, {"values": 0}, {"host_bytes": 0}):
        with pytest.raises(pteron.LimitError):
            pteron.load(embedding, device="cpu", limits=limits).method()(np.array([1]))
    with pytest.raises(pteron.LimitError):
        pteron.load(embedding, device="cpu", limits={"call_seconds": 0}).method()(np.array([1]))
    if pteron.devices():
        with pytest.raises(pteron.LimitError):
            pteron.load(embedding, device="gpu", limits={"gpu_bytes": 0}).method()(np.array([1]))
    for wrong in ({"nodes": "many"}, {"call_seconds": -1.0}, {"nodes": -1}):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            pteron.load(embedding, device="cpu", limits=wrong)


def test_a_method_is_restored_after_its_device_is_lost(embedding: Path) -> None:
    if not pteron.devices():
        pytest.skip("this machine has no adapter")
    # Other tests have devices of other names.
    program = pteron.load(embedding, device=0)
    forward, ids = program.method(), np.array([0, 7, 30])
    expected = forward(ids)[0].tolist()
    assert forward.condition == "ready"
    _pteron._lose_device(program)
    assert forward.condition == "lost"
    with pytest.raises(pteron.DeviceError):
        forward(ids)
    forward.restore()
    assert forward.condition == "ready"
    assert forward(ids)[0].tolist() == expected
    assert pteron.load(embedding, device=0).method()(ids)[0].tolist() == expected


def test_a_gpu_agrees_with_the_reference_engine(embedding: Path) -> None:
    if not pteron.devices():
        pytest.skip("this machine has no adapter")
    ids = np.array([0, 7, 30])
    on_gpu, on_cpu = (pteron.load(embedding, device=device).method() for device in ("gpu", "cpu"))
    np.testing.assert_allclose(on_gpu(ids)[0].numpy(), on_cpu(ids)[0].numpy(), rtol=1e-6)
    [kept] = on_gpu.run_on_device(ids)
    assert kept.device == on_gpu.device and "device=" in repr(kept)
    np.testing.assert_array_equal(kept.cpu().numpy(), on_gpu(ids)[0].numpy())
    with pytest.raises(BufferError):
        kept.__dlpack__()


def test_outputs_on_the_device_are_inputs_again(fixtures: Path) -> None:
    if not pteron.devices():
        pytest.skip("this machine has no adapter")
    add = pteron.load(fixtures / "ops/add/same_shape/model.pte", device="gpu").method()
    shapes = [spec.shape for spec in add.inputs]
    ones = [np.ones(shape, np.float32) for shape in shapes]
    [twice] = add.run_on_device(*ones)
    np.testing.assert_array_equal(add(twice, twice)[0].numpy(), 4 * ones[0])


@pytest.mark.torch
def test_importing_it_imports_neither_numpy_nor_torch(embedding: Path) -> None:
    script = (
        "import sys, array, pteron\n"
        f"forward = pteron.load({str(embedding)!r}, device='cpu').method()\n"
        "assert forward(array.array('q', [1, 2]))[0].shape == (2, 32)\n"
        "assert not {'numpy', 'torch'} & sys.modules.keys(), sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_file_that_is_written_again_is_an_error(embedding: Path, tmp_path: Path) -> None:
    path = tmp_path / "model.pte"
    path.write_bytes(embedding.read_bytes())
    program = pteron.load(path, device="cpu")
    forward = program.method()
    ids = pteron.Tensor([1, 2, 3])
    assert forward(ids)[0].shape == (3, 32)
    path.write_bytes(b"short")
    for use in (lambda: forward(ids), lambda: program.method()):
        with pytest.raises(pteron.FileError, match="was written after it was opened: open it again"):
            use()


def test_what_is_no_program_says_so(embedding: Path, tmp_path: Path) -> None:
    with pytest.raises(pteron.FileError, match="s a directory"):
        pteron.load(tmp_path)
    with embedding.open() as text, pytest.raises(TypeError, match='mode "rb"'):
        pteron.load(text)  # type: ignore[arg-type]
    with pytest.raises(pteron.InputError, match="counted from 0"):
        pteron.load(embedding, device=-1)
    assert "reference" in pteron.load(embedding, device="CPU").device
