"""A small decoder as language models are exported: tokens and their position in, the logits of the last token out."""

import torch
from torch import Tensor, nn
from torch.export import Dim

from cases.attention import SYMBOL, WITH_CACHE, Fused, at, plain
from lib import Case, Source, ints

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


def tokens(count: int) -> Source:
    return ints(1, count, dtype=torch.int64, low=0, high=VOCABULARY - 1)


CASES = [
    Case(
        f"programs/language_model/{name}",
        module,
        [(tokens(count), at(position)) for count, position in ((5, 0), (1, 5), (1, 6), (7, 7), (1, 14), (33, 15))],
        operators=[SYMBOL, WITH_CACHE],
        instructions=["DelegateCall"],
        dynamic=[{1: Dim("tokens", min=1, max=CONTEXT - 1)}, None],
        expect=plain,
        stateful=True,
    )
    for name, module in (("decoder", Decoder), ("hidden_first", HiddenFirst))
]
