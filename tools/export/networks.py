"""Exports whole networks with random weights, as cases that `pteron verify` runs.

    pip install torchvision==0.29.2 timm==1.0.30 transformers==5.22.2
    python tools/export/networks.py [--only PATTERN] [--backend vulkan] [--half] [--again] [--out DIR]

They are too large to commit and need no download. Each is the published architecture at a small input size, or a small
one of its kind. `outcome.json` says of each whether the exporter wrote it, or why not; what it tells is not tried again,
except with `--again`. The table at the end lists the operators of each, with portable ones in brackets.
"""

import argparse
import fnmatch
import json
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from executorch.backends.vulkan.partitioner.vulkan_partitioner import VulkanPartitioner
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import ExecutorchBackendConfig, to_edge_transform_and_lower
from torch import Tensor, nn
from torch.nn import functional as F
from torchvision import models
from torchvision.models.segmentation.deeplabv3 import DeepLabHead

import networks_transformers
import networks_vision
from lib import Case, Inputs, Lowered, export, f32, ints, write
from make import table
from network_lib import encoder, mask, network, words

OUT = Path(__file__).resolve().parent.parent.parent / "target" / "networks"

class DeepLab(nn.Module):
    """A short backbone, the head that looks at several distances and at the whole image, and back to the full size."""

    def __init__(self) -> None:
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
            nn.Conv2d(16, 24, 3, stride=2, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
        )
        self.head = DeepLabHead(24, 5, (2, 4, 6))

    def forward(self, x: Tensor) -> Tensor:
        return F.interpolate(self.head(self.backbone(x)), size=x.shape[-2:], mode="bilinear", align_corners=False)


