"""Programs that are about the container: methods, several delegates, state, control flow, odd inputs and outputs."""

from typing import Any

import torch
from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass
from torch import Tensor, nn
from torch.export import Dim

from cases.embedding_q4gsw import Table
from lib import Case, ExecutorchBackendConfig, Lowered, Source, Tensors, export, f32, fn, given, ints, plain, to_edge
from program import Program

ADD = "aten.add.Tensor"
CONSTANTS: dict[str, Any] = {
    "get_context_length": 128,
    "get_negative": -3,
    "get_ratio": 0.375,
    "has_cache": True,
    "has_bias": False,
    "get_stop_ids": [2, 0, 7],
}


TABLE = torch.arange(6.0).view(2, 3) / 4


def with_constants(case: Case, module: nn.Module, _inputs: Tensors) -> Lowered:
    """Two methods over one weight, and methods that return constants."""
    methods = {name: export(case, Bound(module, name), (torch.zeros(3, 5),)) for name in ("scale", "shift")}
    edge = to_edge(case, methods, constant_methods=CONSTANTS | {"get_table": TABLE})
    return Lowered(edge.to_executorch().buffer)


class ScaleShift(nn.Module):
    """The module of both methods."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(5))

    def scale(self, x: Tensor) -> Tensor:
        return x * self.weight

    def shift(self, x: Tensor) -> Tensor:
        return x + self.weight


class Bound(nn.Module):
    """One method of a module as a `forward`."""

    def __init__(self, module: nn.Module, method: str) -> None:
        super().__init__()
        self.module, self.method = module, method

    def forward(self, x: Tensor) -> Tensor:
        return getattr(self.module, self.method)(x)


class Total(nn.Module):
    """Adds every input to a buffer; the whole of it fits in one delegate."""

    def __init__(self, initial: Tensor) -> None:
        super().__init__()
        self.register_buffer("total", initial)

    def forward(self, x: Tensor) -> Tensor:
        self.total.add_(x)
        return self.total * 2.0


class Carried(Total):
    """A buffer that the program owns: a portable sum reads it, a delegate computes the next value, a copy stores it."""

    def forward(self, x: Tensor) -> Tensor:
        self.total = self.total.sum() + x
        return self.total + x


def keep_initial(case: Case, module: nn.Module, inputs: Tensors) -> Lowered:
    """Store the buffer's initial value, which the exporter drops unless asked."""
    config = ExecutorchBackendConfig(passes=[InitializedMutableBufferPass(["total"])])
    return Lowered(to_edge(case, export(case, module, inputs)).to_executorch(config).buffer)


class Convolved(nn.Module):
    """A convolution over two images, which stays on the host, between two delegates."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Conv2d(3, 4, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x + x) * 2.0


class Positions(nn.Module):
    """Counts the words that are no padding, as RoBERTa does: a delegate tells them apart, and a portable sum counts them."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(12, 4)

    def forward(self, words: Tensor) -> Tensor:
        mask = words.ne(1).int()
        return self.table((mask.cumsum(1).type_as(mask) * mask).long() + 1)


class Fixed(nn.Module):
    """Gives a constant beside its result."""

    def __init__(self) -> None:
        super().__init__()
        self.constant = nn.Parameter(torch.randn(2, 3))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return self.constant, x + x


class Branch(nn.Module):
    """Takes one of two ways by the value of its first input, with a delegate before and after."""

    def forward(self, flag: Tensor, x: Tensor) -> Tensor:
        return torch.cond(flag, lambda x: x.sum(1), lambda x: x.mean(1), (x + x,)) + 1.5


class BranchOnly(nn.Module):
    """Two ways without a delegate."""

    def forward(self, flag: Tensor, x: Tensor) -> Tensor:
        return torch.cond(flag, lambda x: x.sum(1), lambda x: x.mean(1), (x,))


def images() -> nn.Module:
    """Convolutions whose weights and images are stored with the channels innermost."""
    layers = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 4, 1))
    return layers.to(memory_format=torch.channels_last)


def channels_last(*shape: int) -> Source:
    return lambda: torch.randn(shape).to(memory_format=torch.channels_last)


def written_in_place(program: Program, _inputs: Tensors, _expected: Tensors) -> None:
    """The delegate's addition must write the value that it reads."""
    (graph,) = program.method("forward").graphs
    (call,) = [call for call in graph.chain if call.name == ADD]
    assert call.args[0] == call.args[-1], call.args


def no_header(program: Program, _inputs: Tensors, _expected: Tensors) -> None:
    """A program without segments has no extended header."""
    assert not program.data.startswith(b"eh00", 8)


