"""Texts on which tokenizers are apt to differ: odd Unicode, spaces, numbers, code, and special tokens within text."""

import random

PLAIN = [
    "",
    "A wing",
    "Hello, world!",
    "The quick brown fox jumps over the lazy dog.",
    "I'm sure they've said that it's John's; we'll see, I'd bet. WE'RE DON'T I'LL ’tis don’t",
    "Über das Meer flog ein Flügel; ça va, señor? Žluťoučký kůň, İstanbul, ıI, ŉ, ß ẞ, ΣΑΣ Σ.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю.",
    "Γειά σου Κόσμε, ὦ ἄνδρες Ἀθηναῖοι",
    "The end.\n\n\nAnother paragraph.\r\n\r\nWindows\rold Mac\u2028line\u2029paragraph\x85next",
    "CamelCase snake_case kebab-case SCREAMING_CASE HTTPServer2Go iPhone XMLHttpRequest",
    "user@example.com https://example.org/a/b?c=d&e=f#g C:\\Windows\\System32 /usr/bin/env ~/.bashrc",
]

NUMBERS = [
    "0 1 12 123 1234 12345 1234567890 007 3.14159 -1 +2 1e-10 0x1F 1,234,567.89 50% $9.99 №5 1/2",
    "٠١٢٣٤٥٦٧٨٩ १२३ 〇一二三 ½ ¼ ² ³ ₂ Ⅷ ⑳ 𝟘𝟙𝟚 １２３",
    "12345678901234567890123456789012345678901234567890",
    "v1.2.3-rc.4+build.5 192.168.0.1 2026-11-15T19:57:00Z",
]

CODE = [
    "def f(x):\n    if x > 0:\n        return x ** 2\n\treturn None  # done\n",
    "fn main() {\n    println!(\"{:?}\", vec![1, 2, 3].iter().map(|x| x * 2).collect::<Vec<_>>());\n}\n",
    "<html>\n\t<body class=\"a b\">&nbsp;&#128054;</body>\n</html>",
    "SELECT * FROM t WHERE a='b' AND c<>\"d\" -- e\n;",
    "{\"key\": [null, true, -1.5e3, \"\\u00e9\\n\"]}",
    "a->b::c<d>&&e||!f^g%h+=i--j++;//k/*l*/",
    "\t\tint\tmain(\tvoid\t)\t{\n\n\n\n}    \n    \n",
    "# " + "=" * 40 + "\n" + "-" * 17 + "\n" + "*" * 5 + "___" + "." * 9,
]

SPACES = [
    " ", "  ", "   ", "\n", "\n\n", "\t", "\r\n", " \n ", "\n \n", "\u00a0", "\u3000", "\u200b", "\ufeff",
    " a", "a ", "  a", "a  ", " a ", "\na", "a\n", "a \n", "a\n b", "a\u00a0b", "a\u3000b", "a\u2003b", "a\u200bb",
    "a" + " " * 7 + "b", "a" + " " * 64 + "b", " " * 100, "\n" * 50, "\t" * 33, "\r\n" * 20, " \t\n" * 30,
    "x" + " " * 300 + "\n" + " " * 300 + "y",
    "trailing spaces   \nand tabs\t\t\n  leading",
    "▁", "▁a", "a▁b", " ▁ ", "▁▁▁", "a ▁b",
    "\u2581\u2582 ▁\u0301",
]

UNICODE = [
    "👍🏽 👨‍👩‍👧‍👦 🏳️‍🌈 🇨🇭🇺🇸 ❤️ ☺️ ☺︎ 1️⃣ #️⃣ 🧑🏿‍🚀",
    "👨\u200d\u200d👩 \u200d🏽 🇨 \ufe0f",
    "e\u0301 é E\u0301\u0323 a\u0308\u0301 o\u0328\u0304 ñ n\u0303 Å A\u030a Å",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘",
    "\u0301a \u0301 \u0300\u0301",
    "שָׁלוֹם עוֹלָם ‏(abc) ‎123‏",
    "السَّلَامُ عَلَيْكُمْ ﷺ ﷽ لا ١٢٣ abc",
    "\u202eevil\u202c \u2066isolate\u2069 \u061c",
    "你好，世界！我喜欢用中文写东西。",
    "吾輩は猫である。名前はまだ無い。カタカナ ｶﾀｶﾅ ｶﾞ が か\u3099 〜 ～",
    "안녕하세요 세계 \u1112\u1161\u11ab 한국어",
    "สวัสดีชาวโลก ภาษาไทย ไม่มีช่องว่าง",
    "नमस्ते दुनिया क्षत्रिय हिन्दी",
    "বাংলা தமிழ் తెలుగు ಕನ್ನಡ മലയാളം සිංහල မြန်မာ ខ្មែរ ქართული հայերեն አማርኛ",
    "ﬁ ﬂ ﬃ ℌ ℡ ™ ℃ Ω Ω K K ſ ẛ̣ Ａｂｃ ㍿ ㌔ ⅓ … ‥ ﹏ ｡ ､",
    "∀x∈ℝ: ⌈x⌉ = −⌊−x⌋, ∑∏∫√∞≠≤≥ 𝒜𝓑𝕮 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 e=mc²",
    "“curly” ‘single’ «guillemets» „low“ — – ‐ ‑ − ‒ ― … ' \" ` ´",
    "𐍈 𝄞 🂡 𒀀 𓀀 𐎀 󠁧󠁢󠁥󠁮󠁧󠁿 \U0010ffff \U000e0001 \ue000 \uf8ff",
    "Ꞵ Ɐ ᏸ Ꭰ ᲀ ჯ Ჯ ǅ ǆ Ǆ ŸÿŽž",
    "\u1e9e\u0130\u0131\u017f\u212a",
]