class Bert(nn.Module):
    """Words, positions and segments, then an encoder over the words that the mask keeps, then a pooled class."""

    def __init__(self, vocabulary: int = 97, width: int = 48, length: int = 32) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(length, width)
        self.segments = nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width)
        self.encoder = encoder(width, 4, 2, norm_first=False)
        self.pool = nn.Linear(width, width)
        self.classify = nn.Linear(width, 3)

    def forward(self, words: Tensor, segments: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        positions = torch.arange(words.shape[1])
        hidden = self.norm(self.words(words) + self.positions(positions) + self.segments(segments))
        dropped = (1.0 - mask.to(hidden.dtype)) * -10000.0
        hidden = self.encoder(hidden, src_key_padding_mask=dropped)
        return hidden, self.classify(torch.tanh(self.pool(hidden[:, 0])))


class Whisper(nn.Module):
    """Two convolutions over the spectrum, sinusoidal positions, then an encoder."""

    def __init__(self, bands: int = 20, width: int = 48, frames: int = 64) -> None:
        super().__init__()
        self.first = nn.Conv1d(bands, width, 3, padding=1)
        self.second = nn.Conv1d(width, width, 3, stride=2, padding=1)
        rates = torch.exp(torch.arange(width // 2) * (-9.21 / (width // 2 - 1)))
        angles = torch.arange(frames // 2)[:, None] * rates[None]
        self.register_buffer("positions", torch.cat([angles.sin(), angles.cos()], dim=1))
        self.encoder = encoder(width, 4, 2, norm_first=True)
        self.norm = nn.LayerNorm(width)

    def forward(self, spectrum: Tensor) -> Tensor:
        hidden = F.gelu(self.second(F.gelu(self.first(spectrum)))).permute(0, 2, 1)
        return self.norm(self.encoder(hidden + self.positions))


class Decoder(nn.Module):
    """A language model without cache: words and positions, causal attention, the next word of each position."""

    def __init__(self, vocabulary: int = 89, width: int = 32, length: int = 24) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.positions = nn.Parameter(torch.randn(length, width) * 0.1)
        self.encoder = encoder(width, 2, 2, norm_first=True)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, words: Tensor) -> Tensor:
        count = words.shape[1]
        causal = torch.full((count, count), float("-inf")).triu(1)
        return self.head(self.encoder(self.words(words) + self.positions[:count], mask=causal, is_causal=True))


class UNet(nn.Module):
    """Down by pooling, up by a transposed convolution and by interpolation, with both skips joined again."""

    def __init__(self) -> None:
        super().__init__()
        self.down1 = nn.Sequential(nn.Conv2d(3, 12, 3, padding=1), nn.BatchNorm2d(12), nn.ReLU())
        self.down2 = nn.Sequential(nn.Conv2d(12, 24, 3, padding=1), nn.GroupNorm(4, 24), nn.SiLU())
        self.middle = nn.Sequential(nn.Conv2d(24, 32, 3, padding=2, dilation=2), nn.LeakyReLU(0.1))
        self.up = nn.ConvTranspose2d(32, 24, 2, stride=2)
        self.join2 = nn.Conv2d(48, 16, 3, padding=1)
        self.join1 = nn.Conv2d(28, 4, 1)

    def forward(self, x: Tensor) -> Tensor:
        one = self.down1(x)
        two = self.down2(F.max_pool2d(one, 2))
        up = self.up(self.middle(F.avg_pool2d(two, 2)))
        up = F.hardswish(self.join2(torch.cat([up, two], dim=1)))
        up = F.interpolate(up, scale_factor=2.0, mode="bilinear", align_corners=False)
        return torch.softmax(self.join1(torch.cat([up, one], dim=1)), dim=1)


class Translator(nn.Module):
    """Both halves of the first transformer."""

    def __init__(self) -> None:
        super().__init__()
        self.both = nn.Transformer(16, 2, 1, 2, 32, dropout=0.0, batch_first=True)
        self.register_buffer("mask", nn.Transformer.generate_square_subsequent_mask(5))

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        return self.both(source, target, tgt_mask=self.mask, tgt_is_causal=True)


class Llama(nn.Module):
    """Rotated queries and keys, root-mean-square norms and a gated layer, over any number of words."""

    def __init__(self, vocabulary: int = 61, width: int = 32, heads: int = 4, layers: int = 2, length: int = 32) -> None:
        super().__init__()
        self.heads, depth = heads, width // heads
        self.words = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(
            nn.ModuleDict({
                "qkv": nn.Linear(width, 3 * width, bias=False), "out": nn.Linear(width, width, bias=False),
                "gate": nn.Linear(width, 2 * width, bias=False), "up": nn.Linear(width, 2 * width, bias=False),
                "down": nn.Linear(2 * width, width, bias=False),
                "before": nn.RMSNorm(width, eps=1e-5), "between": nn.RMSNorm(width, eps=1e-5),
            })
            for _ in range(layers)
        )
        self.head = nn.Linear(width, vocabulary, bias=False)
        angles = torch.arange(length)[:, None] * 10000.0 ** (-torch.arange(0, depth, 2) / depth)
        self.register_buffer("cos", angles.cos().repeat(1, 2))
        self.register_buffer("sin", angles.sin().repeat(1, 2))
        self.register_buffer("future", torch.ones(length, length, dtype=torch.bool).triu(1))

    def rotate(self, x: Tensor) -> Tensor:
        low, high = x.chunk(2, dim=-1)
        count = x.shape[-2]
        return x * self.cos[:count] + torch.cat([-high, low], dim=-1) * self.sin[:count]

    def forward(self, words: Tensor) -> Tensor:
        hidden = self.words(words)
        batch, count, width = hidden.shape
        for layer in self.layers:
            parts = layer["qkv"](layer["before"](hidden)).view(batch, count, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
            query, key, value = self.rotate(parts[0]), self.rotate(parts[1]), parts[2]
            scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
            scores = scores.masked_fill(self.future[:count, :count], float("-inf"))
            mixed = (torch.softmax(scores, dim=-1) @ value).transpose(1, 2).reshape(batch, count, width)
            hidden = hidden + layer["out"](mixed)
            normal = layer["between"](hidden)
            hidden = hidden + layer["down"](F.silu(layer["gate"](normal)) * layer["up"](normal))
        return self.head(hidden)


class Detector(nn.Module):
    """Split blocks, spatial pyramid pooling and nearest upsampling; boxes from a grid, and the best of them."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.SiLU())
        self.block = nn.Conv2d(8, 8, 3, padding=1)
        self.down = nn.Conv2d(24, 16, 3, stride=2, padding=1)
        self.pyramid = nn.Conv2d(48, 16, 1)
        self.head = nn.Conv2d(40, 4 + 3, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        one, two = self.stem(x).chunk(2, dim=1)
        fine = torch.cat([one, two, two + F.silu(self.block(two))], dim=1)
        coarse = F.silu(self.down(fine))
        pooled = F.max_pool2d(coarse, 5, stride=1, padding=2)
        coarse = self.pyramid(torch.cat([coarse, pooled, F.max_pool2d(pooled, 5, stride=1, padding=2)], dim=1))
        both = torch.cat([F.interpolate(coarse, scale_factor=2.0, mode="nearest"), fine], dim=1)
        boxes, classes = self.head(both).flatten(2).transpose(1, 2).split([4, 3], dim=-1)
        rows, columns = both.shape[-2:]
        grid = torch.stack(torch.meshgrid(torch.arange(columns), torch.arange(rows), indexing="xy"), dim=-1)
        centers = boxes[..., :2].sigmoid() * 2.0 - 0.5 + grid.reshape(-1, 2).to(boxes.dtype)
        corners = torch.cat([centers - boxes[..., 2:].exp() / 2.0, centers + boxes[..., 2:].exp() / 2.0], dim=-1)
        scores, best = classes.sigmoid().max(dim=-1)
        top, order = scores.topk(5, dim=-1)
        return corners, top, best.gather(1, order)


class Style(nn.Module):
    """Reflected borders, instance norms, a residual and a sub-pixel convolution."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Sequential(nn.ReflectionPad2d(2), nn.Conv2d(3, 8, 5), nn.InstanceNorm2d(8, affine=True))
        self.second = nn.Sequential(nn.ReplicationPad2d(1), nn.Conv2d(8, 8, 3), nn.InstanceNorm2d(8), nn.ELU())
        self.up = nn.Sequential(nn.Conv2d(8, 12, 3, padding=1), nn.PixelShuffle(2), nn.Tanh())

    def forward(self, x: Tensor) -> Tensor:
        x = F.relu(self.first(x))
        return self.up(x + self.second(x))


class Speech(nn.Module):
    """Gated convolutions over time, relative positions, two recurrent directions and a running sum of the confidence."""

    def __init__(self, bands: int = 12, width: int = 16) -> None:
        super().__init__()
        self.gate = nn.Conv1d(bands, 2 * width, 3, padding=1)
        self.depthwise = nn.Conv1d(width, width, 5, padding=2, groups=width)
        self.norm = nn.GroupNorm(4, width)
        self.bias = nn.Embedding(9, 1)
        self.recurrent = nn.LSTM(width, 10, bidirectional=True, batch_first=True)
        self.head = nn.Linear(20, 7)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        x = F.glu(self.gate(x), dim=1)
        x = F.mish(self.norm(self.depthwise(x))).transpose(1, 2)
        steps = torch.arange(x.shape[1])
        distance = (steps[None] - steps[:, None]).clamp(-4, 4) + 4
        weights = torch.softmax(x @ x.transpose(1, 2) + self.bias(distance).squeeze(-1), dim=-1)
        x, _ = self.recurrent(torch.roll(weights @ x, 1, dims=1))
        scores = torch.log_softmax(self.head(x), dim=-1)
        return scores, scores.exp().amax(dim=-1).cumsum(dim=1)


class Recurrent(nn.Module):
    """A gated recurrent cell, unrolled over a few steps."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.GRUCell(6, 10)
        self.head = nn.Linear(10, 4)

    def forward(self, sequence: Tensor) -> Tensor:
        state = torch.zeros(sequence.shape[0], 10, dtype=sequence.dtype)
        for step in sequence.unbind(1):
            state = self.cell(step, state)
        return torch.log_softmax(self.head(state), dim=-1)


LENGTH = torch.export.Dim("length", min=2, max=16)
NETWORKS: Sequence[Case] = [
    network("bert", Bert, words(16, 97), ints(1, 16, dtype=torch.int64, low=0, high=1), mask(16, 11)),
    network("convnext", lambda: models.ConvNeXt(
        [models.convnext.CNBlockConfig(16, 32, 1), models.convnext.CNBlockConfig(32, None, 1)], num_classes=10,
    ), f32(1, 3, 64, 64)),
    network("decoder", Decoder, words(24, 89)),
    network("deeplabv3", DeepLab, f32(1, 3, 32, 40)),
    network("densenet", lambda: models.DenseNet(8, (2, 2, 2), 16, num_classes=10), f32(1, 3, 64, 64)),
    network("detector", Detector, f32(1, 3, 32, 24)),
    network("efficientnet_b0", lambda: models.efficientnet_b0(num_classes=10), f32(1, 3, 64, 64)),
    network("llama", Llama, steps=[[words(16, 61)], [words(5, 61)], [words(11, 61)]], dynamic=[{1: LENGTH}]),
    network("mobilenet_v3_small", lambda: models.mobilenet_v3_small(num_classes=10), f32(1, 3, 64, 64)),
    network("recurrent", Recurrent, f32(3, 5, 6)),
    network("resnet18", lambda: models.resnet18(num_classes=10), f32(1, 3, 64, 64)),
    network("shufflenet", lambda: models.shufflenet_v2_x0_5(num_classes=10), f32(1, 3, 64, 64)),
    network("speech", Speech, f32(1, 12, 9)),
    network("squeezenet", lambda: models.squeezenet1_1(num_classes=10), f32(1, 3, 64, 64)),
    network("style", Style, f32(1, 3, 17, 22)),
    network("swin", lambda: models.SwinTransformer([4, 4], 16, [1, 2], [2, 4], [4, 4], num_classes=10),
            f32(1, 3, 64, 64)),
    network("transformer", Translator, f32(1, 7, 16), f32(1, 5, 16)),
    network("unet", UNet, f32(1, 3, 24, 16)),
    network("vit", lambda: models.VisionTransformer(32, 8, 2, 4, 48, 96, num_classes=10), f32(1, 3, 32, 32)),
    network("whisper_encoder", Whisper, f32(1, 20, 64)),
]


BACKENDS: dict[str, Callable[[], list[Any]]] = {
    "vulkan": lambda: [VulkanPartitioner({})],
    "xnnpack": lambda: [XnnpackPartitioner()],
    "both": lambda: [VulkanPartitioner({}), XnnpackPartitioner()],
    "none": list,
}
"""Who takes parts of a network; the first is asked first."""


def lowered(backend: str) -> Callable[[Case, nn.Module, Inputs], Lowered]:
    """The usual export with the partitioners of a backend."""

    def lower(case: Case, module: nn.Module, inputs: Inputs) -> Lowered:
        edge = to_edge_transform_and_lower(export(case, module, inputs), partitioner=BACKENDS[backend]())
        return Lowered(edge.to_executorch(ExecutorchBackendConfig()).buffer)

    return lower


def halved(case: Case) -> Case:
    """The network with weights and inputs of 16 bits."""
    half = lambda value: value.half() if isinstance(value, Tensor) and value.is_floating_point() else value
    steps = [[lambda source=source: half(source()) for source in step] for step in case.steps]
    return replace(case, module=lambda: case.module().half(), steps=steps, atol=2e-2, rtol=2e-2, needs=["f16"])


def told_by(error: BaseException) -> str:
    """What an error says, and what it comes from, in one line."""
    first = error
    while (cause := first.__cause__ or first.__context__) is not None:
        first = cause
    chain = [error] if first is error else [error, first]
    # Addresses in memory are others each time.
    texts = (re.sub(r" at 0x[0-9a-f]+", "", f"{type(each).__name__}: {str(each).strip()}") for each in chain)
    return "; ".join(text.splitlines()[0][:200] for text in texts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="*", help="shell pattern on the network's name")
    parser.add_argument("--backend", choices=BACKENDS, default="vulkan", help="who takes parts of it (default: vulkan)")
    parser.add_argument("--half", action="store_true", help="weights and inputs of 16 bits")
    parser.add_argument("--again", action="store_true", help="make what is there already, too")
    parser.add_argument("--out", type=Path, default=OUT, help="folder to write to (default: target/networks)")
    arguments = parser.parse_args()
    folder = arguments.out / (arguments.backend + ("_half" if arguments.half else ""))
    folder.mkdir(parents=True, exist_ok=True)
    told = folder / "outcome.json"
    outcome = json.loads(told.read_text()) if told.exists() and not arguments.again else {}
    rows = []
    for case in sorted([*NETWORKS, *networks_vision.NETWORKS, *networks_transformers.NETWORKS], key=lambda c: c.path):
        if case.path in outcome or not fnmatch.fnmatch(case.path, arguments.only):
            continue
        started = time.monotonic()
        case = replace(halved(case) if arguments.half else case, lower=lowered(arguments.backend))
        try:
            rows.append(write(case, folder))
            outcome[case.path] = "exported"
        except Exception as error:
            outcome[case.path] = told_by(error)
        print(f"{case.path} ({time.monotonic() - started:.1f} s): {outcome[case.path]}", file=sys.stderr, flush=True)
        told.write_text(json.dumps(outcome, indent=1, sort_keys=True) + "\n")
    if rows:
        print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
