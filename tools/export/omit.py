"""Programs without their large constants, and manifests that say how to fill them.

`NAME.skel.pte` has a program's structure and small constants, `NAME.skel.json` beside it says what was left out:
`pteron bench NAME.skel.pte --fill-missing` runs it.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from executorch.exir._serialize._flatbuffer_program import _flatbuffer_to_program
from executorch.exir._serialize._program import _get_extended_header

SMALL = 64 << 10
"""Constants of fewer bytes stay in the program, unless said."""


def filling(data: bytes) -> dict[str, Any]:
    """How to fill a part that has these bytes: as its numbers are distributed where it is of numbers, and else at random."""
    if len(data) % 4 == 0:
        # Four-bit weights, read as numbers of either kind, are sometimes huge, tiny or none at all.
        for kind, least, most in (("<f4", 1e-30, 1e30), ("<f2", 1e-7, 1e4)):
            numbers = np.frombuffer(data, dtype=kind)
            sizes = np.abs(numbers)
            if not np.all((sizes == 0) | ((sizes > least) & (sizes < most))):
                continue
            if kind == "<f4" and np.any(numbers < 0):
                return {"role": "floats", "mean": float(numbers.mean()), "deviation": float(numbers.std())}
            middle = int(np.argsort(sizes)[len(numbers) // 2])
            number = data[middle * numbers.itemsize : (middle + 1) * numbers.itemsize]
            return {"role": "repeated", "pattern": (number * (4 // numbers.itemsize)).hex()}
    return {"role": "random"}


def parts(program: bytes) -> Iterator[tuple[int, int]]:
    """Where a program has its constants: the beginning and the end of each."""
    header = _get_extended_header(program)
    content = _flatbuffer_to_program(program[: header.program_size])
    for index, segment in enumerate(content.segments):
        start = header.segment_base_offset + segment.offset
        end = start + segment.size
        # A delegate's graph is no constant.
        if program[start + 4 : start + 8] in (b"VH00", b"XH00"):
            continue
        if content.constant_segment.segment_index == index and content.constant_segment.offsets:
            # Constants outside delegates lie in one segment.
            offsets = sorted({start + offset for offset in content.constant_segment.offsets} | {start, end})
            yield from zip(offsets, offsets[1:])
        else:
            yield start, end


def cut(program: bytes, small: int = SMALL) -> tuple[bytes, dict[str, Any]]:
    """The program without its large constants, and its manifest."""
    kept, dropped, at = [], [], 0
    for start, end in sorted(parts(program)):
        if end - start < small:
            continue
        kept.append(program[at:start])
        at = end
        dropped.append({**filling(program[start:end]), "file_offset": start, "size": end - start})
    kept.append(program[at:])
    return b"".join(kept), {"full_bytes": len(program), "dropped": dropped}


def write(program: bytes, path: Path, small: int = SMALL) -> str:
    """Write a program without its large constants to `path`, its manifest beside it, and say what became of it."""
    skeleton, manifest = cut(program, small)
    path.write_bytes(skeleton)
    path.with_suffix(".json").write_text(json.dumps(manifest, indent=1) + "\n")
    return f"{path.name}: {len(skeleton)} of {manifest['full_bytes']} bytes"
