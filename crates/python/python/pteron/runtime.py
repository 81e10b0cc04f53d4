"""The names of `executorch.runtime`, so that a script changes one import.

>>> from pteron.runtime import Runtime
>>> program = Runtime.get().load_program(MODEL)
>>> program.method_names
{'forward'}
>>> outputs = program.load_method("forward").execute([pteron.Tensor([0, 7, 30])])
>>> outputs[0].shape[1]
32
"""

import functools
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from pteron import portable_lib
from pteron.portable_lib import ExecuTorchMethod, ExecuTorchProgram, MethodMeta, Verification

__all__ = [
    "BackendRegistry",
    "ExecuTorchMethod",
    "ExecuTorchProgram",
    "Method",
    "MethodMeta",
    "OperatorRegistry",
    "Program",
    "Runtime",
    "Verification",
]


class Method:
    """A method that is loaded."""

    def __init__(self, method: ExecuTorchMethod) -> None:
        self._method = method

    def execute(self, inputs: Sequence[Any]) -> Sequence[Any]:
        """Runs the method with inputs and gives its outputs."""
        return self._method(inputs)

    @property
    def metadata(self) -> MethodMeta:
        """What is known of the method."""
        return self._method.method_meta()


class Program:
    """A program whose methods can be loaded."""

    def __init__(self, program: ExecuTorchProgram, data: bytes | None = None) -> None:
        self._program = program
        self._methods: dict[str, Method | None] = {
            program.get_method_name(index): None for index in range(program.num_methods())
        }

    @property
    def method_names(self) -> set[str]:
        """The names of its methods."""
        return set(self._methods)

    def load_method(self, name: str) -> Method | None:
        """Loads a method, once. A name that the program does not have is a `KeyError`."""
        method = self._methods[name]
        if method is None:
            method = Method(self._program.load_method(name))
            self._methods[name] = method
        return method

    def metadata(self, method_name: str) -> MethodMeta:
        """What is known of a method, without loading it."""
        return self._program.method_meta(method_name)

    def write_etdump_result_to_file(self, etdump_path: str, debug_buffer_path: str) -> None:
        """Writes what was recorded of the calls so far, for ExecuTorch's Inspector."""
        self._program.write_etdump_result_to_file(etdump_path, debug_buffer_path)


class BackendRegistry:
    """The backends whose delegates run here."""

    def __init__(self, legacy_module: ModuleType) -> None:
        self._legacy_module = legacy_module

    @property
    def registered_backend_names(self) -> list[str]:
        """Their names."""
        names: list[str] = self._legacy_module._get_registered_backend_names()
        return names

    def is_available(self, backend_name: str) -> bool:
        """Whether delegates of a backend run here."""
        return bool(self._legacy_module._is_available(backend_name))


class OperatorRegistry:
    """The operators outside delegates that run here."""

    def __init__(self, legacy_module: ModuleType) -> None:
        self._legacy_module = legacy_module

    @property
    def operator_names(self) -> set[str]:
        """Their names."""
        return set(self._legacy_module._get_operator_names())


class Runtime:
    """Loads programs, and knows what runs here."""

    @staticmethod
    @functools.lru_cache(maxsize=1)
    def get() -> "Runtime":
        """The one runtime of the process."""
        return Runtime(legacy_module=portable_lib)

    def __init__(self, *, legacy_module: ModuleType) -> None:
        self.backend_registry = BackendRegistry(legacy_module)
        self.operator_registry = OperatorRegistry(legacy_module)
        self._legacy_module = legacy_module

    def load_program(
        self,
        data: bytes | bytearray | BinaryIO | Path | str,
        *,
        verification: Verification = Verification.InternalConsistency,
        enable_etdump: bool = False,
        debug_buffer_size: int = 0,
        data_path: Path | str | None = None,
    ) -> Program:
        """Loads a program from a path, bytes or an open file."""
        options = {
            "enable_etdump": enable_etdump,
            "debug_buffer_size": debug_buffer_size,
            "program_verification": verification,
            "data_path": None if data_path is None else str(data_path),
        }
        if isinstance(data, (Path, str)):
            return Program(self._legacy_module._load_program(str(data), **options))
        if isinstance(data, (bytes, bytearray)):
            read = bytes(data)
        elif hasattr(data, "read"):
            read = data.read()
        else:
            raise TypeError(f"a program is bytes, a path or an open file, and {type(data).__name__} was given")
        return Program(self._legacy_module._load_program_from_buffer(read, **options))
