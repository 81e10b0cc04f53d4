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
from typing import Any

import numpy as np
import pteron
import pytest

SLOW = Path(__file__).with_name("slow.pte")
ROWS = np.ones((100_000, 3), np.float32)


def is_interrupted(script: str) -> None:
    """Runs a script that says when it is ready, sends it Ctrl-C, and checks that it says so and ends."""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        os.kill(process.pid, signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert process.wait(timeout=20) == 0


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


# What is started in the background ignores the signal unless it says otherwise.
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_ctrl_c_ends_a_generation(language_model: Path) -> None:
    script = textwrap.dedent(f"""
        import signal
        from pteron.llm import Model
        signal.signal(signal.SIGINT, signal.default_int_handler)
        model = Model.load({str(language_model)!r}, device="cpu")
        print("ready", flush=True)
        try:
            while True:
                for text in model.generate("A wing", ignore_eos=True):
                    pass
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """)
    is_interrupted(script)


@pytest.fixture(scope="module")
def slow() -> pteron.Program:
    """A program whose one call takes seconds, and may take half of one."""
    return pteron.load(SLOW, device="cpu", limits={"call_seconds": 0.5})


def test_a_call_ends_when_its_time_is_over(slow: pteron.Program) -> None:
    forward = slow.method()
    started = time.monotonic()
    with pytest.raises(pteron.LimitError, match="took longer"):
        forward(ROWS)
    assert time.monotonic() - started < 10
    assert forward.condition == "ready"


def test_other_threads_run_during_a_call(slow: pteron.Program) -> None:
    forward, ended, counted = slow.method(), threading.Event(), 0

    def call() -> None:
        with pytest.raises(pteron.LimitError):
            forward(ROWS)
        ended.set()

    thread = threading.Thread(target=call)
    thread.start()
    while not ended.wait(0.01):
        counted += 1
    thread.join()
    assert counted > 3


def test_the_event_loop_runs_during_a_call(slow: pteron.Program) -> None:
    forward = slow.method()

    async def count() -> int:
        counted, call = 0, asyncio.ensure_future(forward.run_async(ROWS))
        while not call.done():
            await asyncio.sleep(0.01)
            counted += 1
        with pytest.raises(pteron.LimitError):
            call.result()
        return counted

    assert asyncio.run(count()) > 3


def test_a_call_that_nobody_awaits_does_no_harm(slow: pteron.Program) -> None:
    forward = slow.method()

    async def give_up() -> None:
        await asyncio.wait_for(forward.run_async(ROWS), timeout=0.05)

    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(give_up())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_ctrl_c_abandons_the_wait_for_a_long_call() -> None:
    script = textwrap.dedent(f"""
        import signal
        import numpy, pteron
        signal.signal(signal.SIGINT, signal.default_int_handler)
        forward = pteron.load({str(SLOW)!r}, device="cpu", limits={{"call_seconds": 60}}).method()
        rows = numpy.ones({ROWS.shape}, numpy.float32)
        print("ready", flush=True)
        try:
            while True:
                forward(rows)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """)
    # The work goes on in its thread, and ends with the process.
    is_interrupted(script)


def test_calls_become_tasks(embedding: Path) -> None:
    forward = pteron.load(embedding, device="cpu").method()

    async def both() -> list[Any]:
        ids = pteron.Tensor([1, 2, 3])
        task = asyncio.create_task(forward.run_async(ids))
        return [await task, await forward.run_async(ids)]

    first, second = asyncio.run(both())
    assert first[0].tolist() == second[0].tolist() == forward(pteron.Tensor([1, 2, 3]))[0].tolist()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_says_that_it_has_no_gpu(embedding: Path) -> None:
    source = f"""
import os, pteron, sys
path, ids = {str(embedding)!r}, pteron.Tensor([1, 2, 3])
cpu, gpu = (pteron.load(path, device=device).method() for device in ("cpu", "gpu"))
expected = cpu(ids)[0].tolist()
if os.fork() == 0:
    assert cpu(ids)[0].tolist() == expected
    for use in (lambda: gpu(ids), lambda: pteron.load(path, device="gpu")):
        try:
            use()
            os._exit(1)
        except pteron.DeviceError as error:
            assert "spawn" in str(error)
    os._exit(0)
assert gpu(ids)[0].tolist() == expected
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""
    subprocess.run([sys.executable, "-c", source], check=True, timeout=60)
