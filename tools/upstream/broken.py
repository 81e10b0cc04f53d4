"""Finds programs that no runtime can run, because the exporter left something out of their graphs for XNNPACK."""

import sys
from pathlib import Path
from typing import Any

# The tools that make fixtures read graphs back with the exporter's own schema.
sys.path.append(str(Path(__file__).resolve().parents[1] / "export"))

from program import Program  # noqa: E402

NONE = 0xFFFF_FFFF
"""The id of no tensor."""


def missing(graph: dict[str, Any]) -> int | None:
    """The first tensor that a node reads although it is no input and no constant, and no node before has computed it."""
    tensors = [value["xvalue_union"].get("tensor_value", value["xvalue_union"]) for value in graph["xvalues"]]
    known = {NONE, *graph["input_ids"], *(tensor["id_out"] for tensor in tensors if tensor["constant_buffer_idx"])}
    for node in graph["xnodes"]:
        ids = {name: number for name, number in node["xnode_union"].items() if name.endswith("_id")}
        for name, number in ids.items():
            if not name.startswith("output") and number not in known:
                return number
        known |= {number for name, number in ids.items() if name.startswith("output")}
    return None


def broken(program: bytes) -> str:
    """What the exporter left out of a program; nothing where its graphs are whole."""
    for number, graph in enumerate(Program.read(program).method("forward").xnnpack_graphs):
        if (tensor := missing(graph)) is not None:
            return f"graph {number} for XNNPACK reads tensor {tensor}, which is no input and no constant, and which nothing computes"
    return ""
