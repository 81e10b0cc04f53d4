"""Makes `fixtures/llm/tokenizers`: small tokenizer files, and what the original libraries make of text with them.

    python tools/export/pieces.py [FOLDER]

It needs `pip install sentencepiece tiktoken tokenizers`. `small.tiktoken` has the form of Llama 3's tokenizer.model with fewer
ranks. Each `.json` has steps that others lack, and together they have most of what a tokenizer.json can hold.
"""

import base64
import io
import json
import sys
import tempfile
from pathlib import Path

import sentencepiece
import tiktoken
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

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
    "the<mark>sea <mark> under<mark>\n\nthe  ship",
    "a" + " " * 9 + "b \n\n\n\tc",
    "WORD words, Éa e\u0301 \u1112\u1161\u11ab it's ’tis",
]
# A name of a special token is one in a tokenizer.json, while the other libraries take it for letters.
SPECIAL = ["<s>the <s> sea</s>\n</s> 1"]
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


def trained(
    lines: list[str], model: models.Model, trainer: trainers.Trainer, added: list[AddedToken], **steps: object
) -> Tokenizer:
    """A tokenizer.json trained on the text, with these steps around its model."""
    tokenizer = Tokenizer(model)
    for name, step in steps.items():
        setattr(tokenizer, name, step)
    tokenizer.train_from_iterator(lines, trainer)
    tokenizer.add_special_tokens(["<s>", "</s>"])
    tokenizer.add_tokens(added)
    return tokenizer


def json_tokenizers(character_map: bytes) -> dict[str, Tokenizer]:
    """Tokenizers as language models have them, each with other steps."""
    options = {"vocab_size": 340, "show_progress": False}
    # As Gemma's: no words, spaces are marks, runs of them are added tokens too, unknown characters become bytes.
    spelled = [f"<0x{byte:02X}>" for byte in range(256)]
    gemma = trained(
        [line.replace(" ", "▁") for line in TEXT] + ["▁▁▁▁"] * 20,
        models.BPE(byte_fallback=True, fuse_unk=True, unk_token="<unk>"),
        trainers.BpeTrainer(special_tokens=["<unk>", *spelled], max_token_length=8, **options),
        [AddedToken("▁▁", normalized=False), AddedToken("▁▁▁▁", normalized=False), AddedToken("\n\n", normalized=False)],
        normalizer=normalizers.Replace(" ", "▁"),
        decoder=decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]),
    )
    plain = json.loads(gemma.to_str())
    plain["added_tokens"] = [token for token in plain["added_tokens"] if token["content"] not in spelled]
    # As Llama 3's and Qwen's: bytes as letters, cut by a pattern with a look-ahead.
    template = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    byte_level = trained(
        TEXT,
        models.BPE(),
        trainers.BpeTrainer(special_tokens=["<s>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), **options),
        [
            AddedToken("<mark>", lstrip=True, rstrip=True, normalized=False),
            AddedToken("Éa", normalized=True),
            AddedToken("word", single_word=True),
        ],
        normalizer=normalizers.NFC(),
        pre_tokenizer=pre_tokenizers.Sequence(
            [
                pre_tokenizers.Digits(individual_digits=True),
                pre_tokenizers.Split(Regex(PATTERN), "isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        ),
        post_processor=processors.Sequence([processors.ByteLevel(), template]),
        decoder=decoders.ByteLevel(),
    )
    # As T5's: scores, and sentencepiece's map of characters.
    scores = trained(
        TEXT * 20,
        models.Unigram(),
        trainers.UnigramTrainer(vocab_size=90, show_progress=False, special_tokens=["<unk>"], unk_token="<unk>"),
        [AddedToken("<mark>")],
        pre_tokenizer=pre_tokenizers.Metaspace(prepend_scheme="first"),
        decoder=decoders.Metaspace(prepend_scheme="first"),
    )
    file = json.loads(scores.to_str())
    file["normalizer"] = {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(character_map).decode()}
    # As BERT's.
    pieces = trained(
        TEXT,
        models.WordPiece(unk_token="[UNK]"),
        trainers.WordPieceTrainer(vocab_size=120, show_progress=False, special_tokens=["[UNK]", "[CLS]", "[SEP]"]),
        [AddedToken("<mark>")],
        normalizer=normalizers.BertNormalizer(),
        pre_tokenizer=pre_tokenizers.BertPreTokenizer(),
        post_processor=processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1)),
        decoder=decoders.WordPiece(),
    )
    gemma, scores = (Tokenizer.from_str(json.dumps(changed)) for changed in (plain, file))
    return {"gemma": gemma, "byte_level": byte_level, "scores": scores, "pieces": pieces}


def json_cases(tokenizer: Tokenizer) -> list[dict]:
    cases = []
    for text in SAMPLES + SPECIAL:
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        whole = tokenizer.encode(text).ids
        cases.append({"text": text, "ids": ids, "whole": whole, "decoded": tokenizer.decode(ids)})
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
        # As Gemma's: runs of spaces are symbols of the user, and no space goes before a text.
        symbols = llama2 | {"user_defined_symbols": ["<mark>", "▁▁", "▁▁▁▁", "\n\n"], "add_dummy_prefix": False}
        for name, options in {"bpe": llama2, "unigram": unigram, "symbols": symbols}.items():
            model = train(**options)
            (output / f"{name}.model").write_bytes(model)
            cases[name] = sentencepiece_cases(model)
    unigram = sentencepiece_model_pb2.ModelProto.FromString((output / "unigram.model").read_bytes())
    for name, tokenizer in json_tokenizers(unigram.normalizer_spec.precompiled_charsmap).items():
        (output / f"{name}.json").write_text(tokenizer.to_str(pretty=False) + "\n")
        cases[name] = json_cases(tokenizer)
    table = ranks()
    lines = (f"{base64.b64encode(token).decode()} {rank}\n" for token, rank in table.items())
    (output / "small.tiktoken").write_text("".join(lines))
    encoding = tiktoken.Encoding("small", pat_str=PATTERN, mergeable_ranks=table, special_tokens={})
    cases["tiktoken"] = [{"text": text, "ids": encoding.encode(text), "decoded": text} for text in SAMPLES]
    (output / "cases.json").write_text(json.dumps(cases, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
