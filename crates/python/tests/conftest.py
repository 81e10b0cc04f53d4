"""Where the tests find programs, and what documented examples may name."""

from pathlib import Path

import pytest

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The folder of programs that the repository has."""
    return FIXTURES


@pytest.fixture(scope="session")
def embedding() -> Path:
    """A program that looks up rows of 32 numbers by at most 64 ids below 31."""
    return FIXTURES / "ops/embedding_q4gsw/dynamic/model.pte"


@pytest.fixture(scope="session")
def language_model() -> Path:
    """A small language model with its tokenizer and chat template."""
    return FIXTURES / "llm/tiny/model.pte"
