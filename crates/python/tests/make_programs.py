"""Makes programs for tests that need a long call, a large input, or the network of the README.

    python crates/python/tests/make_programs.py         # with what tools/export/requirements.txt names

`slow.pte` takes seconds for a call: it loops over a hundred thousand rows. `large.pte` takes 100 MB and gives one row of them.
`brain.pte` doubles brain floats. Nothing in the three is delegated. `classifier.pte` is what the README exports.

The exporter runs through a loop itself, so it is given a short one, whose length is changed afterwards.
"""

import dataclasses
from pathlib import Path
from typing import Any

import torch
from executorch.backends.vulkan.partitioner.vulkan_partitioner import VulkanPartitioner
from executorch.exir import EdgeCompileConfig, to_edge, to_edge_transform_and_lower
from executorch.exir._serialize._program import PTEFile, deserialize_pte_binary, serialize_pte_binary
from functorch.experimental import control_flow

SHORT, LONG = 7, 100_000


class Rows(torch.nn.Module):
    """The sine of each row plus one."""

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """One row after the other."""
        return control_flow.map(lambda row: torch.sin(row) + 1.0, rows)


def lengthened(value: Any) -> Any:
    """The same with the long length in the place of the short one."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: lengthened(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return dataclasses.replace(value, **fields)
    if isinstance(value, list):
        return [lengthened(item) for item in value]
    return LONG if type(value) is int and value == SHORT else value


class Row(torch.nn.Module):
    """One row of many."""

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """The fourth."""
        return rows[3:4]


class Double(torch.nn.Module):
    """Twice the numbers."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Their sum with themselves."""
        return x + x


def exported(module: torch.nn.Module, *inputs: torch.Tensor) -> bytes:
    """The program of a module."""
    edge = to_edge(torch.export.export(module, inputs), compile_config=EdgeCompileConfig(_check_ir_validity=False))
    return bytes(edge.to_executorch().buffer)


if __name__ == "__main__":
    here = Path(__file__).parent
    program = deserialize_pte_binary(exported(Rows(), torch.ones(SHORT, 3))).program
    for plan in program.execution_plan:
        plan.values = lengthened(plan.values)
    (here / "slow.pte").write_bytes(bytes(serialize_pte_binary(PTEFile(program=program))))
    (here / "large.pte").write_bytes(exported(Row(), torch.ones(1000, 25_000)))
    (here / "brain.pte").write_bytes(exported(Double(), torch.ones(2, 3, dtype=torch.bfloat16)))
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10)).eval()
    shapes = ({0: torch.export.Dim("rows", min=1, max=128)},)
    classifier = torch.export.export(model, (torch.randn(8, 64),), dynamic_shapes=shapes)
    lowered = to_edge_transform_and_lower(classifier, partitioner=[VulkanPartitioner()])
    (here / "classifier.pte").write_bytes(bytes(lowered.to_executorch().buffer))
