"""What unpickling calls: programs and models are opened anew, by the path or bytes that they were opened from."""

from typing import Any

from pteron import _pteron


def load(source: str | bytes, options: dict[str, Any]) -> _pteron.Program:
    """The program of a pickle."""
    return _pteron.load(source, **options)


def load_model(source: str | bytes, options: dict[str, Any]) -> _pteron.Model:
    """The language model of a pickle."""
    return _pteron.Model.load(source, **options)
