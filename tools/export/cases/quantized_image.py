"""Images of 8-bit integers: `q8ta_conv2d` and its kinds, `q8ta_add`, `q8ta_relu` and `q8ta_pixel_shuffle`.

Each convolution is the graph that a quantizer leaves behind, which the exporter fuses; the eager module is the expected
value. Steps are powers of two, so that every sum is exact and ties are real ones.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import conv2d, conv_transpose2d

from lib import Case, f32, fn, ints

DECOMPOSED = torch.ops.quantized_decomposed


def fake(x: Tensor, scale: float, zero: int) -> Tensor:
    """`x` rounded to integers and back."""
    q = DECOMPOSED.quantize_per_tensor(x, scale, zero, -128, 127, torch.int8)
    return DECOMPOSED.dequantize_per_tensor(q, scale, zero, -128, 127, torch.int8)


class Conv(nn.Module):
    """A convolution with an 8-bit weight, input and output."""

    def __init__(self, shape: tuple[int, ...], *, bias: bool, relu: bool, transposed: bool, **sizes) -> None:
        super().__init__()
        self.relu, self.transposed, self.sizes = relu, transposed, sizes
        self.axis = 1 if transposed else 0
        outputs = shape[1] * sizes.get("groups", 1) if transposed else shape[0]
        self.register_buffer("weight", torch.randint(-128, 128, shape, dtype=torch.int8))
        self.register_buffer("scales", 2.0 ** -torch.randint(6, 9, (shape[self.axis],)))
        self.register_buffer("zeros", torch.zeros(shape[self.axis], dtype=torch.int64))
        self.register_buffer("bias", torch.randint(-64, 64, (outputs,)) / 64.0 if bias else None)

    def forward(self, x: Tensor) -> Tensor:
        weight = DECOMPOSED.dequantize_per_channel(
            self.weight, self.scales, self.zeros, self.axis, -128, 127, torch.int8
        )
        apply = conv_transpose2d if self.transposed else conv2d
        y = apply(fake(x, 2**-5, -11), weight, self.bias, **self.sizes)
        return fake(torch.relu(y) if self.relu else y, 2**-3, 9)


def conv(
    kind: str, name: str, image: tuple[int, ...], weight: tuple[int, ...], *, bias=True, relu=False, **sizes
) -> Case:
    """A convolution of one image batch."""
    operator = f"q8ta_conv2d{kind}"
    return Case(
        f"ops/{operator}/{name}",
        lambda: Conv(weight, bias=bias, relu=relu, transposed=kind == "_transposed", **sizes),
        [(f32(*image),)],
        operators=[f"et_vk.{operator}.default"],
        double=False,
        atol=1e-6,
        rtol=1e-6,
    )


def integers(operator: str, name: str, function, *shapes: tuple[int, ...]) -> Case:
    """A call of the operator itself on integers."""
    return Case(
        f"ops/{operator}/{name}",
        fn(function),
        [tuple(ints(*shape, dtype=torch.int8, low=-128, high=127) for shape in shapes)],
        operators=[f"et_vk.{operator}.default"],
        double=False,
        atol=0,
        rtol=0,
    )


CASES = [
    conv("", "odd", (1, 3, 7, 5), (5, 3, 3, 2)),
    conv("", "batch_relu", (2, 4, 6, 6), (8, 4, 3, 3), relu=True, stride=2, padding=1),
    conv("", "no_bias_dilation", (1, 2, 9, 8), (3, 2, 2, 3), bias=False, dilation=(2, 1), padding=(0, 2)),
    conv("", "groups", (1, 4, 5, 5), (8, 2, 3, 3), groups=2, padding=1),
    conv("", "kernel_1_stride_2", (1, 3, 5, 4), (4, 3, 1, 1), stride=2),
    conv("_pw", "odd", (1, 3, 5, 3), (5, 3, 1, 1)),
    conv("_pw", "batch_relu", (3, 8, 2, 4), (7, 8, 1, 1), relu=True, bias=False),
    conv("_dw", "odd_image", (1, 4, 7, 5), (4, 1, 3, 3), groups=4, padding=1),
    conv("_dw", "batch_stride", (2, 8, 6, 9), (8, 1, 5, 2), groups=8, stride=(2, 3), relu=True, bias=False),
    conv("_transposed", "stride_2", (1, 3, 4, 5), (3, 6, 3, 3), stride=2, padding=1, output_padding=1),
    conv("_transposed", "batch_relu", (2, 4, 3, 3), (4, 5, 2, 2), stride=(1, 2), relu=True, bias=False),
    integers(
        "q8ta_add", "odd", lambda a, b: torch.ops.et_vk.q8ta_add(a, b, 0.25, 3, 0.5, -7, 1.0, 2, 1.0), (3, 5), (3, 5)
    ),
    integers(
        "q8ta_add", "alpha", lambda a, b: torch.ops.et_vk.q8ta_add(a, b, 0.5, -1, 0.25, 0, 0.5, -9, 2.0),
        (1, 2, 3, 7), (1, 2, 3, 7),
    ),
    integers("q8ta_relu", "odd", lambda x: torch.ops.et_vk.q8ta_relu(x, 0.25, 5, 0.5, -128), (2, 3, 5)),
    integers("q8ta_relu", "rank_4", lambda x: torch.ops.et_vk.q8ta_relu(x, 0.5, -20, 0.25, 3), (1, 3, 2, 7)),
    integers(
        "q8ta_pixel_shuffle", "by_2", lambda x: torch.ops.et_vk.q8ta_pixel_shuffle(x, 0.25, 5, 4.0, -3, 2),
        (1, 12, 3, 5),
    ),
    integers(
        "q8ta_pixel_shuffle", "by_3", lambda x: torch.ops.et_vk.q8ta_pixel_shuffle(x, 0.5, -2, 1.0, 10, 3),
        (2, 9, 2, 2),
    ),
]
