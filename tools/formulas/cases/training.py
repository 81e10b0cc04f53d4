"""Operators of training that the exporter cannot serialize or does not delegate."""

from typing import Any

import numpy as np

from lib import Call, Case, Constant, Input, Random, State, Tensor


def adamw(random: Random, shape: tuple[int, ...], dtype: Any, rate: float, decay: float) -> Call:
    """m' = b1·m + (1-b1)·g, v' = b2·v + (1-b2)·g², p' = p·(1-rate·decay) - rate·(m'/c1) / (sqrt(v'/c2) + eps)."""
    parameter, mean, gradient = (random.normal(size=shape).astype(dtype) for _ in range(3))
    variance = random.uniform(0.01, 0.2, size=shape).astype(dtype)
    keep1, keep2, epsilon, correct1, correct2 = 0.9, 0.99, 1e-6, 0.19, 0.0199
    p, m, v, g = (tensor.astype(np.float64) for tensor in (parameter, mean, variance, gradient))
    m = keep1 * m + (1 - keep1) * g
    v = keep2 * v + (1 - keep2) * g**2
    p = p * (1 - rate * decay) - rate * (m / correct1) / (np.sqrt(v / correct2) + epsilon)
    after = [tensor.astype(dtype) for tensor in (p, m, v)]
    states = [State(old, new) for old, new in zip((parameter, mean, variance), after, strict=True)]
    # It returns what it changes; the states are what is looked at.
    return Call([*states, Input(gradient), rate, keep1, keep2, epsilon, decay, correct1, correct2], [])


def codes(packed: Tensor) -> Tensor:
    """The 4-bit codes of packed bytes: the low half first, 8 is zero."""
    return np.stack([packed & 15, packed >> 4], axis=-1).reshape(packed.shape[0], -1).astype(np.float64) - 8


def backward(random: Random, rows: int, columns: int, depth: int, group: int) -> Call:
    """dx = dy · W, with W[n, k] = code[n, k] · scale[k / group, n]."""
    gradient = random.normal(size=(rows, columns)).astype(np.float32)
    packed = random.integers(0, 256, size=(columns, depth // 2)).astype(np.uint8)
    # The exporter pads scales to four outputs.
    scales = random.uniform(0.001, 0.01, size=(depth // group, -(-columns // 4) * 4)).astype(np.float32)
    weight = codes(packed) * np.repeat(scales[:, :columns].T.astype(np.float64), group, axis=1)
    output = (gradient.astype(np.float64) @ weight).astype(np.float32)
    return Call([Input(gradient), Constant(packed), Constant(scales), group], [output])


def requant(random: Random, rows: int, columns: int, group: int) -> Call:
    """code = clamp(round(w / scale), -8, 7) + 8, ties to even; a scale of zero gives 8. Two codes in a byte, low half first."""
    # Quotients of powers of two are exact, so ties are ties on every device.
    latent = (random.integers(-40, 40, size=(rows, columns)) / 16).astype(np.float32)
    groups = -(-columns // group)
    scales = np.exp2(random.integers(-3, 1, size=(groups, rows))).astype(np.float32)
    scales.flat[0] = 0
    step = np.repeat(scales, group, axis=0)[:columns].T
    quotient = np.divide(latent, step, out=np.zeros_like(latent), where=step != 0)
    code = (np.clip(np.round(quotient), -8, 7) + 8).astype(np.uint8)
    # The half behind an odd row is empty.
    code = np.pad(code, ((0, 0), (0, columns % 2)))
    return Call([Input(latent), Input(scales), group], [code[:, ::2] | code[:, 1::2] << 4])


CASES = [
    Case("adamw_step/f32", "et_vk.adamw_step.default", lambda random: adamw(random, (7, 13), np.float32, 0.01, 0.1)),
    Case("adamw_step/no_decay", "et_vk.adamw_step.default", lambda random: adamw(random, (3,), np.float32, 0.1, 0.0)),
    Case(
        "adamw_step/f16", "et_vk.adamw_step.default", lambda random: adamw(random, (5, 3, 2), np.float16, 0.01, 0.1),
        atol=1e-3, rtol=1e-3,
    ),
    Case(
        "linear_q4gsw_backward/small", "et_vk.linear_q4gsw_backward.default",
        lambda random: backward(random, 3, 8, 16, 8),
    ),
    Case(
        "linear_q4gsw_backward/odd_sizes", "et_vk.linear_q4gsw_backward.default",
        lambda random: backward(random, 65, 13, 66, 6), atol=1e-5, rtol=1e-5,
    ),
    Case(
        "q4gsw_requant/groups", "et_vk.q4gsw_requant.default", lambda random: requant(random, 4, 32, 8), atol=0, rtol=0,
    ),
    Case(
        "q4gsw_requant/odd_sizes", "et_vk.q4gsw_requant.default", lambda random: requant(random, 5, 19, 7), atol=0, rtol=0,
    ),
]
