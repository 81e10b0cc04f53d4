"""Calls: what goes in, what comes out, and who may call."""

import array
import threading
from pathlib import Path

import numpy as np
import pteron
import pytest


@pytest.fixture(scope="module")
def forward(embedding: Path) -> pteron.Method:
    return pteron.load(embedding, device="cpu").method("forward")


@pytest.fixture(scope="module")
def rows(forward: pteron.Method) -> np.ndarray:
    """All rows of the table, looked up one by one."""
    return np.concatenate([forward(np.array([row]))[0].numpy() for row in range(31)])


def test_inputs_of_every_kind_give_the_same(forward: pteron.Method, rows: np.ndarray) -> None:
    ids = np.array([3, 1, 4, 1], np.int64)
    read_only = ids.copy()
    read_only.flags.writeable = False

    class Lends:
        """Another library's tensor."""

        def __dlpack__(self, **options: object) -> object:
            return ids.__dlpack__(**options)

        def __dlpack_device__(self) -> tuple[int, int]:
            return ids.__dlpack_device__()

    class Old(Lends):
        """One of a library that does not know versions."""

        def __dlpack__(self) -> object:
            return ids.__dlpack__()

    class Converts:
        """Something that numpy knows to convert."""

        def __array__(self) -> np.ndarray:
            return ids

    given = [
        ids,
        read_only,
        ids.astype(np.int32),
        np.repeat(ids, 2)[::2],
        ids[::-1][::-1],
        array.array("q", [3, 1, 4, 1]),
        memoryview(array.array("q", [3, 1, 4, 1])),
        pteron.Tensor(ids),
        pteron.Tensor([3, 1, 4, 1]),
        pteron.Tensor(ids.tobytes(), dtype="int64"),
        Lends(),
        Old(),
        Converts(),
    ]
    for x in given:
        [output] = forward(x)
        assert isinstance(output, pteron.Tensor), type(x)
        np.testing.assert_array_equal(output.numpy(), rows[ids], err_msg=str(type(x)))


def test_strided_inputs_are_read_in_their_order(forward: pteron.Method, rows: np.ndarray) -> None:
    backwards = np.array([1, 2, 3])[::-1]
    np.testing.assert_array_equal(forward(backwards)[0].numpy(), rows[[3, 2, 1]])
    tensor = pteron.Tensor(np.arange(24, dtype=np.float32).reshape(2, 3, 4).transpose(2, 0, 1))
    np.testing.assert_array_equal(tensor.numpy(), np.arange(24, dtype=np.float32).reshape(2, 3, 4).transpose(2, 0, 1))


def test_outputs_do_not_follow_inputs(forward: pteron.Method, rows: np.ndarray) -> None:
    ids = np.array([5, 6])
    [output] = forward(ids)
    ids[:] = 0
    np.testing.assert_array_equal(output.numpy(), rows[[5, 6]])
    np.testing.assert_array_equal(forward(ids)[0].numpy(), rows[[0, 0]])


def test_memory_of_inputs_is_given_back(forward: pteron.Method) -> None:
    ids = bytearray(array.array("q", [1, 2, 3]).tobytes())
    forward(pteron.Tensor(ids, dtype="int64"))
    ids.append(0)


def test_wrong_inputs_are_errors_that_name_them(forward: pteron.Method) -> None:
    with pytest.raises(TypeError, match="input 0"):
        forward("text")
    with pytest.raises(TypeError, match="input 0"):
        forward(1.5)
    with pytest.raises(pteron.InputError, match="takes 1 inputs, and 2 were given"):
        forward(np.array([1]), np.array([2]))
    with pytest.raises(pteron.InputError, match="input 0"):
        forward(np.zeros((2, 2), np.int64))
    with pytest.raises(pteron.InputError, match="input 0"):
        forward(np.array([1.0]))
    with pytest.raises(ValueError, match="out of range") as caught:
        forward(np.array([31]))
    assert caught.value.kind == "input"
    assert forward(np.array([30]))[0].shape == (1, 32)


def test_threads_take_turns(forward: pteron.Method, rows: np.ndarray) -> None:
    failures: list[BaseException] = []

    def call(first: int) -> None:
        try:
            for row in range(first, first + 5):
                np.testing.assert_array_equal(forward(np.array([row]))[0].numpy(), rows[[row]])
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=call, args=(first,)) for first in range(0, 25, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_specifications_say_what_fits(forward: pteron.Method) -> None:
    [spec] = forward.inputs
    assert (spec.kind, spec.dtype, spec.dynamic) == ("tensor", "int64", True)
    assert forward.name == "forward"
    assert "forward" in repr(forward)


def test_halves_go_through_a_call(fixtures: Path) -> None:
    flip = pteron.load(fixtures / "ops/flip/f16/model.pte", device="cpu").method()
    x = np.arange(40, dtype=np.float16).reshape(5, 8)
    [flipped] = flip(x)
    assert flipped.dtype == "float16" and flipped.numpy().dtype == np.float16
    assert sorted(flipped.numpy().ravel()) == sorted(x.ravel())


def test_brain_floats_go_through_a_call() -> None:
    double = pteron.load(Path(__file__).with_name("brain.pte"), device="cpu").method()
    flat = np.array([0x3F80, 0xC000, 0x4000] * 2, np.uint16).tobytes()
    [doubled] = double(pteron.Tensor(flat, dtype="bfloat16", shape=(2, 3)))
    assert doubled.dtype == "bfloat16"
    assert doubled.tolist() == [[2.0, -4.0, 4.0]] * 2
    types = pytest.importorskip("ml_dtypes")
    [again] = double(np.array([[1.0, -2.0, 2.0]] * 2, types.bfloat16))
    np.testing.assert_array_equal(again.numpy().astype(np.float32), [[2.0, -4.0, 4.0]] * 2)


def test_numbers_and_truth_values_are_inputs(fixtures: Path) -> None:
    method = pteron.load(fixtures / "programs/inputs/no_tensors_between/model.pte", device="cpu").method()
    assert [spec.kind for spec in method.inputs] == ["tensor", "float", "null", "tensor", "int", "bool"]
    inputs = [np.ones((3, 2), np.float32), 2.5, None, np.ones(2, np.float32), 4, True]
    [output] = method(*inputs)
    assert output.tolist() == [[0.5, 0.5]] * 3
    with pytest.raises(TypeError, match="input 1"):
        method(inputs[0], "text", *inputs[2:])
    for position, other in ((1, 0.5), (4, 2), (5, False)):
        with pytest.raises(pteron.InputError, match=f"input {position}: it is {str(inputs[position]).lower()} in this program"):
            method(*inputs[:position], other, *inputs[position + 1 :])