def mutate(x: Tensor, y: Tensor) -> Tensor:
    x.add_(y)
    return x * y


def mutated_first(module: nn.Module, inputs: Tensors) -> Tensors:
    """A program that changes its input gives the changed input before the results."""
    result = module(*inputs)
    return inputs[0], result


class Chain(nn.Module):
    """A small network over ids: every operator of a language model's prologue and feed-forward."""

    def __init__(self, rows: int = 64, width: int = 64, hidden: int = 96) -> None:
        super().__init__()
        self.width = width
        self.table = Table(rows, width, 32, linear=True)
        self.norm = nn.Parameter(torch.rand(width) + 0.5)
        self.positions = nn.Parameter(torch.randn(24, width))
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        count = ids.size(1)
        x = self.table(ids) + self.positions[:count]
        normed = x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * self.norm
        x = x + self.down(self.up(normed))
        heads = x.view(1, count, 4, self.width // 4).permute(0, 2, 1, 3) * 0.5
        return heads, x[:, -1]


SUM, MEAN, COPY = "aten::sum.IntList_out", "aten::mean.out", "aten::copy_"
BRANCH = ["JumpFalseCall", "KernelCall", "MoveCall", "JumpFalseCall", "KernelCall", "MoveCall"]
CASES = [
    *(
        Case(
            f"programs/two_methods/{method}",
            ScaleShift,
            [(f32(3, 5),)],
            operators=[operator],
            lower=with_constants,
            expect=lambda module, inputs, method=method: [getattr(module, method)(*inputs)],
            method=method,
            extra={"constants": CONSTANTS},
        )
        for method, operator in (("scale", "aten.mul.Tensor"), ("shift", ADD))
    ),
    Case(
        "programs/two_methods/get_table",
        ScaleShift,
        [()],
        lower=with_constants,
        expect=lambda _module, _inputs: [TABLE],
        method="get_table",
    ),
    Case(
        "programs/delegates/convolution_between",
        Convolved,
        [(f32(2, 3, 5, 6),)],
        operators=[ADD, "aten.mul.Tensor"],
        kernels=["aten::convolution.out"],
        instructions=["DelegateCall", "KernelCall", "DelegateCall"],
        atol=1e-4,
        rtol=1e-4,
    ),
    Case(
        "programs/delegates/cumsum_between",
        Positions,
        [(ints(2, 9, dtype=torch.int64, low=0, high=4),)],
        operators=[ADD, "aten.ne.Scalar", "aten.embedding.default"],
        kernels=["aten::cumsum.out"],
    ),
    Case(
        "programs/delegates/sign_between",
        fn(lambda x, y: (x - y).sign() + y),
        [(ints(3, 5, dtype=torch.int64, low=-2, high=3), ints(3, 5, dtype=torch.int64, low=-2, high=3))],
        operators=[ADD, "aten.sub.Tensor"],
        kernels=["aten::sign.out"],
    ),
    Case(
        "programs/delegates/mean_between",
        fn(lambda x, y: (x + y).mean(1) + y.mean(1)),
        [(f32(2, 5, 3), f32(2, 5, 3))],
        operators=[ADD],
        kernels=[MEAN, MEAN],
    ),
    Case(
        "programs/delegates/sum_between_dynamic",
        fn(lambda x, y: (x * y).sum(1) + y.sum(1)),
        [(f32(2, count, 3), f32(2, count, 3)) for count in (5, 2, 16)],
        dynamic=[{1: Dim("count", min=2, max=16)}] * 2,
        operators=[ADD, "aten.mul.Tensor"],
        kernels=[SUM, SUM],
    ),
    Case(
        "programs/state/in_program",
        lambda: Carried(torch.zeros(3)),
        [(f32(3),) for _ in range(4)],
        operators=[ADD],
        kernels=[SUM, COPY],
        instructions=["KernelCall", "DelegateCall", "KernelCall"],
        stateful=True,
    ),
    Case(
        "programs/state/in_program_from_nonzero",
        lambda: Carried(torch.randn(3)),
        [(f32(3),) for _ in range(3)],
        operators=[ADD],
        kernels=[SUM, COPY],
        lower=keep_initial,
        stateful=True,
    ),
    Case(
        "programs/state/in_program_i64",
        lambda: Carried(torch.tensor([1000, 5], dtype=torch.int64)),
        [(given([1, -7]),), (given([4, 2]),), (given([-(2**20), 3]),)],
        operators=[ADD],
        kernels=[SUM, COPY],
        lower=keep_initial,
        stateful=True,
    ),
    Case(
        "programs/state/in_delegate",
        lambda: Total(torch.zeros(4)),
        [(f32(4),) for _ in range(4)],
        operators=[ADD],
        options={"alias_buffer_mutations": True},
        verify=written_in_place,
        stateful=True,
    ),
    Case(
        "programs/state/in_delegate_from_nonzero",
        lambda: Total(torch.randn(2, 3)),
        [(f32(2, 3),) for _ in range(3)],
        operators=[ADD],
        options={"alias_buffer_mutations": True},
        verify=written_in_place,
        stateful=True,
    ),
    Case(
        "programs/state/mutated_input",
        fn(mutate),
        [(f32(2, 3), f32(2, 3)), (f32(2, 3), f32(2, 3))],
        operators=[ADD, "aten.mul.Tensor"],
        kernels=[COPY],
        expect=mutated_first,
    ),
    Case(
        "programs/control/cond",
        Branch,
        [(given(flag), f32(2, 3, 4)) for flag in (True, False, True)],
        operators=[ADD],
        kernels=[SUM, MEAN],
        instructions=["DelegateCall", *BRANCH, "DelegateCall"],
    ),
    Case(
        "programs/control/cond_without_delegate",
        BranchOnly,
        [(given(flag), f32(2, 3)) for flag in (True, False, True)],
        kernels=[SUM, MEAN],
        instructions=BRANCH,
        delegated=False,
    ),
    Case("programs/orders/delegate", images, [(channels_last(1, 3, 6, 8),)], operators=["aten.convolution.default"]),
    Case("programs/orders/constants", images, [(channels_last(1, 3, 6, 8),)], delegated=False, kernels=None),
    Case(
        "programs/orders/between_delegates",
        fn(lambda x: torch.fmod((x + x).to(memory_format=torch.channels_last), 0.7) * 2.0),
        [(f32(2, 3, 4, 5),)],
        operators=[ADD],
        kernels=["aten::fmod.Scalar_out"],
    ),
    Case("programs/container/no_delegate", fn(lambda x: x.sum(1)), [(f32(3, 4),)], delegated=False,
         kernels=[SUM]),
    Case("programs/container/no_header", fn(lambda x, y: x), [(f32(3, 4), f32(2))], delegated=False,
         instructions=[], verify=no_header),
    Case("programs/outputs/input_returned", fn(lambda x, y: (x + y, x)), [(f32(3), f32(3))], operators=[ADD]),
    Case("programs/outputs/input_copied", fn(lambda x, y: (x + y, x.clone())), [(f32(3), f32(3))], operators=[ADD],
         instructions=["DelegateCall"]),
    Case("programs/outputs/input_only", fn(lambda x: x), [(f32(3, 4),)]),
    Case("programs/outputs/returned_twice", fn(lambda x, y: (z := x + y, z)), [(f32(3), f32(3))], operators=[ADD]),
    Case("programs/outputs/unused_input", fn(lambda x, y, z: x + z), [(f32(3), f32(2, 2), f32(3))], operators=[ADD]),
    Case("programs/outputs/constant_returned", Fixed, [(f32(3),)]),
    Case("programs/outputs/several", fn(lambda x, y: (x * y, x + y, (x + y) * y)), [(f32(3, 2), f32(2))],
         operators=[ADD, "aten.mul.Tensor"]),
    Case(
        "programs/inputs/no_tensors_between",
        fn(lambda x, scale, nothing, y, terms, negate: (-1.0 if negate else 1.0) * (scale * x + y) + float(terms)),
        [(f32(3, 2), plain(2.5), plain(None), f32(2), plain(4), plain(True))],
        operators=[ADD, "aten.mul.Tensor"],
    ),
    Case("programs/outputs/empty_chain", fn(lambda x: x.clone()), [(f32(3, 4),)], instructions=["DelegateCall"]),
    Case(
        "programs/chain/small_network",
        Chain,
        [(given([[3, 0, 63, 3, 17]]),), (given([[5]]),), (lambda: torch.randint(0, 64, (1, 16)),)],
        dynamic=[{1: Dim("tokens", min=1, max=16)}],
        operators=[
            "et_vk.embedding_q4gsw.default", "et_vk.rms_norm.default", "aten.linear.default", ADD, "aten.mul.Tensor",
            "aten.view_copy.default", "aten.permute_copy.default", "aten.slice_copy.Tensor", "aten.select_copy.int",
            "sym_size.int",
        ],
        atol=1e-3,
        rtol=1e-3,
    ),
]