CONTROLS = [
    "a\x00b", "\x00", "\x01\x02\x03\x1f\x7f", "a\x08b\x1b[31mred\x1b[0m", "\x80\x81\x9f", "a\u00adb",
    "\ufffd", "a\ufffdb", "\ufffe\uffff", "a\ufeffb", "\u2060\u2061\u180e", "\u115f\u3164",
    "Ã© â‚¬ ï¿½", "<0x0A> <0xE7> <0xZZ> \\x00 \\u0000 %00",
]

# Each name in braces is replaced by a special token that the tokenizer has.
SPECIAL = [
    "{0}", "{0}a", "a{0}", "a{0}b", "a {0} b", " {0} ", "{0}{0}", "{0} {1}", "{1}user\nHi{0}\n{1}assistant\n",
    "{0}\n\n{1}", "a\n{0}\nb", "<{0}>", "{0}'s", "é{0}\u0301", "{0}▁{1}", "x{0}" + " " * 8 + "{1}y", "{0}1{1}2",
]

NAMES = ["<s>", "</s>", "<unk>", "<pad>", "[INST]", "[/INST]", "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<bos>"]

ALPHABETS = [
    "abcdefghijklmnopqrstuvwxyz",
    "etaoin shrdlu ETAOIN   ",
    "0123456789.,-",
    " \t\n\r\u00a0\u3000\u200b",
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "àéîõüßøåçñ\u0301\u0308\u0323",
    "的一是不了人我在有他这为之大来以个中上们",
    "あいうえおアイウエオがぱー",
    "가나다라마바사\u1100\u1161\u11a8",
    "אבגדה\u05b0\u05b8ابتثج\u064e\u0651",
    "🐦👍🏽👩\u200d🔬\ufe0f🇨🇭",
    "▁<>|_'s",
    "\x00\x01\x1b\x7f\x85\u2028\ufeff\ufffd",
]


def sampled(count, seed=17):
    """Random texts: letters of a few alphabets, any characters of Unicode, or pieces of the texts above."""
    draw = random.Random(seed)
    pieces = [piece for text in PLAIN + CODE + UNICODE for piece in text.split(" ") if piece]
    texts = []
    for number in range(count):
        length = draw.randint(1, 60)
        if number % 3 == 0:
            letters = "".join(draw.sample(ALPHABETS, draw.randint(1, 4)))
            texts.append("".join(draw.choice(letters) for _ in range(length)))
        elif number % 3 == 1:
            gaps = [" ", " ", " ", "", "\n", "  ", "\u00a0"]
            texts.append("".join(draw.choice(pieces) + draw.choice(gaps) for _ in range(length // 3 + 1)))
        else:
            planes = [(0, 0x7F), (0x80, 0x24F), (0x250, 0x1FFF), (0x2000, 0x2FFF), (0x3000, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x10FFFF)]
            texts.append("".join(chr(draw.randint(*draw.choice(planes))) for _ in range(length)))
    return texts


def special(names):
    """Texts with special tokens of a tokenizer within them, two by two."""
    pairs = [pair for pair in zip(names, names[1:] + names[:1])][:12]
    return [text.replace("{0}", first).replace("{1}", second) for first, second in pairs for text in SPECIAL]


def texts(names, count=600):
    """The corpus for a tokenizer with these special tokens: plain texts, and texts with special tokens."""
    named = [f"a {name} b" for name in NAMES if name not in names]
    plain = PLAIN + NUMBERS + CODE + SPACES + UNICODE + CONTROLS + named + sampled(count)
    return plain, special(names) if names else []
