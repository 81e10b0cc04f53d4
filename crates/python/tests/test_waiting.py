"""Waiting for calls: under asyncio, and until Ctrl-C."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pteron
import pytest


def test_calls_are_awaited(embedding: Path) -> None:
    forward = pteron.load(embedding, device="cpu").method()
    expected = [forward(np.array([row]))[0].tolist() for row in range(8)]

    async def all_rows() -> list[list[float]]:
        outputs = await asyncio.gather(*(forward.run_async(np.array([row])) for row in range(8)))
        return [output.tolist() for [output] in outputs]

    assert asyncio.run(all_rows()) == expected


def test_errors_come_where_a_call_is_awaited(embedding: Path) -> None:
    forward = pteron.load(embedding, device="cpu").method()

    async def outside() -> None:
        await forward.run_async(np.array([31]))

    with pytest.raises(pteron.InputError, match="out of range"):
        asyncio.run(outside())
    with pytest.raises(RuntimeError, match="no running event loop"):
        forward.run_async(np.array([1]))


def test_the_lock_is_released_meanwhile(language_model: Path) -> None:
    """Another thread counts while tokens are generated."""
    model = pteron.llm.Model.load(language_model, device="cpu")
    counted, ended = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not ended.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        model.generate("A wing", max_new_tokens=64, ignore_eos=True).result()
    finally:
        ended.set()
        thread.join()
    assert counted > 3


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_ctrl_c_ends_a_generation(language_model: Path) -> None:
    script = textwrap.dedent(f"""
        from pteron.llm import Model
        model = Model.load({str(language_model)!r}, device="cpu")
        print("ready", flush=True)
        try:
            while True:
                for text in model.generate("A wing", ignore_eos=True):
                    pass
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        os.kill(process.pid, signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert process.wait(timeout=20) == 0
