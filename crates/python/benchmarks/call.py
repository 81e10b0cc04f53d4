"""What a call costs from Python beyond what it costs from Rust, on the reference engine, and what a large input costs.

    python crates/python/benchmarks/call.py

Both run the same build: the call from Rust is timed by `pteron bench` of the installed package.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pteron

MODEL = Path(__file__).resolve().parents[3] / "fixtures/ops/add/size_1/model.pte"
LIMIT_MICROSECONDS = 15.0
LARGE = 100_000_000


def from_rust(model: Path, calls: int) -> float:
    """The median of whole calls in microseconds, without Python."""
    command = [sys.executable, "-m", "pteron", "bench", str(model), "--device", "cpu", "--json", "--no-check"]
    command += ["--repeat", "0", "--iterations", str(calls)]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return float(report["call"]["median_us"])


def from_python(model: Path, calls: int) -> float:
    """The median of whole calls in microseconds, from numpy arrays to a tensor."""
    forward = pteron.load(model, device="cpu").method()
    inputs = [np.ones(spec.shape, spec.dtype) for spec in forward.inputs]
    times = []
    for _ in range(calls + 100):
        start = time.perf_counter_ns()
        forward(*inputs)
        times.append(time.perf_counter_ns() - start)
    return statistics.median(times[100:]) / 1000


def copied(size: int) -> int:
    """By how many bytes the process grows while a large array becomes an input."""
    array = np.ones(size, np.uint8)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tensor = pteron.Tensor(array)
    assert np.shares_memory(tensor.numpy(), array)
    return 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)


def main() -> None:
    """Measures, prints, and fails where a call costs too much."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--limit", type=float, default=LIMIT_MICROSECONDS, help="microseconds that a call may cost more")
    options = parser.parse_args()
    rust, python = from_rust(MODEL, options.calls), from_python(MODEL, options.calls)
    print(f"a call takes {rust:.1f} µs from Rust and {python:.1f} µs from Python: {python - rust:.1f} µs more")
    grown = copied(LARGE)
    print(f"an input of {LARGE / 1e6:.0f} MB takes {grown / 1e6:.1f} MB of memory besides its own")
    if python - rust > options.limit or grown > LARGE // 10:
        sys.exit(1)


if __name__ == "__main__":
    main()
