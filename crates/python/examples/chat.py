"""Asks a language model one question: `python chat.py model.pte 'What is a wing?'`."""

import sys

from pteron.llm import Model


def main(path: str, question: str) -> None:
    """Prints the answer as it grows, and how fast it came."""
    model = Model.load(path)
    answer = model.chat([{"role": "user", "content": question}], temperature=0.7, min_p=0.05, max_new_tokens=256)
    for text in answer:
        print(text, end="", flush=True)
    print()
    if answer.timings is not None and answer.timings["decode_rate"] is not None:
        print(f"{answer.timings['decode_rate']:.1f} tokens per second on {model.device}", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:3])
