"""What the original libraries make of texts: the truth that others are compared with."""

import base64
import json
import pathlib

import sentencepiece
import tiktoken
import tokenizers

# How Llama 3 and its relatives cut text; Llama 4 and GPT-4o share a pattern, and so do Qwen and its successors.
LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
O200K = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
CL100K = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
QWEN = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")

# Special tokens are in no tiktoken file; these are the first few that each model's own code adds.
TIKTOKEN = {
    "llama3": (LLAMA3, {"<|begin_of_text|>": 128000, "<|end_of_text|>": 128001, "<|eot_id|>": 128009}),
    "llama4": (O200K, {"<|begin_of_text|>": 200000, "<|end_of_text|>": 200001, "<|eot|>": 200008}),
    "qwen": (QWEN, {"<|endoftext|>": 151643, "<|im_start|>": 151644, "<|im_end|>": 151645}),
    "cl100k_base": (CL100K, {"<|endoftext|>": 100257, "<|fim_prefix|>": 100258, "<|endofprompt|>": 100276}),
}


# Special tokens of Tekken files that do not list them.
TEKKEN = (
    "<unk> <s> </s> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] [/TOOL_RESULTS] [TOOL_CALLS] [IMG] "
    "<pad> [IMG_BREAK] [IMG_END] [PREFIX] [MIDDLE] [SUFFIX] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [TOOL_CONTENT]"
).split()


class Json:
    def __init__(self, path):
        self.tokenizer = tokenizers.Tokenizer.from_file(str(path))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        added = json.loads(path.read_text())["added_tokens"]
        self.special = [token["content"] for token in added if token["special"]][-4:]
        # One that is no special token is cut from text all the same.
        self.special += [token["content"] for token in added if not token["special"]]

    def encode(self, text):
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def encode_whole(self, text):
        return self.tokenizer.encode(text).ids

    def decode(self, ids):
        return self.tokenizer.decode(ids, skip_special_tokens=True)


class SentencePiece:
    """sentencepiece takes control symbols in a text for plain letters; chats need them, so texts are cut at them."""

    def __init__(self, path):
        self.model = sentencepiece.SentencePieceProcessor(model_file=str(path))
        ids = range(self.model.get_piece_size())
        self.control = [self.model.id_to_piece(i) for i in ids if self.model.is_control(i)]
        self.special = self.control[:3]

    def encode(self, text):
        at = [(text.find(name), -len(name), name) for name in self.control if name in text]
        if not at:
            return self.model.encode(text)
        place, _, name = min(at)
        before = self.model.encode(text[:place]) if place else []
        after = text[place + len(name) :]
        return before + [self.model.piece_to_id(name)] + (self.encode(after) if after else [])

    def decode(self, ids):
        return self.model.decode(ids)


class Tiktoken:
    def __init__(self, path):
        pattern, special = TIKTOKEN[path.stem]
        lines = (line.split() for line in path.read_bytes().splitlines() if line)
        ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
        self.encoding = tiktoken.Encoding(path.stem, pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)
        self.ids, self.special = set(special.values()), list(special)

    def encode(self, text):
        return self.encoding.encode(text, allowed_special="all")

    def decode(self, ids):
        return self.encoding.decode([id for id in ids if id not in self.ids])


class Tekken:
    """mistral-common takes special tokens in a text for plain letters; chats need them, so texts are cut at them."""

    def __init__(self, path):
        file = json.loads(path.read_text())
        size, self.reserved = file["config"]["default_vocab_size"], file["config"]["default_num_special_tokens"]
        vocabulary = file["vocab"][: size - self.reserved]
        ranks = {base64.b64decode(token["token_bytes"]): token["rank"] + self.reserved for token in vocabulary}
        listed = [(token["token_str"], token["rank"]) for token in file.get("special_tokens") or []]
        special = dict(listed or zip(TEKKEN, range(len(TEKKEN))))
        pattern = file["config"]["pattern"]
        self.encoding = tiktoken.Encoding(path.stem, pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)
        self.special = list(special)[:6]

    def encode(self, text):
        return self.encoding.encode(text, allowed_special="all")

    def decode(self, ids):
        return self.encoding.decode([id for id in ids if id >= self.reserved])


KINDS = {".json": Json, ".model": SentencePiece, ".tiktoken": Tiktoken, ".tekken": Tekken}


def original(path):
    """The original library with a tokenizer file."""
    path = pathlib.Path(path)
    return KINDS[path.suffix](path)
