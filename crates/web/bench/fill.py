"""Makes a skeleton whole, for servers that only know files: fill.py model.skel.pte model.pte.

The manifest `model.skel.json` says what is missing. Weights become random, scales what makes their products about one.
"""

import json
import sys
from pathlib import Path

import numpy as np

# Standard deviation of the integers 0 to 15, less 8.
NIBBLE_DEVIATION = 4.61


def part(random: np.random.Generator, it: dict) -> bytes:
    role = it["role"]
    if role in ("q4_weight", "random"):
        return random.integers(0, 256, it["size"], dtype=np.uint8).tobytes()
    if role == "linear_scales[K/g,N]":
        value = 1 / (NIBBLE_DEVIATION * (it["dims"][0] * it["group_size"]) ** 0.5)
    elif role == "embedding_scales[V,K/g]":
        value = 1 / NIBBLE_DEVIATION
    elif role == "kv_zero_init":
        value = 0
    else:
        raise SystemExit(f"it is not known how to fill a part with the role {role!r}")
    return np.full(it["size"] // 4, value, np.float32).tobytes()


def main() -> None:
    skeleton, whole = map(Path, sys.argv[1:])
    manifest = json.loads(skeleton.with_suffix(".json").read_text())
    own, at, random = skeleton.read_bytes(), 0, np.random.default_rng(1)
    with whole.open("wb") as out:
        for it in sorted(manifest["dropped"], key=lambda it: it["file_offset"]):
            count = it["file_offset"] - out.tell()
            out.write(own[at : at + count])
            at += count
            out.write(part(random, it))
        out.write(own[at:])
        out.truncate(manifest["full_bytes"])


if __name__ == "__main__":
    main()
