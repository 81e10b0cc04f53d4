"""Tensors of PyTorch, where it is installed."""

import asyncio
from pathlib import Path

import numpy as np
import pteron
import pytest

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.torch
TYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64"]


@pytest.mark.parametrize("dtype", TYPES)
def test_every_type_goes_to_torch_and_back(dtype: str) -> None:
    x = (torch.arange(6).reshape(2, 3) % 2).to(getattr(torch, dtype))
    tensor = pteron.Tensor(x)
    assert (tensor.dtype, tensor.shape) == (dtype, (2, 3))
    for back in [tensor.torch(), torch.from_dlpack(tensor)]:
        assert back.dtype == x.dtype
        assert torch.equal(back, x)


def test_torch_in_gives_torch_out(embedding: Path) -> None:
    forward = pteron.load(embedding, device="cpu").method()
    ids = torch.tensor([3, 1, 4])
    [rows] = forward(ids)
    assert isinstance(rows, torch.Tensor) and rows.shape == (3, 32)
    rows.zero_()
    assert forward(ids)[0].abs().sum() > 0
    assert torch.equal(forward(torch.tensor([4, 1, 3]).flip(0))[0], forward(ids)[0])
    assert torch.equal(forward(torch.tensor([[3, 9], [1, 9], [4, 9]])[:, 0])[0], forward(ids)[0])


def test_brain_floats_go_through_a_call() -> None:
    double = pteron.load(Path(__file__).with_name("brain.pte"), device="cpu").method()
    x = torch.tensor([[1.0, -2.0, 2.5], [0.5, 0.0, 3.0]], dtype=torch.bfloat16)
    [doubled] = double(x)
    assert doubled.dtype == torch.bfloat16
    assert torch.equal(doubled, 2 * x)
    [lent] = double(pteron.Tensor(x))
    assert torch.equal(torch.from_dlpack(lent), 2 * x)


def test_calls_with_torch_are_awaited(embedding: Path) -> None:
    forward = pteron.load(embedding, device="cpu").method()
    ids = torch.tensor([3, 1, 4])

    async def call() -> list[object]:
        return await forward.run_async(ids)

    [rows] = asyncio.run(call())
    assert isinstance(rows, torch.Tensor) and torch.equal(rows, forward(ids)[0])


def test_one_of_torch_among_others_gives_torch(fixtures: Path) -> None:
    add = pteron.load(fixtures / "ops/add/same_shape/model.pte", device="cpu").method()
    first, second = (np.ones(spec.shape, np.float32) for spec in add.inputs)
    [total] = add(first, torch.from_numpy(second))
    assert isinstance(total, torch.Tensor) and torch.equal(total, torch.full(total.shape, 2.0))
    assert isinstance(add(first, second)[0], pteron.Tensor)


def test_what_a_tensor_hides_is_seen() -> None:
    x = torch.tensor([1 + 2j, 3 - 4j])
    assert pteron.Tensor(x.conj()).tolist() == [1 - 2j, 3 + 4j]
    assert pteron.Tensor(x.conj().imag).tolist() == [-2.0, 4.0]
    assert pteron.Tensor(torch.ones(2, requires_grad=True)).tolist() == [1.0, 1.0]
    with pytest.raises(TypeError, match="sparse"):
        pteron.Tensor(torch.eye(2).to_sparse())
    with pytest.raises(TypeError, match="another device"):
        pteron.Tensor(torch.ones(2, device="meta"))


def test_tensors_without_memory_are_refused(embedding: Path) -> None:
    forward = pteron.load(embedding, device="cpu").method()
    emptied = torch.ones(4, dtype=torch.int64)
    emptied.untyped_storage().resize_(0)
    shortened = torch.arange(8)[4:]
    shortened.untyped_storage().resize_(40)
    for tensor in (emptied, shortened):
        with pytest.raises(TypeError, match="input 0: the tensor has no memory"):
            forward(tensor)
