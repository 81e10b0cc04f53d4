"""The names of `executorch.extension.pybindings.portable_lib`, so that a script changes one import.

Programs run on the device that the variable `PTERON_DEVICE` names, as `pteron.load` takes it; `auto` unless it is set.
Tensors are those of PyTorch where it is installed, and `pteron.Tensor` otherwise. Errors of programs are `RuntimeError`, as
there; they are also those of `pteron.errors`.
"""

import os
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import pteron
from pteron import _pteron

__all__ = [
    "BundledModule",
    "ExecuTorchMethod",
    "ExecuTorchModule",
    "ExecuTorchProgram",
    "MethodMeta",
    "TensorInfo",
    "Verification",
]

BACKENDS = ["VulkanBackend", "WebGPUBackend", "XnnpackBackend"]
"""The backends whose delegates run here."""

SCALAR_TYPES = {
    "uint8": (0, 1, "Byte"),
    "int8": (1, 1, "Char"),
    "int16": (2, 2, "Short"),
    "int32": (3, 4, "Int"),
    "int64": (4, 8, "Long"),
    "float16": (5, 2, "Half"),
    "float32": (6, 4, "Float"),
    "float64": (7, 8, "Double"),
    "complex64": (9, 8, "ComplexFloat"),
    "complex128": (10, 16, "ComplexDouble"),
    "bool": (11, 1, "Bool"),
    "bfloat16": (15, 2, "BFloat16"),
}
"""ExecuTorch's number for each element type, its bytes, and its name."""


class Verification(IntEnum):
    """How closely a program is looked at before it is loaded. Every access is checked here in either case."""

    Minimal = 0
    InternalConsistency = 1

    def __str__(self) -> str:
        return f"Verification.{self.name}"


class TensorInfo:
    """What is known of an input or output that is a tensor."""

    def __init__(self, spec: _pteron.Spec) -> None:
        self._spec = spec

    def sizes(self) -> tuple[int, ...]:
        """The sizes, or their upper bounds."""
        return tuple(self._spec.shape or ())

    def dtype(self) -> int:
        """ExecuTorch's number for the element type."""
        return SCALAR_TYPES[self._spec.dtype or ""][0]

    def is_memory_planned(self) -> bool:
        """Whether the exporter planned memory for it."""
        return self._spec.planned

    def nbytes(self) -> int:
        """The bytes of all elements."""
        count = SCALAR_TYPES[self._spec.dtype or ""][1]
        for size in self.sizes():
            count *= size
        return count

    def __repr__(self) -> str:
        sizes = ", ".join(map(str, self.sizes()))
        name = SCALAR_TYPES[self._spec.dtype or ""][2]
        planned = self.is_memory_planned()
        return f"TensorInfo(sizes=[{sizes}], dtype={name}, is_memory_planned={planned}, nbytes={self.nbytes()})"


class MethodMeta:
    """What is known of a method before it is loaded."""

    def __init__(self, program: pteron.Program, name: str) -> None:
        self._name = name
        self._inputs = program.inputs(name)
        self._outputs = program.outputs(name)
        self._attributes = [spec for _, _, spec in _pteron._named_tensors(program, name)]

    def name(self) -> str:
        """The method's name."""
        return self._name

    def num_inputs(self) -> int:
        """How many inputs it takes."""
        return len(self._inputs)

    def num_outputs(self) -> int:
        """How many outputs it gives."""
        return len(self._outputs)

    def input_tensor_meta(self, index: int) -> TensorInfo:
        """What is known of an input."""
        return _tensor_info("input", self._inputs, index)

    def output_tensor_meta(self, index: int) -> TensorInfo:
        """What is known of an output."""
        return _tensor_info("output", self._outputs, index)

    def num_attributes(self) -> int:
        """How many tensors the exporter has named."""
        return len(self._attributes)

    def attribute_tensor_meta(self, index: int) -> TensorInfo:
        """What is known of a tensor that the exporter has named."""
        return _tensor_info("attribute", self._attributes, index)

    def __repr__(self) -> str:
        def infos(specs: list[_pteron.Spec]) -> list[str]:
            return [repr(TensorInfo(spec)) if spec.kind == "tensor" else spec.kind for spec in specs]

        return (
            f"MethodMeta(name='{self._name}', num_inputs={self.num_inputs()}, input_tensor_meta={infos(self._inputs)}, "
            f"num_outputs={self.num_outputs()}, output_tensor_meta={infos(self._outputs)})"
        )


