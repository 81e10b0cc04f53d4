"""The formats beside `.pte`: external data and bundled programs."""

import torch
from executorch.devtools import BundledProgram
from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite
from executorch.devtools.bundled_program.serialize import serialize_from_bundled_program_to_flatbuffer
from torch import nn

from cases.embedding_q4gsw import OPERATOR, Table, checked
from lib import Case, ExecutorchBackendConfig, Lowered, Tensors, export, f32, given, to_edge


def external(case: Case, module: nn.Module, inputs: Tensors) -> Lowered:
    """Constants of delegates, and of portable operators, in files of their own."""
    config = ExecutorchBackendConfig(external_constants=True)
    program = to_edge(case, export(case, module, inputs)).to_executorch(config)
    contents = [bytes(data) for _, data in sorted(program._tensor_data.items())]
    # The exporter names the files by a hash; the program refers to what is in them by key only.
    files = dict(zip(case.extra["data"], contents, strict=True))
    assert all(data[4:8] == b"FT01" for data in files.values())
    return Lowered(program.buffer, files)


def bundled(case: Case, module: nn.Module, inputs: Tensors) -> Lowered:
    """The program with its test inputs and expected outputs in one file."""
    program = to_edge(case, export(case, module, inputs)).to_executorch()
    tests = [MethodTestCase(inputs=inputs, expected_outputs=(module(*inputs),))]
    bundle = BundledProgram(program, [MethodTestSuite("forward", tests)])
    data = serialize_from_bundled_program_to_flatbuffer(bundle)
    assert data[4:8] == b"BP08", data[:16]
    return Lowered(program.buffer, {"model.bpte": data})


CASES = [
    Case(
        "formats/external_data/linear",
        lambda: nn.Linear(12, 8),
        [(f32(3, 12),)],
        operators=["aten.linear.default"],
        options={"external_constants_max_data_bytes": 1 << 20},
        lower=external,
        extra={"data": ["model.ptd"]},
        atol=1e-4,
        rtol=1e-4,
    ),
    Case(
        "formats/external_data/two_files",
        lambda: nn.Linear(32, 16),
        [(f32(3, 32),)],
        operators=["aten.linear.default"],
        options={"external_constants_max_data_bytes": 2048},
        lower=external,
        extra={"data": ["model_0.ptd", "model_1.ptd"]},
        atol=1e-4,
        rtol=1e-4,
    ),
    Case(
        "formats/external_data/portable_convolution",
        lambda: nn.Conv2d(3, 4, 3),
        [(f32(2, 3, 6, 5),)],
        kernels=["aten::convolution.out"],
        lower=external,
        extra={"data": ["model.ptd"]},
        atol=1e-4,
        rtol=1e-4,
    ),
    Case(
        "formats/bundled/embedding",
        lambda: Table(8, 32, 8, linear=True),
        [(given([7, 0, 3, 3]),)],
        operators=[OPERATOR],
        double=False,
        verify=checked(True),
        lower=bundled,
        extra={"bundled": "model.bpte"},
        atol=0,
        rtol=1e-6,
    ),
    Case(
        "formats/bundled/linear",
        lambda: nn.Linear(12, 8),
        [(f32(3, 12),)],
        operators=["aten.linear.default"],
        lower=bundled,
        extra={"bundled": "model.bpte"},
        atol=1e-4,
        rtol=1e-4,
    ),
]
