"""`pteron.runtime` and `pteron.portable_lib` beside ExecuTorch's own, where that is installed."""

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pteron import portable_lib, runtime

theirs = pytest.importorskip("executorch.extension.pybindings.portable_lib")
torch = pytest.importorskip("torch")
their_runtime = importlib.import_module("executorch.runtime")


@pytest.fixture(autouse=True)
def reference_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTERON_DEVICE", "cpu")


@pytest.fixture(scope="module")
def accumulator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that adds its input to a buffer with a name, and gives its double."""
    exir = importlib.import_module("executorch.exir")

    class Accumulator(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("total", torch.zeros(3))

        def forward(self, x: Any) -> Any:
            self.total.add_(x)
            return self.total * 2

    exported = torch.export.export(Accumulator(), (torch.ones(3),))
    config = exir.ExecutorchBackendConfig(emit_mutable_buffer_names=True)
    path = tmp_path_factory.mktemp("accumulator") / "model.pte"
    path.write_bytes(exir.to_edge(exported).to_executorch(config).buffer)
    return path


def members(thing: Any) -> Iterator[tuple[str, Any]]:
    """What a class or module defines for its users; private functions of modules are among it."""
    for name in dir(thing):
        inside = not name.startswith("__") or name == "__call__"
        value = inspect.getattr_static(thing, name)
        if inside and name != "_pybind11_conduit_v1_" and not inspect.ismodule(value):
            yield name, value


def classes_and_functions() -> Iterator[Any]:
    for name, value in members(theirs):
        if inspect.isclass(value) or (callable(value) and name != "spec"):
            yield pytest.param(value, getattr(portable_lib, name, None), id=name)
    for name, value in members(their_runtime):
        if inspect.isclass(value) and value.__module__.startswith("executorch"):
            yield pytest.param(value, getattr(runtime, name, None), id=f"runtime.{name}")


def parameters(function: Callable[..., Any]) -> list[tuple[str, Any]] | None:
    """Names and defaults of parameters but self; nothing is known where a binding has several overloads."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        text = (function.__doc__ or "").splitlines()[0]
        if "*args" in text or not (found := re.match(r"\w+\((.*)\) ->", text)):
            return None
        # Types have commas of their own.
        plain = re.sub(r"\[[^\[\]]*\]", "", re.sub(r"\[[^\[\]]*\]", "", found.group(1))).replace("::(anonymous namespace)", "")
        names = [part.strip() for part in plain.split(",") if part.strip()]
        pairs = [(part.split(":")[0].strip(), part.rpartition("=")[2].strip() if "=" in part else None) for part in names]
    else:
        pairs = [
            (name, None if value.default is inspect.Parameter.empty else repr(value.default))
            for name, value in signature.parameters.items()
        ]
    return [pair for pair in pairs if pair[0] != "self"]


def plain(default: str | None) -> str | None:
    """A default, however it is written."""
    same = {"()": "[]", "": "[]", "<factory>": "[]"}
    return None if default is None else same.get(default, default)


@pytest.mark.parametrize(("their", "our"), list(classes_and_functions()))
def test_names_and_arguments_are_theirs(their: Any, our: Any) -> None:
    assert our is not None
    pairs = [(their, our)]
    if inspect.isclass(their):
        pairs = []
        for name, _ in members(their):
            found = any(name in vars(base) for base in our.__mro__)
            assert found, name
            pairs.append((getattr(their, name), getattr(our, name, None)))
    for there, here in pairs:
        if not callable(there) or inspect.isclass(there):
            continue
        wanted, given = parameters(there), parameters(here)
        if wanted is None or wanted and wanted[0][0] == "arg0":
            continue
        assert given is not None
        # Ours may take more.
        assert [name for name, _ in given[: len(wanted)]] == [name for name, _ in wanted]
        for (name, mine), (_, yours) in zip(given, wanted, strict=False):
            if yours is not None:
                assert plain(mine) == plain(yours) or float(mine or "nan") == float(yours), (there.__name__, name)


def outcome(action: Callable[[], Any]) -> tuple[str, Any]:
    """What an action gives, or the class of its error."""
    try:
        value = action()
    except Exception as error:  # noqa: BLE001: whatever it is
        return "raises", type(error)
    if isinstance(value, list) and value and isinstance(value[0], torch.Tensor):
        return "list", [tensor.tolist() for tensor in value]
    if isinstance(value, torch.Tensor):
        return "Tensor", value.tolist()
    plain = type(value) in (bool, bytes, int, str, tuple, list, set)
    return type(value).__name__, value if plain else repr(value)


