"""`pteron.runtime` and `pteron.portable_lib`: the names, results and errors of ExecuTorch's own."""

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pteron
import pytest
from pteron import portable_lib
from pteron.runtime import Runtime, Verification

pytestmark = pytest.mark.torch


@pytest.fixture(autouse=True)
def reference_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTERON_DEVICE", "cpu")


def test_one_import_brings_them() -> None:
    script = "import pteron; print(pteron.runtime.Runtime.__name__, pteron.portable_lib.ExecuTorchModule.__name__)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["Runtime", "ExecuTorchModule"]


def sizes(outputs: list[object]) -> list[tuple[int, ...]]:
    return [tuple(output.shape) for output in outputs]


def test_a_program_is_loaded_and_run(embedding: Path) -> None:
    runtime = Runtime.get()
    assert runtime is Runtime.get()
    data = embedding.read_bytes()
    for source in [embedding, str(embedding), data, bytearray(data), io.BytesIO(data)]:
        program = runtime.load_program(source, verification=Verification.Minimal)
        assert program.method_names == {"forward"}
        forward = program.load_method("forward")
        assert forward is program.load_method("forward")
        assert sizes(forward.execute([np.array([1, 2])])) == [(2, 32)]
        assert sizes(forward.execute((np.array([1]),))) == [(1, 32)]
    assert forward.metadata.name() == program.metadata("forward").name() == "forward"


def test_errors_are_those_that_scripts_catch(embedding: Path, tmp_path: Path) -> None:
    runtime = Runtime.get()
    program = runtime.load_program(embedding)
    with pytest.raises(KeyError):
        program.load_method("nope")
    with pytest.raises(TypeError):
        runtime.load_program(7)
    with pytest.raises(RuntimeError):
        runtime.load_program(b"no program")
    with pytest.raises(RuntimeError):
        runtime.load_program(tmp_path / "nothing.pte")
    with pytest.raises(RuntimeError):
        program.load_method("forward").execute([np.array([31])])


def test_registries_say_what_runs() -> None:
    runtime = Runtime.get()
    assert "VulkanBackend" in runtime.backend_registry.registered_backend_names
    assert runtime.backend_registry.is_available("XnnpackBackend")
    assert not runtime.backend_registry.is_available("CoreMLBackend")
    assert "aten::add.out" in runtime.operator_registry.operator_names


def test_modules_run_methods(embedding: Path) -> None:
    for module in [
        portable_lib._load_for_executorch(str(embedding)),
        portable_lib._load_for_executorch_from_buffer(embedding.read_bytes()),
    ]:
        assert module.method_names() == ["forward"]
        for outputs in [module([np.array([1])]), module.forward((np.array([1]),)), module.run_method("forward", [np.array([1])])]:
            assert sizes(outputs) == [(1, 32)]
        with pytest.raises(RuntimeError):
            module.run_method("nope")


def test_metadata_of_inputs_and_outputs(embedding: Path) -> None:
    meta = portable_lib._load_for_executorch(str(embedding)).method_meta("forward")
    assert (meta.num_inputs(), meta.num_outputs()) == (1, 1)
    ids, rows = meta.input_tensor_meta(0), meta.output_tensor_meta(0)
    assert (ids.dtype(), rows.dtype()) == (4, 6)
    assert rows.sizes() == (*ids.sizes(), 32)
    assert rows.nbytes() == 4 * 32 * ids.sizes()[0]
    assert "TensorInfo(sizes=" in repr(meta)
    for wrong, error in ((1, IndexError), (-1, TypeError)):
        with pytest.raises(error):
            meta.input_tensor_meta(wrong)
    assert meta.num_attributes() == 0
    with pytest.raises(IndexError):
        meta.attribute_tensor_meta(0)


def test_bundles_are_verified(fixtures: Path) -> None:
    data = (fixtures / "formats/bundled/embedding/model.bpte").read_bytes()
    bundle = portable_lib._load_bundled_program_from_buffer(data)
    module = portable_lib._load_for_executorch_from_bundled_program(bundle)
    outputs = module.verify_result_with_bundled_expected_output(bundle, "forward", 0, rtol=1e-3, atol=1e-3)
    module.load_bundled_input(bundle, "forward", 0)
    assert sizes(module.plan_execute("forward")) == sizes(outputs)
    with pytest.raises(RuntimeError):
        module.verify_result_with_bundled_expected_output(bundle, "forward", 10**6)


def test_outputs_are_those_of_torch_where_it_is(embedding: Path) -> None:
    torch = pytest.importorskip("torch")
    [rows] = portable_lib._load_for_executorch(str(embedding)).forward([np.array([1])])
    assert isinstance(rows, torch.Tensor)
    [numbers] = portable_lib._load_for_executorch(str(embedding)).forward([torch.tensor([1])])
    assert torch.equal(rows, numbers)
    assert isinstance(pteron.Tensor(rows), pteron.Tensor)
