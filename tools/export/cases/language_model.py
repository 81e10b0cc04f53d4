"""A small decoder as language models are exported: tokens and their position in, the logits of the last token out; or, as
models of `transformers` are, the position of each token in, and the logits of all out."""

import json

import torch
from safetensors.torch import save
from torch import Tensor, nn
from torch.export import Dim

from cases.attention import SYMBOL, WITH_CACHE, Fused, at, plain
from lib import Case, Lowered, Source, Tensors, given, ints, lower

VOCABULARY, WIDTH, HEADS, CONTEXT = 257, 16, 2, 48


class Decoder(nn.Module):
    """One layer of attention with key-value caches in the delegate. The same graph serves prompts and single tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(VOCABULARY, WIDTH)
        self.query, self.key, self.value, self.mix = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))
        self.attention = Fused(CONTEXT, HEADS, WIDTH // HEADS)
        self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, tokens: Tensor, position: Tensor) -> Tensor:
        return self.through(self.attention, tokens, position)

    def plain(self, tokens: Tensor, position: Tensor) -> Tensor:
        return self.through(self.attention.plain, tokens, position)

    def through(self, attention, tokens: Tensor, position: Tensor) -> Tensor:
        return self.head(self.hidden(attention, tokens, position)[:, -1, :])

    def hidden(self, attention, tokens: Tensor, position: Tensor) -> Tensor:
        hidden = self.table(tokens)
        rows = (1, tokens.size(1), HEADS, WIDTH // HEADS)
        query, key, value = (layer(hidden).view(rows) for layer in (self.query, self.key, self.value))
        mixed = self.mix(attention(query, key, value, position).reshape(1, tokens.size(1), WIDTH))
        return hidden + mixed


class HiddenFirst(Decoder):
    """Gives the hidden states of all tokens too, and before the logits."""

    def through(self, attention, tokens: Tensor, position: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.hidden(attention, tokens, position)
        return hidden, self.head(hidden[:, -1, :])


class EachPosition(Decoder):
    """Takes the position of each token, keeps its caches by them, and gives the logits of all tokens."""

    def __init__(self) -> None:
        super().__init__()
        shape = (1, HEADS, CONTEXT, WIDTH // HEADS)
        self.register_buffer("keys", torch.zeros(shape))
        self.register_buffer("values", torch.zeros(shape))

    def forward(self, tokens: Tensor, positions: Tensor) -> Tensor:
        return self.head(self.hidden(self.attend, tokens, positions))

    plain = forward

    def attend(self, query: Tensor, key: Tensor, value: Tensor, positions: Tensor) -> Tensor:
        self.keys[:, :, positions] = key.transpose(1, 2)
        self.values[:, :, positions] = value.transpose(1, 2)
        hides = torch.arange(CONTEXT) > positions.unsqueeze(-1)
        scores = query.transpose(1, 2) @ self.keys.transpose(2, 3) * (WIDTH // HEADS) ** -0.5
        weights = torch.where(hides, float("-inf"), scores).softmax(dim=-1)
        return (weights @ self.values).transpose(1, 2)


def with_golden(case: Case, module: nn.Module, inputs: Tensors) -> Lowered:
    """The program, and beside it a prompt with the tokens and logits that follow it in eager mode."""
    prompt, ids, rows = [3, 141, 59, 26, 5, 35, 89, 79, 32], [], []
    with torch.no_grad():
        lowered = lower(case, module, inputs)
        fed = prompt
        for _ in range(12):
            start = len(prompt) + len(ids) - len(fed)
            rows.append(module(torch.tensor([fed]), torch.arange(start, start + len(fed)))[0, -1])
            ids.append(int(rows[-1].argmax()))
            fed = ids[-1:]
    best = [row.topk(2).values for row in rows]
    run = {"name": "p0", "prompt_ids": prompt, "generated_ids": ids, "top2_gap": [float(a - b) for a, b in best]}
    golden = json.dumps({"pte": "model.pte", "cases": [run]}, indent=1) + "\n"
    logits = save({"p0.logits": torch.stack(rows)})
    return Lowered(lowered.program, {"golden.json": golden.encode(), "golden.safetensors": logits})


def tokens(count: int) -> Source:
    return ints(1, count, dtype=torch.int64, low=0, high=VOCABULARY - 1)


COUNT = Dim("tokens", min=1, max=CONTEXT - 1)


def positions(count: int, start: int) -> Source:
    return given(list(range(start, start + count)), torch.int64)


CASES = [
    Case(
        f"programs/language_model/{name}",
        module,
        [(tokens(count), at(position)) for count, position in ((5, 0), (1, 5), (1, 6), (7, 7), (1, 14), (33, 15))],
        operators=[SYMBOL, WITH_CACHE],
        instructions=["DelegateCall"],
        dynamic=[{1: COUNT}, None],
        expect=plain,
        stateful=True,
    )
    for name, module in (("decoder", Decoder), ("hidden_first", HiddenFirst))
] + [
    Case(
        "programs/language_model/each_position",
        EachPosition,
        [(tokens(count), positions(count, start)) for count, start in ((5, 0), (1, 5), (1, 6), (7, 7), (33, 14))],
        kernels=None,
        dynamic=[{1: COUNT}, {0: COUNT}],
        lower=with_golden,
        stateful=True,
    ),
]
