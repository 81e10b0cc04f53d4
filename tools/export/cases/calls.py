"""Programs whose calls and delegates disagree, since the exporter drops inputs, keeps outputs, or loses a rank."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from cases.programs import Total
from lib import Case, f32, fn, given

SCATTER = "aten::slice_scatter.out"


def halves(x: Tensor) -> Tensor:
    """Two assignments to slices of one fresh tensor, as sinusoidal encodings are written."""
    out = torch.zeros(2, 8)
    out[:, 0::2] = x
    out[:, 1::2] = -x
    return out


class Kept(nn.Module):
    """A state that is changed by slices. One delegate reads a frozen copy of it, and another has three tensors of one shape
    and no use for one of them."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("state", torch.zeros(1, 3, 4))

    def forward(self, x: Tensor, keep: Tensor) -> Tensor:
        self.state[:1].mul_(keep)
        new = torch.log1p(self.state[:1] + x.abs())
        self.state[:1].copy_(new)
        return new * x


class ShortConvolution(nn.Module):
    """A convolution over the last inputs, which it keeps in a buffer that the delegate owns."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.register_buffer("last", torch.zeros(1, width, 2))
        self.weight = nn.Parameter(torch.randn(width, 1, 3))

    def forward(self, x: Tensor) -> Tensor:
        seen = torch.cat([self.last, x], dim=-1)
        self.last.copy_(seen[..., -2:])
        return functional.conv1d(seen, self.weight, groups=x.size(1))


class Chain(nn.Module):
    """Two layers with a buffer of one shape each; the second depends on both."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = ShortConvolution(4), ShortConvolution(4)

    def forward(self, x: Tensor) -> Tensor:
        return self.second(x + self.first(x).tanh())


class Cell(nn.Module):
    """A recurrent cell with two buffers of one shape, each of which depends on both."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("hidden", torch.zeros(1, 4))
        self.register_buffer("memory", torch.zeros(1, 4))
        self.gates = nn.Linear(8, 16)

    def forward(self, x: Tensor) -> Tensor:
        enter, forget, leave, new = self.gates(torch.cat([x, self.hidden], dim=-1)).chunk(4, dim=-1)
        memory = forget.sigmoid() * self.memory + enter.sigmoid() * new.tanh()
        hidden = leave.sigmoid() * memory.tanh()
        self.memory.copy_(memory)
        self.hidden.copy_(hidden)
        return hidden * 2.0


class Experts(nn.Module):
    """A mixture of experts: the scores leave the delegate with a size of 1 more than the program declares."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Linear(8, 4, bias=False)
        self.experts = nn.Parameter(torch.randn(4, 8, 6))

    def forward(self, x: Tensor) -> Tensor:
        x = x.view(-1, 8)
        scores, chosen = torch.topk(self.gate(x), 2)
        mixed = torch.einsum("tk,tkd->td", scores.softmax(dim=-1), torch.einsum("ti,tkid->tkd", x, self.experts[chosen]))
        return mixed.tanh()


class Counted(nn.Module):
    """A buffer whose new contents are returned as well, so that the graph has them once and the call twice."""

    def __init__(self, dtype: torch.dtype) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(1, dtype=dtype))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        self.count.add_(1)
        return x * 2, self.count.clone()


class Window(nn.Module):
    """Two buffers of different shapes, both of which are returned beside what is computed from them."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("rows", torch.zeros(5, 3))
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        self.rows.copy_(torch.cat([self.rows[1:], x]))
        self.count.add_(1)
        return (self.rows * x).sum(1), self.count.clone(), self.rows.clone()


class Apart(nn.Module):
    """A buffer that one delegate reads and another changes, since sorting between them is left to the host."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("shift", torch.zeros(3))

    def forward(self, x: Tensor) -> Tensor:
        y = (x + self.shift).sort(0)[0]
        self.shift.add_(1)
        return y * 2


def twice(x: Tensor) -> tuple[Tensor, ...]:
    """A result that is given twice, as copies that the exporter takes for one."""
    y = x * 2
    return y, y.clone()


CASES = [
    Case("programs/calls/returned_twice", fn(twice), [(f32(2, 3),)], instructions=["DelegateCall"], atol=0, rtol=0),
    Case("programs/calls/returned_count", lambda: Counted(torch.float32), [(f32(2),)] * 3, instructions=["DelegateCall"], stateful=True),
    Case("programs/calls/returned_count_i64", lambda: Counted(torch.int64), [(f32(2),)] * 3, instructions=["DelegateCall"], stateful=True),
    Case("programs/calls/returned_window", Window, [(f32(1, 3),)] * 3, kernels=None, stateful=True),
    Case(
        "formats/rejected/buffer_apart", Apart, [(f32(3),)], kernels=None,
        extra={"rejected": "one delegate changes a buffer, and another has a copy of its first contents"},
    ),
    Case("programs/calls/assigned_slices", fn(halves), [(f32(2, 4),)], kernels=[SCATTER, SCATTER], atol=0, rtol=0),
    Case(
        "programs/calls/assigned_state", Kept, [(f32(1, 3, 4), given([keep])) for keep in (0.5, 0.75, 0.25)],
        kernels=["aten::slice_scatter.out", "aten::log1p.out", "aten::slice_scatter.out", "aten::copy_"], stateful=True,
    ),
    Case("programs/calls/experts", Experts, [(f32(1, 1, 8),)] * 2, kernels=None),
    Case(
        # Without `alias_buffer_mutations` the exporter counts the new value of the buffer among the delegate's outputs but
        # passes no argument for it.
        "programs/calls/returned_total", lambda: Total(torch.zeros(4)), [(f32(4),)] * 3,
        instructions=["DelegateCall"], stateful=True,
    ),
    Case(
        "programs/calls/returned_states", Chain, [(f32(1, 4, 5),)] * 3,
        operators=["aten.cat.default"], instructions=["DelegateCall"], stateful=True,
    ),
    Case(
        "formats/rejected/returned_states", Cell, [(f32(1, 4),)],
        extra={"rejected": "the delegate returns the contents of two buffers, and which is which is written nowhere"},
    ),
]
