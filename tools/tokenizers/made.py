"""Makes small tokenizers with the original libraries, for options that no downloaded file has."""

import base64
import json
import pathlib
import sys

import corpus
import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

LETTERS = pre_tokenizers.ByteLevel.alphabet()

# Options of sentencepiece's trainer for each model.
PIECES = {
    "bpe_bytes": {"model_type": "bpe", "byte_fallback": True, "normalization_rule_name": "identity", "remove_extra_whitespaces": False},
    "bpe_nfkc": {"model_type": "bpe", "normalization_rule_name": "nfkc"},
    "bpe_symbols": {"model_type": "bpe", "byte_fallback": True, "user_defined_symbols": ["<mark>", "▁▁", "\n\n", "<a>"], "remove_extra_whitespaces": False, "split_digits": True},
    "bpe_no_prefix": {"model_type": "bpe", "byte_fallback": True, "add_dummy_prefix": False, "normalization_rule_name": "identity", "remove_extra_whitespaces": False},
    "unigram_nmt": {"model_type": "unigram", "normalization_rule_name": "nmt_nfkc"},
    "unigram_cf": {"model_type": "unigram", "normalization_rule_name": "nmt_nfkc_cf", "byte_fallback": True},
    "unigram_symbols": {"model_type": "unigram", "user_defined_symbols": ["<mark>", "<a>"], "bos_id": -1, "pad_id": 3},
    "unigram_suffix": {"model_type": "unigram", "treat_whitespace_as_suffix": True, "byte_fallback": True},
}


def trained(model, normalizer, pre_tokenizer, decoder, lines, trainer=trainers.BpeTrainer, added=(), processor=None, **options):
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.decoder = decoder
    tokenizer.post_processor = processor
    tokenizer.train_from_iterator(lines, trainer(vocab_size=2000, show_progress=False, **options))
    tokenizer.add_special_tokens(["<|begin|>", "<|end|>"])
    tokenizer.add_tokens(list(added))
    return tokenizer


def json_files(lines, charsmap):
    bytes_in, bytes_out = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    added = [
        AddedToken("<left>", lstrip=True), AddedToken("<right>", rstrip=True), AddedToken("<both>", lstrip=True, rstrip=True, normalized=False),
        AddedToken("word", single_word=True), AddedToken("ÉCOLE", normalized=True), AddedToken("  ", normalized=False), AddedToken("ﬁn", normalized=False),
    ]
    bpe = lambda **options: models.BPE(**options)
    template = processors.TemplateProcessing(single="<|begin|> $A <|end|>", special_tokens=[("<|begin|>", 2000), ("<|end|>", 2001)])
    yield "added", trained(bpe(), normalizers.NFKC(), bytes_in, bytes_out, lines, added=added, initial_alphabet=LETTERS)
    yield "lower", trained(bpe(), normalizers.Sequence([normalizers.NFD(), normalizers.Lowercase(), normalizers.StripAccents(), normalizers.Strip()]), bytes_in, bytes_out, lines, added=added, initial_alphabet=LETTERS)
    yield "prefix", trained(bpe(), None, pre_tokenizers.ByteLevel(add_prefix_space=True), bytes_out, lines, processor=template, initial_alphabet=LETTERS)
    yield "digits", trained(bpe(), normalizers.NFC(), pre_tokenizers.Sequence([pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.Digits(False), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]), bytes_out, lines, initial_alphabet=LETTERS)
    yield "split", trained(bpe(), normalizers.Replace(Regex(r"\s+"), " "), pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(r"\w+|[^\w\s]+"), "removed", invert=True), pre_tokenizers.Split(Regex("e"), "merged_with_next"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]), bytes_out, lines, initial_alphabet=LETTERS)
    yield "unknown", trained(bpe(unk_token="<unk>", fuse_unk=True), normalizers.NFKD(), pre_tokenizers.Whitespace(), None, lines, special_tokens=["<unk>"])
    yield "suffix", trained(bpe(unk_token="<unk>", end_of_word_suffix="</w>"), normalizers.Lowercase(), pre_tokenizers.BertPreTokenizer(), decoders.BPEDecoder(), lines, special_tokens=["<unk>"], end_of_word_suffix="</w>")
    for scheme in ("always", "first", "never"):
        space = {"replacement": "▁", "prepend_scheme": scheme}
        yield f"metaspace_{scheme}", trained(bpe(unk_token="<unk>"), None, pre_tokenizers.Metaspace(**space), decoders.Metaspace(**space), lines, special_tokens=["<unk>"], added=added)
    unigram = trained(models.Unigram(), None, pre_tokenizers.Metaspace(), decoders.Metaspace(), lines, trainers.UnigramTrainer, special_tokens=["<unk>"], unk_token="<unk>")
    yield "unigram", unigram
    tokenizer = json.loads(unigram.to_str())
    tokenizer["normalizer"] = {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap).decode()}
    yield "precompiled", Tokenizer.from_str(json.dumps(tokenizer))
    yield "wordpiece", trained(models.WordPiece(unk_token="[UNK]"), normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer(), decoders.WordPiece(), lines, trainers.WordPieceTrainer, special_tokens=["[UNK]"])
    yield "words", trained(models.WordLevel(unk_token="[UNK]"), None, pre_tokenizers.WhitespaceSplit(), None, lines, trainers.WordLevelTrainer, special_tokens=["[UNK]"])


def make(folder, text):
    """Writes the tokenizers, trained on a text and on the corpus."""
    lines = [line for line in text.splitlines() if line] + [line for t in corpus.PLAIN + corpus.CODE + corpus.UNICODE for line in t.splitlines()]
    for name, options in PIECES.items():
        path = folder / f"{name}.model"
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines), model_prefix=str(path.with_suffix("")), vocab_size=1200, hard_vocab_limit=False, minloglevel=2, character_coverage=0.995, **options
        )
        path.with_suffix(".vocab").unlink()
    model = sentencepiece_model_pb2.ModelProto.FromString((folder / "unigram_nmt.model").read_bytes())
    for name, tokenizer in json_files(lines, model.normalizer_spec.precompiled_charsmap):
        (folder / f"made_{name}.json").write_text(tokenizer.to_str(pretty=False))


if __name__ == "__main__":
    make(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text())