MODULE = [
    "module.method_names()",
    "module.forward([ones])",
    "module((ones,))",
    "module(ones)",
    "module.run_method('forward', [ones])",
    "module.run_method('forward', (ones,), clone_outputs=False)",
    "module.run_method('nope')",
    "module.forward([ones, ones])",
    "module.forward([1])",
    "module.forward([None])",
    "module.forward([torch.ones(4)])",
    "module.forward(['x'])",
    "module.method_meta('nope')",
    "module.has_etdump()",
    "module.write_etdump_result_to_file(str(folder / 'dump'))",
    "module.method_meta('forward')",
    "module.method_meta('forward').name()",
    "module.method_meta('forward').num_inputs()",
    "module.method_meta('forward').num_outputs()",
    "module.method_meta('forward').num_attributes()",
    "module.method_meta('forward').input_tensor_meta(0)",
    "module.method_meta('forward').input_tensor_meta(0).sizes()",
    "module.method_meta('forward').input_tensor_meta(0).dtype()",
    "module.method_meta('forward').input_tensor_meta(0).nbytes()",
    "module.method_meta('forward').input_tensor_meta(0).is_memory_planned()",
    "module.method_meta('forward').input_tensor_meta(1)",
    "module.method_meta('forward').input_tensor_meta(-1)",
    "module.method_meta('forward').output_tensor_meta(0)",
    "module.method_meta('forward').output_tensor_meta(9)",
    "module.method_meta('forward').attribute_tensor_meta(0)",
    "module.method_meta('forward').attribute_tensor_meta(1)",
    "program.num_methods()",
    "program.get_method_name(0)",
    "program.get_method_name(5)",
    "program.load_method('nope')",
    "program.method_meta('nope')",
    "program.has_etdump()",
    "method.call([ones])",
    "method([ones], clone_outputs=False)",
    "method.get_outputs()",
    "method.get_attribute('total')",
    "method.get_attribute('nope')",
    "method.call()",
    "method.set_inputs([])",
    "method.method_meta().name()",
    "library._load_program('nothing.pte')",
    "library._load_for_executorch('nothing.pte')",
    "library._load_for_executorch(7)",
    "library._load_program_from_buffer(b'no program')",
    "library._is_available('XnnpackBackend')",
    "library._is_available('NoBackend')",
    "library._dump_profile_results()",
    "library._create_profile_block('block')",
    "library.Verification.Minimal",
    "library.Verification(1).name",
    "int(library.Verification.InternalConsistency)",
    "type(library._get_registered_backend_names())",
    "type(library._get_operator_names())",
    "type(library._threadpool_get_thread_count())",
    "sorted(run.method_names)",
    "run.load_method('forward').execute([ones])",
    "run.load_method('forward').metadata.name()",
    "run.load_method('forward') is run.load_method('forward')",
    "run.load_method('nope')",
    "run.metadata('forward')",
    "run.metadata('nope')",
    "run.write_etdump_result_to_file(str(folder / 'dump'), str(folder / 'debug'))",
    "runtime.Runtime.get() is runtime.Runtime.get()",
    "runtime.Runtime.get().load_program(7)",
    "runtime.Runtime.get().load_program(b'no program')",
    "type(runtime.Runtime.get().operator_registry.operator_names)",
    "type(runtime.Runtime.get().backend_registry.registered_backend_names)",
    # Outputs lie in the memory of inputs there, so its numbers mean nothing.
    "type(module.plan_execute('forward'))",
]


def outcomes(library: ModuleType, of_runtime: ModuleType, path: Path, folder: Path) -> dict[str, tuple[str, Any]]:
    program = library._load_program(str(path))
    names = {
        "folder": folder,
        "library": library,
        "method": program.load_method("forward"),
        "module": library._load_for_executorch(str(path)),
        "ones": torch.ones(3),
        "program": program,
        "run": of_runtime.Runtime.get().load_program(path),
        "runtime": of_runtime,
        "torch": torch,
    }
    return {text: outcome(lambda text=text: eval(text, names)) for text in MODULE}


def test_results_and_errors_are_theirs(accumulator: Path, tmp_path: Path) -> None:
    wanted = outcomes(theirs, their_runtime, accumulator, tmp_path)
    given = outcomes(portable_lib, runtime, accumulator, tmp_path)
    different = {}
    for text, (kind, value) in wanted.items():
        if kind == "raises":
            same = given[text][0] == "raises" and issubclass(given[text][1], value)
        else:
            same = given[text] == (kind, value)
        if not same:
            different[text] = (kind, value, *given[text])
    assert not different
