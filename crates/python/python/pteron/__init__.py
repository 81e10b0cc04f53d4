"""Runs ExecuTorch programs (`.pte` files) on any GPU, or on none.

>>> import pteron
>>> forward = pteron.load(MODEL, device="cpu").method("forward")
>>> forward.inputs
[int64 at most [64]]
>>> [rows] = forward(pteron.Tensor([0, 7, 30]))
>>> rows.shape
(3, 32)
"""

import os

from pteron._pteron import Method, Program, Spec, Tensor, __version__, _after_fork, devices, load
from pteron.errors import (
    DeviceError,
    Error,
    FileError,
    FileMissingError,
    FormatError,
    InputError,
    InputTypeError,
    LimitError,
    NotFoundError,
    UnsupportedError,
)

# These use the names above.
from pteron import llm, portable_lib, runtime  # isort: skip

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

__all__ = [
    "DeviceError",
    "Error",
    "FileError",
    "FileMissingError",
    "FormatError",
    "InputError",
    "InputTypeError",
    "LimitError",
    "Method",
    "NotFoundError",
    "Program",
    "Spec",
    "Tensor",
    "UnsupportedError",
    "__version__",
    "devices",
    "llm",
    "load",
    "portable_lib",
    "runtime",
]
