"""Results that come from another thread to whoever awaits them."""

import asyncio
from collections.abc import Callable
from typing import Any


class Awaited:
    """A future of the running loop, which any thread may settle."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[list[Any]] = self.loop.create_future()

    def succeed(self, outputs: list[Any]) -> None:
        """Gives the outputs to whoever awaits them."""
        self.settle(lambda: self.future.set_result(outputs))

    def fail(self, error: BaseException) -> None:
        """Raises the error where the outputs are awaited."""
        self.settle(lambda: self.future.set_exception(error))

    def settle(self, settle: Callable[[], None]) -> None:
        """Settles the future on its loop, unless it was cancelled meanwhile."""

        def unless_done() -> None:
            if not self.future.done():
                settle()

        self.loop.call_soon_threadsafe(unless_done)
