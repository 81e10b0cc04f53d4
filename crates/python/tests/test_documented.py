"""Every example in a docstring gives what it says."""

import doctest
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pteron
import pteron.errors
import pteron.llm
import pteron.runtime
import pytest

MODULES = [pteron, pteron.errors, pteron.llm, pteron.runtime]


def documented(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Names and docstrings of a module, and of all that it has."""
    yield module.__name__, module.__doc__ or ""
    for name in getattr(module, "__all__", []):
        thing = getattr(module, name)
        yield f"{module.__name__}.{name}", inspect.getdoc(thing) or ""
        for member, value in vars(thing).items() if inspect.isclass(thing) else []:
            if callable(value) or isinstance(value, (property, staticmethod)):
                yield f"{module.__name__}.{name}.{member}", inspect.getdoc(value) or ""


EXAMPLES = {name: text for module in MODULES for name, text in documented(module) if ">>>" in text}


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name: str, embedding: Path, language_model: Path) -> None:
    names = {"MODEL": str(embedding), "LANGUAGE_MODEL": str(language_model), "pteron": pteron}
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], names, name, None, None)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    report: list[str] = []
    assert runner.run(test, out=report.append).failed == 0, "".join(report)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 6


def test_everything_public_is_documented() -> None:
    for module in MODULES:
        for name, text in documented(module):
            if not name.rsplit(".", 1)[-1].startswith("_") and "errors." not in name:
                assert text, name
