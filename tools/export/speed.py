"""Exports the networks of the speed table, each with twins of the same weights for the peers.

    pip install torchvision==0.29.2 onnx==1.23.2 onnxscript==0.7.2
    python tools/export/speed.py [--only PATTERN] [--out DIR]

Each folder is a case that `pteron verify` runs and `pteron bench` times: whole networks at their usual size, batch 1
except where the name says otherwise, random weights, as the stock exporter lowers them. `model.onnx` and `model.pt2` beside
it are what `tools/peers/networks.py` gives to ONNX Runtime and to PyTorch, with the same inputs. A convolution of several
sizes, without twins, is what `tools/plots/measure.py` times.

`--skeletons` writes programs without their large constants instead, which are small enough to carry anywhere:
`pteron bench NAME.skel.pte --fill-missing` times them with random ones.
"""

import argparse
import fnmatch
import logging
import sys
import tempfile
import time
import zlib
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torchvision import models

import omit
from lib import Case, f32, write
from make import table
from network_lib import encoder, network, words

OUT = Path(__file__).resolve().parent.parent.parent / "target" / "speed"


class Encoder(nn.Module):
    """Words, then `nn.TransformerEncoder` as it is written in most tutorials."""

    def __init__(self, vocabulary: int = 8192, width: int = 256, heads: int = 4, layers: int = 4) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.encoder = encoder(width, heads, layers, norm_first=False)

    def forward(self, words: Tensor) -> Tensor:
        return self.encoder(self.words(words))


NETWORKS: Sequence[Case] = [
    network("mobilenet_v3_small", models.mobilenet_v3_small, f32(1, 3, 224, 224)),
    network("efficientnet_b0", models.efficientnet_b0, f32(1, 3, 224, 224)),
    network("resnet18", models.resnet18, f32(1, 3, 224, 224)),
    network("encoder", Encoder, words(128, 8192)),
    network("vit", lambda: models.VisionTransformer(224, 16, 6, 6, 384, 1536), f32(1, 3, 224, 224)),
    network("resnet50_batch8", models.resnet50, f32(8, 3, 224, 224)),
]


# Others of these kinds, so that nothing is tuned to the six above.
OTHERS: Sequence[Case] = [
    network("mobilenet_v2", models.mobilenet_v2, f32(1, 3, 224, 224)),
    network("resnet50", models.resnet50, f32(1, 3, 224, 224)),
    network("convnext_tiny", models.convnext_tiny, f32(1, 3, 224, 224)),
    network("densenet121", models.densenet121, f32(1, 3, 224, 224)),
    network("regnet_y_400mf", models.regnet_y_400mf, f32(1, 3, 224, 224)),
    network("shufflenet_v2", models.shufflenet_v2_x1_0, f32(1, 3, 224, 224)),
    network("squeezenet", models.squeezenet1_1, f32(1, 3, 224, 224)),
    network("swin_t", models.swin_t, f32(1, 3, 224, 224)),
    network("vit_b_16", models.vit_b_16, f32(1, 3, 224, 224)),
    network("encoder_wide", lambda: Encoder(width=512, heads=8, layers=6), words(256, 8192)),
]


# One layer at growing sizes, of which `tools/plots` shows how its cost grows.
CONVOLUTIONS: Sequence[Case] = [
    network(f"conv_{size}", lambda: nn.Conv2d(64, 64, 3, padding=1), f32(1, 64, size, size))
    for size in (7, 14, 28, 56, 112, 224, 448)
]


def write_twins(case: Case, folder: Path) -> None:
    """Write the twins, with the weights and inputs that the case was made with."""
    torch.manual_seed(zlib.crc32(case.path.encode()))
    module = case.module().eval()
    inputs = tuple(source() for source in case.steps[0])
    exported = torch.export.export(module, inputs, strict=False)
    torch.export.save(exported, folder / "model.pt2")
    torch.onnx.export(module, inputs, folder / "model.onnx", dynamo=True, external_data=False, verbose=False)


def write_skeleton(case: Case, folder: Path, small: int) -> str:
    """Write a network without its constants of so many bytes or more, and say what became of it."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        write(case, Path(scratch))
        program = (Path(scratch) / case.path / "model.pte").read_bytes()
    return omit.write(program, folder / f"{case.path}.skel.pte", small)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="*", help="shell pattern on the network's name")
    parser.add_argument("--out", type=Path, default=OUT, help="folder to write to (default: target/speed)")
    parser.add_argument("--without-twins", action="store_true", help="leave the twins out")
    parser.add_argument("--skeletons", action="store_true", help="write programs without their large constants")
    parser.add_argument("--small", type=int, default=omit.SMALL, help="bytes below which skeletons keep a constant")
    arguments = parser.parse_args()
    logging.getLogger("onnxscript").setLevel(logging.ERROR)
    rows, skeletons = [], []
    for case in [*NETWORKS, *OTHERS, *CONVOLUTIONS]:
        if not fnmatch.fnmatch(case.path, arguments.only):
            continue
        started = time.monotonic()
        if arguments.skeletons:
            skeletons.append(write_skeleton(case, arguments.out, arguments.small))
            print(f"{skeletons[-1]} ({time.monotonic() - started:.1f} s)", file=sys.stderr, flush=True)
            continue
        rows.append(write(case, arguments.out))
        if not arguments.without_twins and case not in CONVOLUTIONS:
            write_twins(case, arguments.out / case.path)
        print(f"{case.path} ({time.monotonic() - started:.1f} s)", file=sys.stderr, flush=True)
    if not rows and not skeletons:
        parser.error(f"no network is named {arguments.only!r}")
    print("\n".join(skeletons) if arguments.skeletons else table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
