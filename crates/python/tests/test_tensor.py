"""`pteron.Tensor`: to and from other libraries."""

import pickle

import numpy as np
import pteron
import pytest

TYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize("dtype", TYPES)
def test_every_type_goes_to_numpy_and_back(dtype: str) -> None:
    array = (np.arange(6).reshape(2, 3) % 2).astype(dtype)
    tensor = pteron.Tensor(array)
    assert (tensor.dtype, tensor.shape, tensor.nbytes) == (dtype, (2, 3), array.nbytes)
    for back in [tensor.numpy(), np.asarray(tensor), np.from_dlpack(tensor)]:
        assert back.dtype == array.dtype
        np.testing.assert_array_equal(back, array)
    assert tensor.tolist() == array.tolist()
    copy = pickle.loads(pickle.dumps(tensor))
    assert (copy.dtype, copy.shape, copy.tobytes()) == (dtype, (2, 3), array.tobytes())


def test_memory_is_shared_and_read_only() -> None:
    array = np.ones(1000, np.float32)
    tensor = pteron.Tensor(array)
    assert np.shares_memory(tensor.numpy(), array)
    assert np.shares_memory(np.from_dlpack(tensor), array)
    assert not tensor.numpy().flags.writeable
    assert not np.from_dlpack(tensor).flags.writeable
    assert not np.shares_memory(np.array(tensor), array)
    view = pteron.Tensor(array).numpy()
    del tensor, array
    assert view.sum() == 1000


def test_brain_floats_are_bytes_without_a_type_of_numpy() -> None:
    halves = pteron.Tensor(np.array([0x3F80, 0xC000], np.uint16).tobytes(), dtype="bfloat16")
    assert halves.dtype == "bfloat16"
    assert halves.tolist() == [1.0, -2.0]
    np.testing.assert_array_equal(halves.astype("float32").numpy(), np.array([1.0, -2.0], np.float32))
    types = pytest.importorskip("ml_dtypes")
    assert halves.numpy().dtype == types.bfloat16
    again = pteron.Tensor(np.array([1.0, -2.0], types.bfloat16))
    assert (again.dtype, again.tobytes()) == ("bfloat16", halves.tobytes())


def test_numbers_in_lists() -> None:
    assert pteron.Tensor([[1, 2], [3, 4]]).dtype == "int64"
    assert pteron.Tensor([1.5, 2]).dtype == "float32"
    assert pteron.Tensor([True, False]).dtype == "bool"
    assert pteron.Tensor([[1, 2]], dtype=np.dtype("float16")).tolist() == [[1.0, 2.0]]
    assert pteron.Tensor(3).shape == ()
    assert (pteron.Tensor([]).shape, pteron.Tensor([[], []]).shape) == ((0,), (2, 0))
    assert pteron.Tensor([2**60 + 1]).item() == 2**60 + 1
    for uneven in [[[1, 2], [3]], [1, [2]], [[1], 2]]:
        with pytest.raises(ValueError, match="different lengths"):
            pteron.Tensor(uneven)
    with pytest.raises(TypeError):
        pteron.Tensor(["a"])


def test_one_element_is_a_number() -> None:
    assert float(pteron.Tensor([1.5])) == 1.5
    assert int(pteron.Tensor([[7]])) == 7
    assert bool(pteron.Tensor(0)) is False
    assert len(pteron.Tensor([1, 2, 3])) == 3
    with pytest.raises(ValueError):
        pteron.Tensor([1, 2]).item()
    with pytest.raises(TypeError):
        len(pteron.Tensor(1))


def test_parts_are_those_of_numpy() -> None:
    tensor = pteron.Tensor([[1, 2, 3], [4, 5, 6]])
    assert tensor[1, 2] == 6
    assert tensor[:, 1].tolist() == [2, 5]
    assert [row.tolist() for row in tensor] == tensor.tolist()
    with pytest.raises(IndexError):
        tensor[2]


def test_what_is_no_tensor_is_refused() -> None:
    with pytest.raises(TypeError, match="buffer format"):
        pteron.Tensor(np.array(["a", "b"]))
    with pytest.raises(TypeError, match="buffer format"):
        pteron.Tensor(np.arange(3, dtype=">i4"))
    with pytest.raises(TypeError, match="element type"):
        pteron.Tensor([1], dtype="float31")
    with pytest.raises(ValueError):
        pteron.Tensor([1, 2, 3], shape=(2, 2))
    with pytest.raises(ValueError, match="dimensions"):
        pteron.Tensor(np.zeros([1] * 9))


def test_large_tensors_are_not_written_out() -> None:
    assert repr(pteron.Tensor(np.zeros((10, 10), np.float32))) == "pteron.Tensor(shape=(10, 10), dtype=float32)"
    assert repr(pteron.Tensor([1, 2])) == "pteron.Tensor([1, 2], dtype=int64)"


def test_numbers_fit_or_are_refused() -> None:
    with pytest.raises(pteron.InputError, match="300 does not fit u8"):
        pteron.Tensor([1, 300], dtype="uint8")
    assert pteron.Tensor([2, 0], dtype="bool").tolist() == [True, False]
    assert repr(pteron.Tensor(b"", dtype="float32", shape=(0, 3))) == "pteron.Tensor(shape=(0, 3), dtype=float32)"
    assert bytes(pteron.Tensor([1, 2], dtype="uint8")) == b"\x01\x02"
