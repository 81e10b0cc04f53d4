"""Compares what a program makes of texts with what the original libraries make of them.

    python tools/tokenizers/compare.py FOLDER DRIVER [--only PATTERN] [--show N] [--speed FILE]

FOLDER holds tokenizer files, from `fetch.py` and `made.py`. DRIVER is a program that is called as
`DRIVER TOKENIZER TEXTS.json [FILE]` and prints one JSON object: `error`, or `load` (seconds), `ids` (a list for each text,
or a string that says what went wrong), `decoded` (a text for each), and `speed` (megabytes of FILE in a second, and its
number of tokens).
"""

import argparse
import fnmatch
import json
import pathlib
import subprocess
import tempfile

import corpus
import originals


def run(driver, path, texts, speed):
    """What the driver makes of texts."""
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "texts.json"
        file.write_text(json.dumps(texts))
        command = [driver, str(path), str(file)] + ([speed] if speed else [])
        done = subprocess.run(command, capture_output=True, text=True)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"error": f"it ended with {done.returncode} and printed no result"}


def compare(driver, path, show, speed):
    """A line for a tokenizer, and the first texts that differ."""
    original = originals.original(path)
    plain, special = corpus.texts(original.special)
    texts = plain + special
    result = run(driver, path, texts, speed)
    if "error" in result:
        return [f"| {path.name} | refused: {result['error'][:80]} | | |"]
    wrong, decoded = [], []
    for text, ids, again in zip(texts, result["ids"], result["decoded"], strict=True):
        expected = original.encode(text)
        if ids != expected:
            wrong.append((text, ids, expected))
        elif again != original.decode(expected):
            decoded.append((text, again, original.decode(expected)))
    pace = f"{result['speed'][0]:.1f} MB/s" if result.get("speed") else ""
    lines = [f"| {path.name} | {len(wrong)} of {len(texts)} | {len(decoded)} | {pace} |"]
    for text, got, expected in (wrong + decoded)[:show]:
        lines.append(f"    {ascii(text)[:80]}\n        got      {ascii(got)[:100]}\n        expected {ascii(expected)[:100]}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("driver")
    parser.add_argument("--only", default="*")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--speed")
    options = parser.parse_args()
    print("| tokenizer | wrong ids | wrong text | speed |\n|---|---|---|---|")
    for path in sorted(options.folder.iterdir()):
        if path.suffix in originals.KINDS and fnmatch.fnmatch(path.name, options.only):
            print("\n".join(compare(options.driver, path, options.show, options.speed)), flush=True)


if __name__ == "__main__":
    main()
