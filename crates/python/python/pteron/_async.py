"""Results that come from another thread to whoever awaits them."""

import asyncio
from collections.abc import Callable
from typing import Any


class Outputs(asyncio.Future[list[Any]]):
    """Outputs that are on their way. It can be awaited as any future, and be made a task of as any coroutine."""

    def send(self, value: Any) -> Any:
        """Goes on, for the task that awaits it."""
        return self._steps().send(value)

    def throw(self, *error: Any) -> Any:
        """Raises what the task that awaits it was told."""
        return self._steps().throw(*error)

    def close(self) -> None:
        """Is for coroutines that were never awaited, and a call goes on by itself."""

    def _steps(self) -> Any:
        if not hasattr(self, "_awaiting"):
            self._awaiting = self.__await__()
        return self._awaiting


class Awaited:
    """A future of the running loop, which any thread may settle."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.future = Outputs(loop=self.loop)

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
