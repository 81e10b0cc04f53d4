"""What can go wrong: a small hierarchy under `Error`.

Each class is also the built-in exception that Python users expect in its place, so `except ValueError` and
`except pteron.Error` both work.
"""

from typing import NamedTuple

__all__ = [
    "DeviceError",
    "Error",
    "FileError",
    "FileMissingError",
    "FormatError",
    "InputError",
    "InputTypeError",
    "LimitError",
    "NotFoundError",
    "Node",
    "UnsupportedError",
]


class Node(NamedTuple):
    """A place in a program that an error tells of."""

    at: str
    """Method, delegate and node, in words."""
    op: str
    """The operator."""
    reason: str
    """What is wrong with it."""


class Error(RuntimeError):
    """Anything that goes wrong in pteron.

    >>> import pteron
    >>> try:
    ...     pteron.load(b"not a program")
    ... except pteron.Error as error:
    ...     print(error.kind)
    format
    """

    kind: str = "other"
    """Which party can do something about it: io, format, unsupported, not_found, input, device, limit or other."""
    nodes: tuple[Node, ...] = ()
    """The places in the program that it tells of."""

    @property
    def node(self) -> Node | None:
        """The first of the places in the program that it tells of."""
        return self.nodes[0] if self.nodes else None


class FileError(OSError, Error):
    """A file cannot be read. `errno`, `strerror` and `filename` are as in other errors of files."""

    kind = "io"


class FileMissingError(FileError, FileNotFoundError):
    """A file is not there."""


class FormatError(Error, ValueError):
    """A file is broken, or is something else."""

    kind = "format"


class UnsupportedError(Error, NotImplementedError):
    """The program needs what this version lacks; `nodes` has every such place."""

    kind = "unsupported"


class NotFoundError(Error, KeyError):
    """The program has no method, input or output of this name."""

    kind = "not_found"

    def __str__(self) -> str:
        return RuntimeError.__str__(self)


class InputError(Error, ValueError):
    """Inputs or options do not fit the method."""

    kind = "input"


class InputTypeError(InputError, TypeError):
    """An input is of a type that the method does not take."""


class DeviceError(Error):
    """There is no such device, it is lost, or it refused an operation."""

    kind = "device"


class LimitError(Error):
    """The program needs more of the machine, or a call more time, than the program's limits allow."""

    kind = "limit"
