"""Operators that the exporter takes apart unless its user asks for them to be kept, outside any delegate."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from executorch.exir import EdgeCompileConfig
from torch import nn

from lib import Case, ExecutorchBackendConfig, Inputs, Lowered, Source, export, f32, fn, given, ints, to_edge

ops = torch.ops.aten


def keeping(
    *kept: Any, plain_order: bool = False, in_place: bool = False, checked: bool = True
) -> Callable[[Case, nn.Module, Inputs], Lowered]:
    """An export in which these operators stay as they are; with kernels that know no dimension order, with such as write in
    place, or without the exporter's check of its own graph."""

    def lower(case: Case, module: nn.Module, inputs: Inputs) -> Lowered:
        config = EdgeCompileConfig(preserve_ops=list(kept), _skip_dim_order=plain_order, _check_ir_validity=checked)
        edge = to_edge(case, export(case, module, inputs), compile_config=config)
        return Lowered(edge.to_executorch(ExecutorchBackendConfig(run_reinplace_pass=in_place)).buffer)

    return lower


def kept(
    name: str, kernels: str, function: Callable[..., Any], sources: Sequence[Source], *operators: Any, **options: Any
) -> Case:
    """A case whose program calls exactly these kernels."""
    return Case(
        f"programs/portable/{name}",
        fn(function),
        [tuple(sources)],
        kernels=[kernel if "::" in kernel else f"aten::{kernel}" for kernel in kernels.split()],
        delegated=False,
        lower=keeping(*operators, **options),
    )


def between(*shape: int) -> Source:
    """Numbers between 0 and 1, and not at the ends."""
    return lambda: torch.rand(shape) * 0.9 + 0.05


def padding(kind: str, rank: int) -> Case:
    """Other amounts at every side, one of them none."""
    operator = getattr(ops, f"{kind}_pad{rank}d").default
    amounts = [1, 2, 0, 3, 2, 1][: 2 * rank]
    shape = [2, 3, 4, 5, 4][: rank + 2]
    return kept(
        f"{kind}_pad{rank}d", f"{kind}_pad{rank}d.out", lambda x: operator(x, amounts), [f32(*shape)], operator
    )


CASES = [
    kept(
        "angles", "acos.out asin.out atan.out atanh.out cosh.out tan.out logit.out logit.out",
        lambda x: (x.acos(), x.asin(), x.atan(), x.atanh(), x.cosh(), x.tan(), x.logit(), x.logit(0.3)),
        [between(3, 5)], ops.logit.default,
    ),
    kept("acosh", "acosh.out", torch.acosh, [lambda: torch.rand(3, 5) + 1.0]),
    kept("glu", "glu.out glu.out", lambda x: (nn.functional.glu(x, 1), nn.functional.glu(x)), [f32(3, 4, 6)],
         ops.glu.default),
    kept("roll", "roll.out roll.out", lambda x: (x.roll([1, -2], [0, 1]), x.roll(4)), [f32(3, 5)], ops.roll.default),
    kept("masked_fill", "gt.Scalar_out masked_fill.Scalar_out", lambda x, y: x.masked_fill(y > 0, 2.5),
         [f32(3, 4), f32(4)], ops.masked_fill.Scalar),
    kept("narrow_copy", "narrow_copy.out", lambda x: torch.narrow_copy(x, 1, 1, 2), [f32(3, 4)], ops.narrow_copy.default),
    *(padding(kind, rank) for kind in ("reflection", "replication") for rank in (1, 2, 3)),
    kept("select_scatter", "select_scatter.out", lambda x, y: torch.select_scatter(x, y, -1, 2), [f32(3, 4), f32(3)],
         ops.select_scatter.default),
    kept("tril", "tril.out tril.out", lambda x: (x.tril(-1), x.tril(2)), [f32(2, 3, 5)], ops.tril.default),
    kept("var_dim", "var.out var.out", lambda x: (x.var([1]), x.var([0, 2], unbiased=False, keepdim=True)), [f32(3, 4, 2)],
         ops.var.dim),
    kept("mean_dtype", "mean.dtype_out", lambda x: x.mean(dtype=torch.float32), [ints(3, 4, dtype=torch.int64)],
         ops.mean.default),
    kept("min_all", "min.unary_out", torch.min, [f32(3, 4)], ops.min.default),
    kept("fill_tensor", "fill.Tensor_out", lambda x, y: ops.fill.Tensor(x, y), [f32(3, 4), f32()], ops.fill.Tensor),
    kept("empty", "empty.out full_like.out add.out", lambda x: torch.empty([3, 4]).fill_(1.5) + x, [f32(3, 4)],
         plain_order=True),
    kept(
        "index_put_", "dim_order_ops::_clone_dim_order.out index_put_",
        lambda x, y, indices: ops.index_put.default(x.clone(), [indices], y), [f32(3, 4), f32(2, 4), given([2, 0])],
        in_place=True,
    ),
]
