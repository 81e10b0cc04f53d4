"""Makes `fixtures/llm/tokenizers`: small tokenizer files, and what the original libraries make of text with them.

    python tools/export/pieces.py [FOLDER]

It needs `pip install sentencepiece tiktoken`. `small.tiktoken` has the form of Llama 3's tokenizer.model with fewer ranks.
"""

import base64
import io
import json
import sys
import tempfile
from pathlib import Path

import sentencepiece
import tiktoken

FIXTURE = Path(__file__).resolve().parent.parent.parent / "fixtures" / "llm" / "tokenizers"

TEXT = [
    "A wing carries a bird over the sea, and the sea carries a ship under the wing.",
    "The river runs to the sea; the sea is never full, and the birds are never still.",
    "Ein Flügel trägt einen Vogel über das Meer, und das Meer trägt ein Schiff über den Fluss.",
    "One bird, two birds, three birds: how many wings are there over the river in 1234 days?",
    "aaaa aaaaaa aaa bananas and bandanas",
]
SAMPLES = [
    "A wing",
    "the river never carries the birds",
    " two  spaces   and\na line\n\n  more",
    "Flügel über 翼 and 🐦",
    "aaaaaaa bananananas",
    "It's 12345, isn't it?\tYES",
    "ﬁne Ａ",
    "",
    " ",
]
# The pattern of Llama 3.
PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def train(**options: object) -> bytes:
    """A sentencepiece model trained on the text."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXT * 20), model_writer=model, minloglevel=2, **options
    )
    return model.getvalue()


def sentencepiece_cases(model: bytes) -> list[dict]:
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    cases = []
    for text in SAMPLES:
        ids = processor.encode(text)
        cases.append({"text": text, "ids": ids, "decoded": processor.decode(ids)})
    return cases


def ranks() -> dict[bytes, int]:
    """Bytes, then the byte pairs that are most frequent in the text, merged over and over."""
    words = [[bytes([byte]) for byte in word.encode()] for line in TEXT for word in line.replace(" ", "\0 ").split("\0")]
    known = {bytes([byte]): byte for byte in range(256)}
    while len(known) < 360:
        counts: dict[bytes, int] = {}
        for word in words:
            for left, right in zip(word, word[1:]):
                counts[left + right] = counts.get(left + right, 0) + 1
        best = max(counts, key=lambda pair: (counts[pair], pair))
        known[best] = len(known)
        for word in words:
            at = 0
            while at + 1 < len(word):
                if word[at] + word[at + 1] == best:
                    word[at : at + 2] = [best]
                at += 1
    return known


def main() -> None:
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else FIXTURE
    output.mkdir(parents=True, exist_ok=True)
    cases = {}
    with tempfile.TemporaryDirectory() as scratch:
        rules = Path(scratch) / "rules.tsv"
        rules.write_text("FB01\t66 69\nFF21\t41\n")
        # As Llama 2's: nothing is normalized, digits are apart, unknown characters become bytes.
        llama2 = {
            "model_type": "bpe",
            "vocab_size": 400,
            "byte_fallback": True,
            "split_digits": True,
            "normalization_rule_name": "identity",
            "remove_extra_whitespaces": False,
            "character_coverage": 0.98,
        }
        unigram = {
            "model_type": "unigram",
            "vocab_size": 90,
            "normalization_rule_tsv": str(rules),
            "user_defined_symbols": ["<mark>"],
        }
        for name, options in {"bpe": llama2, "unigram": unigram}.items():
            model = train(**options)
            (output / f"{name}.model").write_bytes(model)
            cases[name] = sentencepiece_cases(model)
    table = ranks()
    lines = (f"{base64.b64encode(token).decode()} {rank}\n" for token, rank in table.items())
    (output / "small.tiktoken").write_text("".join(lines))
    encoding = tiktoken.Encoding("small", pat_str=PATTERN, mergeable_ranks=table, special_tokens={})
    cases["tiktoken"] = [{"text": text, "ids": encoding.encode(text), "decoded": text} for text in SAMPLES]
    (output / "cases.json").write_text(json.dumps(cases, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
