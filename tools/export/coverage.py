"""Lists what the stock package can emit and run, and writes `docs/coverage.md` by what runs here.

    python tools/export/coverage.py [--check]

The list is `crates/testkit/tests/registered.txt`: one line for each operator or kind of node, with the target that it is
for and by whom it is registered. A test compares it with the catalogue and writes the page; it needs no torch.
"""

import argparse
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import executorch
import torch
import yaml
from executorch.backends.vulkan import op_registry
from executorch.exir.operator.convert import to_out_variant
from executorch.extension.pybindings.portable_lib import _get_operator_names

ROOT = Path(__file__).resolve().parent.parent.parent
LIST = ROOT / "crates/testkit/tests/registered.txt"
PACKAGE = Path(next(iter(executorch.__path__)))

YAML_FILES = [
    "kernels/portable/functions.yaml",
    "kernels/portable/custom_ops.yaml",
    "kernels/portable/et_copy_ops.yaml",
    "kernels/quantized/quantized.yaml",
]


def yaml_names(path: str) -> Iterator[str]:
    """The operators that a file of kernels registers."""
    for entry in yaml.safe_load((PACKAGE / path).read_text()):
        name = entry["op"] if "op" in entry else entry["func"].split("(")[0]
        yield name if "::" in name else f"aten::{name}"


def portable() -> dict[str, list[str]]:
    """Operators outside delegates: those of the files, those of the Python binding, and the out variants of the rest of
    PyTorch's core operators, which the exporter emits with or without a kernel for them."""
    found = defaultdict(list)
    for path in YAML_FILES:
        for name in dict.fromkeys(yaml_names(path)):
            found[name].append(Path(path).name)
    for name in _get_operator_names():
        found[name].append("Python binding")
    for name in core():
        if name not in found:
            found[name].append("nobody (core ATen)")
    return found


def core() -> Iterator[str]:
    """The out variants of the operators that PyTorch calls core."""
    for name in torch._C._dispatch_get_all_op_names():
        packet, _, overload = name.removeprefix("aten::").partition(".")
        operator = getattr(getattr(torch.ops.aten, packet, None), overload or "default", None)
        if not name.startswith("aten::") or operator is None or torch.Tag.core not in operator.tags:
            continue
        try:
            schema = to_out_variant(operator)[0]._schema
        except (RuntimeError, AssertionError):  # views and numbers have none, and are emitted in other ways
            continue
        yield f"{schema.name}.{schema.overload_name}" if schema.overload_name else schema.name


def vulkan() -> dict[str, list[str]]:
    """Operators that the partitioner takes. That of WebGPU asks it, and writes the same graphs."""
    return {graph_name(key): ["op_registry.py"] for key in op_registry.vulkan_supported_ops}


def graph_name(key: Any) -> str:
    """What a graph calls an operator: `aten.add.Tensor`, or `add` of numbers."""
    schema = getattr(getattr(key, "_op", key), "_schema", None)
    if schema is None:
        return key if isinstance(key, str) else key.__name__
    return f"{schema.name.replace('::', '.', 1)}.{schema.overload_name or 'default'}"


def xnnpack() -> dict[str, list[str]]:
    """Kinds of nodes of the schema."""
    schema = (PACKAGE / "backends/xnnpack/serialization/schema.fbs").read_text()
    union = re.search(r"union XNodeUnion \{(.*?)\}", schema, re.DOTALL)
    assert union is not None, "the schema has a union of nodes"
    return {kind: ["schema.fbs"] for kind in re.findall(r"^\s*(\w+)", union[1], re.MULTILINE)}


def lines() -> Iterator[str]:
    """The list, sorted by target and name."""
    yield f"# executorch {version('executorch')}, torch {version('torch')}; made by tools/export/coverage.py"
    for target, names in {"portable": portable(), "vulkan": vulkan(), "xnnpack": xnnpack()}.items():
        for name, sources in sorted(names.items()):
            yield "\t".join([target, name, ", ".join(sources)])


def version(package: str) -> str:
    """The version without what a builder adds to it."""
    return metadata.version(package).partition("+")[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the committed list; write nothing")
    arguments = parser.parse_args()
    text = "\n".join(lines()) + "\n"
    if arguments.check:
        if LIST.read_text() != text:
            print(f"{LIST.relative_to(ROOT)} is not what the package registers", file=sys.stderr)
            return 1
        return 0
    LIST.write_text(text)
    test = ["cargo", "test", "-p", "pteron-testkit", "--test", "coverage"]
    return subprocess.run(test, cwd=ROOT, env=os.environ | {"UPDATE_DOCS": "1"}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
