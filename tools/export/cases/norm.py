"""Layer, group and batch norm. `rms_norm` has a file of its own."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn
from torch.export import Dim

from lib import Case, Source, f32, fn, given

LAYER, GROUP = "aten.native_layer_norm.default", "aten.native_group_norm.default"
BATCH = "aten._native_batch_norm_legit_no_training.default"


def randomize(module: nn.Module) -> nn.Module:
    """Gives parameters and statistics that are not 0 and 1."""
    for name, tensor in module.state_dict().items():
        if tensor.is_floating_point():
            tensor.copy_(torch.rand(tensor.shape) + 0.5 if "var" in name else torch.randn(tensor.shape))
    return module


def norm(
    operator: str, path: str, module: Callable[[], nn.Module], *inputs: Source, dynamic: dict | None = None
) -> Case:
    """A norm with one step per input."""
    return Case(
        f"ops/{path}",
        lambda: randomize(module()),
        [(source,) for source in inputs],
        operators=[operator],
        dynamic=None if dynamic is None else [dynamic],
        atol=2e-5,
        rtol=1e-4,
    )


def host(name: str, kernels: Sequence[str], module: Callable[[], nn.Module], source: Source) -> Case:
    """A norm outside the delegate."""
    return Case(
        f"programs/portable/{name}", lambda: randomize(module()), [(source,)], kernels=kernels, delegated=False
    )


def statistics(operator: Callable[..., Sequence[Tensor]], *arguments: object) -> Callable[[], nn.Module]:
    """The results of an operator with its means and deviations."""
    return fn(lambda x: operator(x, *arguments))


CASES = [
    norm(LAYER, "layer_norm/vector", lambda: nn.LayerNorm(13), f32(13)),
    norm(LAYER, "layer_norm/wide", lambda: nn.LayerNorm(1031), f32(3, 1031)),
    norm(LAYER, "layer_norm/three_dims", lambda: nn.LayerNorm((3, 5, 7)), f32(2, 3, 5, 7)),
    norm(LAYER, "layer_norm/no_bias", lambda: nn.LayerNorm(48, bias=False), f32(2, 5, 48)),
    norm(LAYER, "layer_norm/plain", lambda: nn.LayerNorm((2, 9), elementwise_affine=False), f32(3, 2, 9)),
    norm(LAYER, "layer_norm/width_1", lambda: nn.LayerNorm(1), f32(4, 1)),
    norm(LAYER, "layer_norm/far_from_zero", lambda: nn.LayerNorm(64), lambda: torch.randn(2, 64) + 20.0),
    norm(LAYER, "layer_norm/constant", lambda: nn.LayerNorm(16), given([[2.5] * 16, [0.0] * 16])),
    norm(
        LAYER, "layer_norm/dynamic", lambda: nn.LayerNorm(24), f32(1, 7, 24), f32(1, 2, 24),
        dynamic={1: Dim("rows", min=2, max=9)},
    ),
    norm(
        LAYER, "layer_norm/statistics",
        statistics(torch.ops.aten.native_layer_norm.default, [5, 7], None, None, 1e-3), f32(2, 3, 5, 7),
    ),
    norm(GROUP, "native_group_norm/one_group", lambda: nn.GroupNorm(1, 6), f32(1, 6, 5, 3)),
    norm(GROUP, "native_group_norm/channel_groups", lambda: nn.GroupNorm(4, 4), f32(1, 4, 7, 5)),
    norm(GROUP, "native_group_norm/batch", lambda: nn.GroupNorm(2, 8), f32(3, 8, 5, 5)),
    norm(GROUP, "native_group_norm/plain", lambda: nn.GroupNorm(3, 6, affine=False), f32(2, 6, 4, 4)),
    norm(GROUP, "native_group_norm/wide", lambda: nn.GroupNorm(2, 4), f32(1, 4, 23, 29)),
    norm(
        GROUP, "native_group_norm/statistics",
        statistics(torch.ops.aten.native_group_norm.default, None, None, 2, 6, 20, 3, 1e-5), f32(2, 6, 4, 5),
    ),
    norm(BATCH, "batch_norm/images", lambda: nn.BatchNorm2d(5), f32(2, 5, 3, 7)),
    norm(BATCH, "batch_norm/plain", lambda: nn.BatchNorm2d(3, affine=False, eps=1e-2), f32(1, 3, 4, 4)),
    norm(BATCH, "batch_norm/lines", lambda: nn.BatchNorm1d(4), f32(2, 4, 9)),
    host("layer_norm", ["aten::native_layer_norm.out"], lambda: nn.LayerNorm(11), f32(2, 3, 11)),
    host("group_norm", ["aten::native_group_norm.out"], lambda: nn.GroupNorm(2, 4), f32(2, 4, 3, 3)),
    host(
        "batch_norm", ["aten::_native_batch_norm_legit_no_training.out"], lambda: nn.BatchNorm2d(3), f32(2, 3, 4, 4)
    ),
    host(
        "instance_norm", ["aten::_native_batch_norm_legit.no_stats_out"],
        statistics(torch.ops.aten._native_batch_norm_legit.no_stats, None, None, True, 0.1, 1e-5), f32(1, 3, 4, 5),
    ),
]
