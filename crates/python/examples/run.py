"""Runs a program on random inputs: `python run.py model.pte`."""

import sys

import numpy as np
import pteron


def main(path: str) -> None:
    """Runs the program's first method and shows what it gives."""
    program = pteron.load(path)
    method = program.method(program.methods[0])
    print(method)
    random = np.random.default_rng(0)
    inputs = [random.random(spec.shape or []).astype(spec.dtype or "float32") for spec in method.inputs]
    for output in method(*inputs):
        print(output)


if __name__ == "__main__":
    main(sys.argv[1])
