"""Times the networks of `tools/export/speed.py` in ONNX Runtime's WebGPU provider, in PyTorch on CUDA, and in pteron.

    pip install onnxruntime-webgpu torch safetensors
    python tools/peers/networks.py target/speed --pteron target/release/pteron [--only PATTERN] [--calls 300] [--json FILE]

Whole calls: inputs come from the host, outputs go to it. Each figure is the median of `--calls` calls after a warm-up, in
milliseconds, and each answer is compared with the expected one first. What is not installed or has no device is left out
and said so.
"""

import argparse
import fnmatch
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file

WARM_UP = 50


def median_ms(call: Callable[[], Any], calls: int) -> float:
    for _ in range(WARM_UP):
        call()
    times = []
    for _ in range(calls):
        started = time.perf_counter()
        call()
        times.append((time.perf_counter() - started) * 1e3)
    return statistics.median(times)


def check(name: str, outputs: list[np.ndarray], expected: dict[str, np.ndarray]) -> None:
    """Peers round convolutions to fewer bits, so this finds a wrong network, not a rounding."""
    for index, wanted in expected.items():
        got = outputs[int(index)]
        worst = np.abs(got - wanted).max() / max(np.abs(wanted).max(), 1e-9)
        if not worst < 2e-2:
            raise ValueError(f"{name}: output {index} is off by {worst:.1e} of its largest value")


def onnxruntime(folder: Path, inputs: list[np.ndarray]) -> tuple[str, Callable[[], list[np.ndarray]]]:
    import onnxruntime as ort

    if "WebGpuExecutionProvider" not in ort.get_available_providers():
        raise ImportError("this onnxruntime has no WebGPU provider: pip install onnxruntime-webgpu")
    session = ort.InferenceSession(folder / "model.onnx", providers=["WebGpuExecutionProvider"])
    # It takes the CPU, and only prints so, where it finds no adapter.
    if "WebGpuExecutionProvider" not in session.get_providers():
        raise ImportError("ONNX Runtime finds no WebGPU adapter")
    names = [value.name for value in session.get_inputs()]
    feed = dict(zip(names, inputs, strict=True))
    return f"ONNX Runtime WebGPU {ort.__version__}", lambda: session.run(None, feed)


def pytorch(folder: Path, inputs: list[np.ndarray], *, compiled: bool) -> tuple[str, Callable[[], list[np.ndarray]]]:
    import torch

    if not torch.cuda.is_available():
        raise ImportError("PyTorch finds no CUDA device")
    module = torch.export.load(folder / "model.pt2").module().cuda()
    called = torch.compile(module, mode="reduce-overhead") if compiled else module
    host = [torch.from_numpy(value) for value in inputs]

    def call() -> list[np.ndarray]:
        with torch.inference_mode():
            result = called(*(value.cuda() for value in host))
        results = [result] if isinstance(result, torch.Tensor) else list(result)
        return [value.cpu().numpy() for value in results]

    return f"PyTorch {torch.__version__}" + (", compiled" if compiled else ", eager"), call


PEERS: dict[str, Callable[[Path, list[np.ndarray]], tuple[str, Callable[[], list[np.ndarray]]]]] = {
    "onnxruntime-webgpu": onnxruntime,
    "torch-eager": lambda folder, inputs: pytorch(folder, inputs, compiled=False),
    "torch-compile": lambda folder, inputs: pytorch(folder, inputs, compiled=True),
}


def pteron_ms(program: str, folder: Path, calls: int) -> tuple[str, float]:
    """The name of the device, and the median of whole calls."""
    subprocess.run([program, "verify", str(folder), "--device", "gpu"], check=True, capture_output=True)
    command = [program, "bench", str(folder / "model.pte"), "--device", "gpu", "--json", "--no-check", "--repeat", "0"]
    counts = ["--iterations", str(calls), "--warmup", str(WARM_UP)]
    inputs = ["--input", str(folder / "step0.inputs.safetensors")]
    report = json.loads(subprocess.run([*command, *counts, *inputs], check=True, capture_output=True).stdout)
    return f"pteron, {report['device']}", report["call"]["median_us"] / 1e3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what tools/export/speed.py wrote")
    parser.add_argument("--only", default="*", help="shell pattern on the network's name")
    parser.add_argument("--peer", choices=PEERS, action="append", help="one peer; all unless given")
    parser.add_argument("--pteron", help="the command of pteron, which is timed too")
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    arguments = parser.parse_args()
    figures: list[dict[str, Any]] = []

    def tell(network: str, name: str, ms: float) -> None:
        figures.append({"network": network, "peer": name, "median_ms": ms})
        print(f"{network:<24} {name:<48} {ms:8.3f} ms", flush=True)

    for case in sorted(arguments.folder.glob("*/case.json")):
        folder = case.parent
        if not fnmatch.fnmatch(folder.name, arguments.only):
            continue
        if not (folder / "model.onnx").exists() or not (folder / "model.pt2").exists():
            print(f"{folder.name} left out: it has no twins for ONNX Runtime and PyTorch", file=sys.stderr)
            continue
        inputs = [value for _, value in sorted(load_file(folder / "step0.inputs.safetensors").items())]
        expected = load_file(folder / "step0.expected.safetensors")
        for peer in arguments.peer or PEERS:
            try:
                name, call = PEERS[peer](folder, inputs)
            except ImportError as error:
                print(f"{folder.name}: {peer} left out: {error}", file=sys.stderr)
                continue
            check(f"{folder.name} in {name}", call(), expected)
            tell(folder.name, name, median_ms(call, arguments.calls))
        if arguments.pteron:
            tell(folder.name, *pteron_ms(arguments.pteron, folder, arguments.calls))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 0 if figures else 1


if __name__ == "__main__":
    sys.exit(main())
