"""Writes fixtures/llm/tokenizers/patterns.json: what expressions of tokenizers find in texts.

The expressions are those of published tokenizers, and one for each thing that tokenizers' expressions may hold. Each case is
an expression, a text, and the text with every find replaced by `|`, by the package `regex`:

    pip install regex && python tools/tokenizers/patterns.py
"""

import json
from pathlib import Path

import regex

EXPRESSIONS = [
    # Published tokenizers: GPT-2, cl100k, o200k, Qwen, Llama 3, DeepSeek, Falcon, BERT's controls.
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"[\s]+[\r\n]+|[一-龥぀-ゟ゠-ヿ]+|\p{N}{1,3}",
    r"[0-9][0-9][0-9]",
    r"[\x{fffd}\p{Cc}\p{Cf}\p{Co}&&[^\t\n\r]]",
    # One thing each.
    r"\d+|\D",
    r"\w+",
    r"\W+",
    r"\S+",
    r"\bw\w*\b",
    r"\Bi",
    r"(?m)^.",
    r"(?s)\A.{3}",
    r".\z",
    r"(\w)\1",
    r"(?<letter>\p{Ll})\k<letter>",
    r"(?>a|ab)c",
    r"\p{L}*?\p{N}",
    r"(?<=\p{L})\p{N}|(?<!\s)!",
    r"\p{Han}|\p{script=Greek}|\P{Letter}\p{^N}",
    r"(?i)[a-c]{2,}|STRA|k|S",
    "(?x) [\\ \\t]+  # spaces\n | \\p{Lu}",
    r"[a-z--[aeiou]]+",
    r"\x41|\u00e9|\x{1f426}",
    r"[]\-^&]+",
    r"(?:ab){2}+|x{,2}y",
]

TEXTS = [
    "A wing, a WING's wings: we're 12345 birds!\n\n  two  spaces\t\n",
    "Über das Meer 翼と鳥 🐦 and Ελλάδα's Σ; 50٣٤ €12.50",
    "e\u0301tude cafe\u0301\u0301 ſtraße STRASSE K k \u00e9\u00a0x\u3000y\u0085z\ufeffw",
    "abcabac ababab xxy ccc ]-^& {a} \u00ad\u200b\ufffd\u0007 book 7up",
    "",
]


def main() -> None:
    cases = []
    for expression in EXPRESSIONS:
        # Rust's braces for numbers, and its set operators, are another notation of the same.
        notation = regex.sub(r"\\x\{([0-9a-f]+)\}", lambda found: rf"\U{int(found[1], 16):08x}", expression)
        notation = notation.replace(r"\k<letter>", "(?P=letter)").replace("x{,2}", "x{0,2}")
        compiled = regex.compile(notation, regex.VERSION1)
        for text in TEXTS:
            replaced = compiled.sub(lambda found: "|" if found[0] else "", text)
            cases.append({"expression": expression, "text": text, "replaced": replaced})
    path = Path(__file__).parents[2] / "fixtures/llm/tokenizers/patterns.json"
    path.write_text("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
    print(f"{len(cases)} cases in {path}")


if __name__ == "__main__":
    main()
