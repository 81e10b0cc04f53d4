"""Reads an exported program back with the exporter's own deserializers, to assert what it holds."""

import json
import re
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, BinaryIO

import numpy as np
from executorch.backends.vulkan.serialization import vulkan_graph_serialize
from executorch.backends.vulkan.serialization.vulkan_graph_schema import (
    VkDataType,
    VkGraph,
    VkTensor,
)
from executorch.backends.vulkan.serialization.vulkan_graph_serialize import (
    extract_vk_flatbuffer,
    flatbuffer_to_vk_graph,
)
from executorch.exir._serialize._program import PTEFile, deserialize_pte_binary
from executorch.exir.schema import DelegateCall, ExecutionPlan, KernelCall

import xnnpack_graph

NUMPY_TYPES = {
    VkDataType.UINT8: np.uint8,
    VkDataType.INT8: np.int8,
    VkDataType.INT32: np.int32,
    VkDataType.FLOAT16: np.float16,
    VkDataType.FLOAT32: np.float32,
}


def _load(file: BinaryIO) -> Any:
    """Read JSON in which a number may be `inf` or `nan`, as flatc writes it and Python does not read it."""
    words = {b"inf": b"Infinity", b"nan": b"NaN"}
    return json.loads(re.sub(rb'(?<=": )(-?)(inf|nan)\b', lambda found: found[1] + words[found[2]], file.read()))


# A graph with an infinity in it cannot be read back otherwise: the exporter does not expect one.
vulkan_graph_serialize.json = SimpleNamespace(load=_load, dumps=json.dumps)


@dataclass(frozen=True)
class Method:
    """One execution plan: its instruction names and the operators inside its delegates."""

    name: str
    instructions: list[str]
    """The kind of every instruction, in order, such as `DelegateCall`."""
    kernels: list[str]
    """Portable operators outside the delegates, in call order, such as `aten::mean.out`."""
    graphs: list[VkGraph]
    """The graph of every delegate for Vulkan."""
    xnnpack_graphs: list[dict[str, Any]]
    """The graph of every delegate for XNNPACK."""

    @property
    def operators(self) -> list[str]:
        """Operators of all delegates, in call order, without `prepack`; for XNNPACK the kinds of nodes."""
        names = (call.name for graph in self.graphs for call in graph.chain)
        operators = [name for name in names if name != "et_vk.prepack.default"]
        return operators + [kind for graph in self.xnnpack_graphs for kind in xnnpack_graph.kinds(graph)]


@dataclass(frozen=True)
class Program:
    """A `.pte` file read back."""

    methods: list[Method]
    file: PTEFile
    data: bytes

    @staticmethod
    def read(data: bytes) -> "Program":
        """Read the bytes of a `.pte` file."""
        file = deserialize_pte_binary(data)
        return Program([_method(file, plan) for plan in file.program.execution_plan], file, data)

    def method(self, name: str) -> Method:
        """The method called `name`."""
        return next(method for method in self.methods if method.name == name)

    def constant(self, graph: VkGraph, value: int) -> np.ndarray:
        """The bytes of a constant of `graph`, as the file holds them."""
        tensor = graph.values[value].value
        assert isinstance(tensor, VkTensor) and tensor.constant_id >= 0, tensor
        key = graph.constants[tensor.constant_id].named_key
        assert self.file.named_data is not None
        entry = self.file.named_data.pte_data[key]
        data = self.file.named_data.buffers[entry.buffer_index]
        return np.frombuffer(data, NUMPY_TYPES[tensor.datatype]).reshape(tensor.dims)


def _method(file: PTEFile, plan: ExecutionPlan) -> Method:
    calls = [instruction.instr_args for chain in plan.chains for instruction in chain.instructions]
    operators = [plan.operators[call.op_index] for call in calls if isinstance(call, KernelCall)]
    delegates = [plan.delegates[call.delegate_index] for call in calls if isinstance(call, DelegateCall)]
    data = (file.program.backend_delegate_data[delegate.processed.index].data for delegate in delegates)
    blobs = [bytes(blob) for blob in data]
    return Method(
        name=plan.name,
        instructions=[type(call).__name__ for call in calls],
        kernels=[f"{op.name}.{op.overload}" if op.overload else op.name for op in operators],
        graphs=[
            flatbuffer_to_vk_graph(extract_vk_flatbuffer(blob)) for blob in blobs if not xnnpack_graph.is_graph(blob)
        ],
        xnnpack_graphs=[xnnpack_graph.read(blob) for blob in blobs if xnnpack_graph.is_graph(blob)],
    )
