"""Reads the graph of an XNNPACK delegate back with the exporter's own schema, to assert what it holds."""

import json
import tempfile
from importlib import resources
from pathlib import Path
from typing import Any

import executorch.backends.xnnpack.serialization as serialization
from executorch.backends.xnnpack.serialization.xnnpack_graph_serialize import XNNHeader
from executorch.exir._serialize._flatbuffer import _flatc_decompile


def is_graph(blob: bytes) -> bool:
    """Whether a delegate's data is such a graph."""
    return blob[XNNHeader.MAGIC_OFFSET] == XNNHeader.EXPECTED_MAGIC


def read(blob: bytes) -> dict[str, Any]:
    """The graph, as the exporter's schema names its fields."""
    header = XNNHeader.from_bytes(blob[: XNNHeader.EXPECTED_LENGTH])
    graph = blob[header.flatbuffer_offset :][: header.flatbuffer_size]
    with tempfile.TemporaryDirectory() as folder:
        schema, binary = Path(folder) / "schema.fbs", Path(folder) / "schema.bin"
        schema.write_bytes(resources.files(serialization).joinpath("schema.fbs").read_bytes())
        binary.write_bytes(graph)
        _flatc_decompile(folder, str(schema), str(binary), ["--raw-binary"])
        # Bounds of a clamp may be infinite, which flatc writes as no JSON reader takes it.
        text = (Path(folder) / "schema.json").read_text()
    return json.loads(text.replace(": inf", ": Infinity").replace(": -inf", ": -Infinity"))


def kinds(graph: dict[str, Any]) -> list[str]:
    """The kinds of a graph's nodes, in order."""
    return [node["xnode_union_type"] for node in graph.get("xnodes", [])]
