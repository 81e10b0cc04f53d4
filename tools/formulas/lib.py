"""What a formula case is, and how it is written.

A case is one call of one operator: its arguments, and what numpy gives for them. There is no program: the tests build the
graph themselves, so neither torch nor the exporter is needed.
"""

import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

Tensor = NDArray[Any]
Random = np.random.Generator


@dataclass(frozen=True)
class Input:
    """A tensor that the caller gives at each call."""

    tensor: Tensor


@dataclass(frozen=True)
class Constant:
    """A tensor from the program's file."""

    tensor: Tensor


@dataclass(frozen=True)
class State:
    """A tensor that the operator changes, with its value before the call and after it."""

    before: Tensor
    after: Tensor


Argument = Input | Constant | State | bool | int | float | None | Sequence[int] | Sequence[float]


@dataclass(frozen=True)
class Call:
    """The arguments of a call in the order of the operator's schema, and its outputs."""

    arguments: Sequence[Argument]
    outputs: Sequence[Tensor]


@dataclass(frozen=True)
class Case:
    """One case. `make` draws its tensors from a generator that the path seeds."""

    path: str
    """The operator's short name and the case's: `adamw_step/f32`."""
    operator: str
    make: Callable[[Random], Call]
    atol: float = 1e-6
    rtol: float = 1e-6


def write(case: Case, root: Path) -> None:
    """Writes `operator.json` and `tensors.safetensors`."""
    call = case.make(np.random.default_rng(zlib.crc32(case.path.encode())))
    tensors: dict[str, Tensor] = {}

    def stored(tensor: Tensor) -> int:
        tensors[str(len(tensors))] = np.ascontiguousarray(tensor)
        return len(tensors) - 1

    description = {
        "operator": case.operator,
        "source": f"numpy {np.__version__}",
        "atol": case.atol,
        "rtol": case.rtol,
        "arguments": [_argument(argument, stored) for argument in call.arguments],
        "outputs": [stored(tensor) for tensor in call.outputs],
        "states": [stored(argument.after) for argument in call.arguments if isinstance(argument, State)],
    }
    folder = root / case.path
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "operator.json").write_text(json.dumps(description, indent=1) + "\n")
    save_file(tensors, folder / "tensors.safetensors")


def _argument(argument: Argument, stored: Callable[[Tensor], int]) -> dict[str, Any] | None:
    """An argument in JSON; a tensor is named by its number in the file."""
    match argument:
        case None:
            return None
        case Input(tensor):
            return {"input": stored(tensor)}
        case Constant(tensor):
            return {"constant": stored(tensor)}
        case State(before):
            return {"state": stored(before)}
        case bool():
            return {"bool": argument}
        case int():
            return {"int": argument}
        case float():
            return {"double": argument}
        case [*items] if all(isinstance(item, int) for item in items):
            return {"ints": items}
        case [*items]:
            return {"doubles": items}
    raise TypeError(f"{argument!r} is no argument")
