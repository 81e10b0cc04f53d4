"""Exports a program of many megabytes whose constants a test's server computes: only what comes before them is kept.

    python tools/export/large.py fixtures/web/large 3
    python tools/export/large.py fixtures/web/larger 10

The tables, of 105 MB each, hold, at every place, a number that follows from the place alone, so a page can check every element that
reached its GPU.
"""

import json
import sys
from pathlib import Path

import torch
from executorch.backends.vulkan.partitioner.vulkan_partitioner import VulkanPartitioner
from executorch.exir import to_edge_transform_and_lower
from torch import nn

ROWS, COLUMNS, IDS = 102_400, 256, 1024


def table(number: int) -> torch.Tensor:
    """Whole numbers below 2**24, which every float holds exactly."""
    place = torch.arange(ROWS * COLUMNS, dtype=torch.int64)
    return ((place * 2_654_435_761 + number * 40_503) % (1 << 24)).to(torch.float32).reshape(ROWS, COLUMNS)


class Tables(nn.Module):
    """The rows of several tables that ids name."""

    def __init__(self, tables: int) -> None:
        super().__init__()
        self.tables = nn.ModuleList([nn.Embedding.from_pretrained(table(number)) for number in range(tables)])

    def forward(self, ids: torch.Tensor) -> list[torch.Tensor]:
        return [table(ids) for table in self.tables]


def main(folder: Path, tables: int) -> None:
    exported = torch.export.export(Tables(tables).eval(), (torch.zeros(IDS, dtype=torch.int64),))
    lowered = to_edge_transform_and_lower(exported, partitioner=[VulkanPartitioner()])
    program = lowered.to_executorch().buffer
    parts = []
    for number in range(tables):
        offset = program.index(table(number).numpy().tobytes())
        parts.append({"offset": offset, "table": number})
    front = min(part["offset"] for part in parts)
    last = max(part["offset"] for part in parts) + ROWS * COLUMNS * 4
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "front.bin").write_bytes(program[:front])
    (folder / "back.bin").write_bytes(program[last:])
    described = {"size": len(program), "rows": ROWS, "columns": COLUMNS, "ids": IDS, "parts": parts, "back": last}
    (folder / "large.json").write_text(json.dumps(described, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
