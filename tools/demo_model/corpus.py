"""Reads the six novels of Jane Austen from Debian's `r-cran-janeaustenr` and trains the tokenizer on them.

    python tools/demo_model/corpus.py [--deb FILE] [--out target/demo_model]

Writes `tokens.safetensors` (`train` and `held_out` ids, `train_starts`: where each paragraph begins) and
`tokenizer.json`. Without --deb the package is fetched with `apt-get download`.
"""

import argparse
import gzip
import re
import struct
import subprocess
import sys
import tempfile
import warnings
import zlib
from pathlib import Path

import numpy as np
import rdata
from safetensors.numpy import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

PACKAGE = "r-cran-janeaustenr"
DATA = "usr/lib/R/site-library/janeaustenr/data/Rdata"
NOVELS = ["emma", "mansfieldpark", "northangerabbey", "persuasion", "prideprejudice", "sensesensibility"]
BOUNDARY = "<|endoftext|>"
VOCABULARY = 2048
HELD_OUT_EVERY = 40
CHAPTER = re.compile(r"chapter \w+", re.IGNORECASE)
NOT_PROSE = re.compile(r"(volume \w+|the end|finis)\.?|\[.*\]", re.IGNORECASE)


def download(folder: Path) -> Path:
    """Fetches the package into `folder`; fails with apt's own words."""
    subprocess.run(["apt-get", "download", PACKAGE], cwd=folder, check=True)
    [package] = folder.glob(f"{PACKAGE}_*.deb")
    return package


def read_r(serialized: bytes) -> object:
    """The value of one serialized R object."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Unknown file type")
        return rdata.conversion.convert(rdata.parser.parse_data(serialized))


def read_novels(package: Path) -> dict[str, list[str]]:
    """The lines of each novel, from the lazy-load database of the R package: an index of (offset, length), and at each
    offset a big-endian size and a zlib stream."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
        index = read_r(gzip.decompress(Path(folder, f"{DATA}.rdx").read_bytes()))["variables"]
        database = Path(folder, f"{DATA}.rdb").read_bytes()
    novels = {}
    for name in NOVELS:
        offset, length = (int(number) for number in index[name])
        [size] = struct.unpack_from(">I", database, offset)
        serialized = zlib.decompress(database[offset + 4 : offset + length])
        if len(serialized) != size:
            raise ValueError(f"{name}: {len(serialized)} bytes, the database says {size}")
        novels[name] = [str(line) for line in read_r(serialized)]
    return novels


def chapters(lines: list[str]) -> list[list[str]]:
    """The chapters of a novel as lists of paragraphs, one line each, without headings and marks of emphasis."""
    found: list[list[str]] = []
    for block in re.split(r"\n\s*\n", "\n".join(lines)):
        paragraph = " ".join(block.replace("_", "").split())
        if CHAPTER.fullmatch(paragraph):
            found.append([])
        elif found and paragraph and not NOT_PROSE.fullmatch(paragraph):
            found[-1].append(paragraph)
    return found


def train_tokenizer(texts: list[str]) -> Tokenizer:
    """A byte-level BPE tokenizer in the manner of GPT-2, whose id 0 both begins and ends a text."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=[BOUNDARY], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    ))
    return tokenizer


def encode(tokenizer: Tokenizer, documents: list[list[str]]) -> tuple[np.ndarray, np.ndarray]:
    """The ids of all chapters, each with the boundary after it, and the index of the first id of each paragraph."""
    ids: list[int] = []
    starts: list[int] = []
    for paragraphs in documents:
        for number, paragraph in enumerate(paragraphs):
            last = number + 1 == len(paragraphs)
            starts.append(len(ids))
            ids += tokenizer.encode(paragraph + (BOUNDARY if last else "\n")).ids
    return np.array(ids, dtype=np.int32), np.array(starts, dtype=np.int32)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deb", type=Path, help=f"the Debian package {PACKAGE}, if it is already here")
    parser.add_argument("--out", type=Path, default=Path("target/demo_model"))
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    novels = read_novels(arguments.deb or download(arguments.out))
    documents = [chapter for name in NOVELS for chapter in chapters(novels[name])]
    held_out = documents[::HELD_OUT_EVERY]
    kept = [document for number, document in enumerate(documents) if number % HELD_OUT_EVERY]
    tokenizer = train_tokenizer(["\n".join(document) for document in kept])
    tokenizer.save(str(arguments.out / "tokenizer.json"))
    train, starts = encode(tokenizer, kept)
    held, _ = encode(tokenizer, held_out)
    save_file({"train": train, "train_starts": starts, "held_out": held}, arguments.out / "tokens.safetensors")
    print(f"{len(documents)} chapters, {len(starts)} paragraphs, {len(train)} ids to learn from, {len(held)} held out")
    return 0


if __name__ == "__main__":
    sys.exit(main())
