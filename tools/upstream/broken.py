"""Finds programs that no runtime can run, because the exporter left something out of their graphs for XNNPACK."""

import sys
from pathlib import Path
from typing import Any

# The tools that make fixtures read graphs back with the exporter's own schema.
sys.path.append(str(Path(__file__).resolve().parents[1] / "export"))

from program import Program  # noqa: E402

NONE = 0xFFFF_FFFF
"""The id of no tensor."""


OUTPUT = 2
"""The flag of a tensor that a call gives."""


def tensors_of(graph: dict[str, Any]) -> list[dict[str, Any]]:
    """The tensors of a graph, whether they are quantized or not."""
    return [value["xvalue_union"].get("tensor_value", value["xvalue_union"]) for value in graph["xvalues"]]


def missing(graph: dict[str, Any]) -> int | None:
    """The first tensor that a node reads although it is no input and no constant, and no node before has computed it."""
    constants = (tensor["id_out"] for tensor in tensors_of(graph) if tensor["constant_buffer_idx"])
    known = {NONE, *graph["input_ids"], *constants}
    for node in graph["xnodes"]:
        ids = {name: number for name, number in node["xnode_union"].items() if name.endswith("_id")}
        for name, number in ids.items():
            if not name.startswith("output") and number not in known:
                return number
        known |= {number for name, number in ids.items() if name.startswith("output")}
    return None


def unanswered(graph: dict[str, Any]) -> int | None:
    """The first result of a call, by the place among its arguments, for which the graph has no tensor."""
    given = {tensor["external_id"]: tensor["flags"] for tensor in tensors_of(graph) if tensor["flags"]}
    results = [place for place, flags in given.items() if flags & OUTPUT]
    # Inputs come first, and one that is not used need not be there.
    missing = [place for place in range(min(results, default=0), graph["num_externs"]) if place not in given]
    return missing[0] if missing else None


def broken(program: bytes) -> str:
    """What the exporter left out of a program; nothing where its graphs are whole."""
    for number, graph in enumerate(Program.read(program).method("forward").xnnpack_graphs):
        if (tensor := missing(graph)) is not None:
            return f"graph {number} for XNNPACK reads tensor {tensor}, which is no input and no constant, and which nothing computes"
        if (place := unanswered(graph)) is not None:
            return f"graph {number} for XNNPACK has no tensor for argument {place} of its call, which is a result"
    return ""
