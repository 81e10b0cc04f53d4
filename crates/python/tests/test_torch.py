"""Tensors of PyTorch, where it is installed."""

from pathlib import Path

import pteron
import pytest

torch = pytest.importorskip("torch")

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


def test_what_a_tensor_hides_is_seen() -> None:
    x = torch.tensor([1 + 2j, 3 - 4j])
    assert pteron.Tensor(x.conj()).tolist() == [1 - 2j, 3 + 4j]
    assert pteron.Tensor(x.conj().imag).tolist() == [-2.0, 4.0]
    assert pteron.Tensor(torch.ones(2, requires_grad=True)).tolist() == [1.0, 1.0]
    with pytest.raises(TypeError, match="sparse"):
        pteron.Tensor(torch.eye(2).to_sparse())
    with pytest.raises(TypeError, match="another device"):
        pteron.Tensor(torch.ones(2, device="meta"))