class BundledModule:
    """A bundle: a program with inputs for it and the outputs to expect."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def verify_result_with_bundled_expected_output(
        self, method_name: str, testset_idx: int, rtol: float = 1e-5, atol: float = 1e-8
    ) -> list[Any]:
        """Runs a case of the bundle and compares. An output that is too far off is a `RuntimeError`."""
        module = _load_for_executorch_from_bundled_program(self)
        return module.verify_result_with_bundled_expected_output(self, method_name, testset_idx, rtol, atol)


class ExecuTorchMethod:
    """A method that is loaded."""

    def __init__(self, program: "_Program", name: str) -> None:
        self._program = program
        self._name = name
        self._attributes = {named: number for named, number, _ in _pteron._named_tensors(program.program, name)}
        # What has a name may be asked for between calls.
        apart = self._attributes and program.recording is None
        self._method = _pteron._load_apart(program.program, name) if apart else program.load(name)
        self._inputs: Sequence[Any] = ()
        self._outputs: list[Any] = []

    def set_inputs(self, inputs: Sequence[Any]) -> None:
        """Takes the inputs of the next call."""
        wanted = len(self._method.inputs)
        if len(inputs) != wanted:
            raise pteron.InputError(f"{self._name} takes {wanted} inputs, and {len(inputs)} were given")
        self._inputs = tuple(inputs)

    def execute(self) -> None:
        """Runs the method."""
        self._outputs = self._program.call(self._method, self._inputs)

    def get_outputs(self, clone_outputs: bool = True) -> list[Any]:
        """What the last call gave. Outputs have memory of their own in either case."""
        return self._outputs

    def call(self, inputs: Sequence[Any] = (), clone_outputs: bool = True) -> list[Any]:
        """Runs the method with inputs and gives its outputs."""
        self.set_inputs(_as_sequence(inputs))
        self.execute()
        return self.get_outputs(clone_outputs)

    def __call__(self, inputs: Sequence[Any] = (), clone_outputs: bool = True) -> list[Any]:
        return self.call(inputs, clone_outputs)

    def method_meta(self) -> MethodMeta:
        """What is known of the method."""
        return MethodMeta(self._program.program, self._name)

    def get_attribute(self, name: str) -> Any:
        """What a tensor that the exporter has named holds now: a buffer that calls change, or a weight of a data file."""
        if name not in self._attributes:
            raise pteron.Error(f"{self._name} has no attribute {name!r}")
        value = _pteron._kept_value(self._method, self._attributes[name])
        if value is None:
            raise pteron.Error(f"the attribute {name!r} of {self._name} is on the device, where it cannot be read")
        return _for_user(value)


class ExecuTorchProgram:
    """A program whose methods can be loaded."""

    def __init__(self, program: "_Program") -> None:
        self._program = program

    def num_methods(self) -> int:
        """How many methods it has."""
        return len(self._program.program.methods)

    def get_method_name(self, method_index: int) -> str:
        """The name of a method."""
        methods = self._program.program.methods
        if method_index < 0:
            raise TypeError("the number of a method is not negative")
        if method_index >= len(methods):
            raise pteron.Error(f"there is no method {method_index}: there are {len(methods)}")
        return methods[method_index]

    def load_method(self, method_name: str) -> ExecuTorchMethod:
        """Loads a method."""
        return ExecuTorchMethod(self._program, method_name)

    def method_meta(self, method_name: str) -> MethodMeta:
        """What is known of a method."""
        return MethodMeta(self._program.program, method_name)

    def has_etdump(self) -> bool:
        """Whether calls are recorded."""
        return self._program.recording is not None

    def write_etdump_result_to_file(self, path: str, debug_buffer_path: str | None = None) -> None:
        """Writes what was recorded of the calls so far. There is nothing for the debug buffer."""
        self._program.write_etdump(path, debug_buffer_path)


class ExecuTorchModule:
    """A program whose methods are loaded when they are first called."""

    def __init__(self, program: "_Program") -> None:
        self._program = program
        self._methods: dict[str, pteron.Method] = {}
        self._inputs: dict[str, Sequence[Any]] = {}

    def __call__(self, inputs: Any = (), clone_outputs: bool = True) -> list[Any]:
        return self.forward(inputs, clone_outputs)

    def forward(self, inputs: Sequence[Any] = (), clone_outputs: bool = True) -> list[Any]:
        """Runs the method `forward`."""
        return self.run_method("forward", inputs, clone_outputs)

    def run_method(self, method_name: str, inputs: Sequence[Any] = (), clone_outputs: bool = True) -> list[Any]:
        """Runs a method with inputs and gives its outputs."""
        if method_name not in self._methods:
            self._methods[method_name] = self._program.load(method_name)
        given = _as_sequence(inputs)
        outputs = self._program.call(self._methods[method_name], given)
        self._inputs[method_name] = given
        return outputs

    def plan_execute(self, method_name: str, clone_outputs: bool = True) -> list[Any]:
        """Runs a method with the inputs that its last call or `load_bundled_input` gave it."""
        return self.run_method(method_name, self._inputs.get(method_name, ()), clone_outputs)

    def load_bundled_input(self, bundle: BundledModule, method_name: str, testset_idx: int) -> None:
        """Takes the inputs of a case of the bundle for the next `plan_execute`."""
        self._inputs[method_name] = _case(bundle, method_name, testset_idx)[0]

    def verify_result_with_bundled_expected_output(
        self, bundle: BundledModule, method_name: str, testset_idx: int, rtol: float = 1e-5, atol: float = 1e-8
    ) -> list[Any]:
        """Runs a case of the bundle and compares. An output that is too far off is a `RuntimeError`."""
        inputs, expected = _case(bundle, method_name, testset_idx)
        outputs = self.run_method(method_name, inputs)
        for index, (output, wanted) in enumerate(zip(outputs, expected, strict=True)):
            if not _close(output, wanted, rtol, atol):
                raise pteron.Error(f"output {index} of {method_name} differs from what case {testset_idx} expects")
        return outputs

    def has_etdump(self) -> bool:
        """Whether calls are recorded."""
        return self._program.recording is not None

    def write_etdump_result_to_file(self, path: str, debug_buffer_path: str | None = None) -> None:
        """Writes what was recorded of the calls so far. There is nothing for the debug buffer."""
        self._program.write_etdump(path, debug_buffer_path)

    def method_meta(self, method_name: str) -> MethodMeta:
        """What is known of a method."""
        return MethodMeta(self._program.program, method_name)

    def method_names(self) -> list[str]:
        """The names of its methods."""
        return self._program.program.methods


class _Program:
    """A program, and what is recorded of its calls where that was asked for."""

    def __init__(self, source: Any, data: Sequence[Any], enable_etdump: bool) -> None:
        self.program = pteron.load(source, device=os.environ.get("PTERON_DEVICE", "auto"), data=data)
        self.recording = _pteron._Recording() if enable_etdump else None

    def load(self, name: str) -> pteron.Method:
        return self.program.method(name) if self.recording is None else self.recording.load(self.program, name)

    def call(self, method: pteron.Method, inputs: Sequence[Any]) -> list[Any]:
        outputs = method(*inputs) if self.recording is None else self.recording.call(method, tuple(inputs))
        return [_for_user(output) for output in outputs]

    def write_etdump(self, path: str, debug_buffer_path: str | None) -> None:
        if self.recording is None:
            raise pteron.Error("the program was loaded without enable_etdump, so nothing is recorded")
        self.recording.write_etdump(path)
        if debug_buffer_path is not None:
            with open(debug_buffer_path, "wb"):
                pass


def _for_user(value: Any) -> Any:
    """A tensor of PyTorch where it is installed."""
    if not isinstance(value, pteron.Tensor):
        return value
    try:
        return value.torch()
    except ModuleNotFoundError:
        return value


def _as_sequence(inputs: Any) -> Sequence[Any]:
    """A single tensor stands for a list of one."""
    return inputs if isinstance(inputs, (list, tuple)) else [inputs]


def _tensor_info(what: str, specs: list[_pteron.Spec], index: int) -> TensorInfo:
    if index < 0:
        raise TypeError(f"the number of an {what} is not negative")
    if index >= len(specs):
        raise IndexError(f"there is no {what} {index}: there are {len(specs)}")
    if specs[index].kind != "tensor":
        raise pteron.Error(f"{what} {index} is no tensor but a {specs[index].kind}")
    return TensorInfo(specs[index])


def _case(bundle: BundledModule, method_name: str, index: int) -> tuple[list[Any], list[Any]]:
    case = _pteron._bundled_case(bundle._data, method_name, index)
    if case is None:
        raise pteron.Error(f"the bundle has no case {index} for {method_name}")
    return case


def _close(output: Any, wanted: Any, rtol: float, atol: float) -> bool:
    """Whether every element is within the tolerance of the expected one."""
    if not isinstance(wanted, pteron.Tensor):
        return bool(abs(output - wanted) <= atol + rtol * abs(wanted))
    given = pteron.Tensor(output)
    if given.shape != wanted.shape or given.dtype != wanted.dtype:
        return False

    def flat(values: Any) -> list[Any]:
        return [element for value in values for element in flat(value)] if isinstance(values, list) else [values]

    pairs = zip(flat(given.tolist()), flat(wanted.tolist()), strict=True)
    return all(a == b or (a != a and b != b) or abs(a - b) <= atol + rtol * abs(b) for a, b in pairs)


def _data(source: Any) -> list[Any]:
    return [] if source is None else [source]


def _bytes(buffer: Any) -> Any:
    """What was given for bytes; a text would be taken for a path."""
    if isinstance(buffer, str):
        raise TypeError("bytes are wanted, and a text was given")
    return buffer


def _load_for_executorch(
    program_path: str,
    data_path: str | None = None,
    enable_etdump: bool = False,
    debug_buffer_size: int = 0,
    program_verification: Verification = Verification.InternalConsistency,
) -> ExecuTorchModule:
    """Loads a program from a file."""
    return ExecuTorchModule(_Program(program_path, _data(data_path), enable_etdump))


def _load_for_executorch_from_buffer(
    buffer: bytes,
    data_map_buffer: bytes | None = None,
    enable_etdump: bool = False,
    debug_buffer_size: int = 0,
    program_verification: Verification = Verification.InternalConsistency,
) -> ExecuTorchModule:
    """Loads a program from bytes."""
    return ExecuTorchModule(_Program(_bytes(buffer), _data(data_map_buffer), enable_etdump))


def _load_for_executorch_from_bundled_program(
    module: BundledModule,
    data_map_buffer: bytes | None = None,
    enable_etdump: bool = False,
    debug_buffer_size: int = 0,
) -> ExecuTorchModule:
    """Loads the program of a bundle."""
    return ExecuTorchModule(_Program(module._data, _data(data_map_buffer), enable_etdump))


def _load_bundled_program_from_buffer(buffer: bytes, non_const_pool_size: int = 16384) -> BundledModule:
    """Takes a bundle. Memory is planned anew here, so the size of a pool says nothing."""
    return BundledModule(bytes(buffer))


def _load_for_executorch_from_data_loader(
    loader: Any,
    data_path: str | None = None,
    enable_etdump: bool = False,
    debug_buffer_size: int = 0,
) -> ExecuTorchModule:
    """Loads a program from something that can be read: an open file, or an object with `read()`."""
    if not hasattr(loader, "read"):
        raise TypeError(f"{type(loader).__name__} cannot be read from Python: give an open file")
    return ExecuTorchModule(_Program(loader, _data(data_path), enable_etdump))


def _load_program(
    path: str,
    enable_etdump: bool = False,
    debug_buffer_size: int = 0,
    program_verification: Verification = Verification.Minimal,
    data_path: str | None = None,
) -> ExecuTorchProgram:
    """Loads a program from a file, for methods that are loaded one by one."""
    return ExecuTorchProgram(_Program(path, _data(data_path), enable_etdump))


def _load_program_from_buffer(
    buffer: bytes,
    enable_etdump: bool = False,
    debug_buffer_size: int = 0,
    program_verification: Verification = Verification.Minimal,
    data_path: str | None = None,
) -> ExecuTorchProgram:
    """Loads a program from bytes, for methods that are loaded one by one."""
    return ExecuTorchProgram(_Program(_bytes(buffer), _data(data_path), enable_etdump))


def _is_available(backend_name: str) -> bool:
    """Whether delegates of a backend run here."""
    return backend_name in BACKENDS


def _get_registered_backend_names() -> list[str]:
    """The backends whose delegates run here."""
    return list(BACKENDS)


def _get_operator_names() -> list[str]:
    """The operators outside delegates that run here."""
    return _pteron._operator_names()


def _create_profile_block(name: str) -> None:
    """Upstream's profiler before ETDump, which its package is built without. `enable_etdump` records calls here."""


def _dump_profile_results() -> bytes:
    """What upstream's profiler before ETDump has recorded: nothing."""
    return b""


def _reset_profile_results() -> None:
    """Forgets what upstream's profiler before ETDump has recorded."""


def _threadpool_get_thread_count() -> int:
    """How many threads of the host compute: the reference engine has one, and a GPU needs none."""
    return 1


def _unsafe_reset_threadpool(num_threads: int) -> None:
    """Takes a number of threads, of which only one is used: see `_threadpool_get_thread_count`."""
