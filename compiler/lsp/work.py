"""The work of the server, one piece after another, in a thread of its own.

The event loop reads messages and sends answers; whatever takes time is done here. So documents, and what is known of
them, belong to one thread, and no lock guards them. A piece of work looks up now and then (`budget.look_up`). One that
nobody waits for any more ends there. One that has taken long does first what was asked meanwhile, and goes on
afterwards ([decision 0046](../../docs/decisions/0046-work-looks-up.md)).
"""

import asyncio
import sys
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import Context
from functools import partial
from threading import Condition, Thread
from typing import Any, TypeVar

from setpoint.compiler.budget import looking_up
from setpoint.compiler.knowledge.load import standard

LONG = 0.05
"""How long a piece of work goes on while others wait, in seconds."""

DEEPEST = 30
"""How many pieces are under way at most, each within the one before."""

FRAMES = 10_000
"""How deep calls may be: those of a piece are some hundred at most, and those of the pieces around it come on top."""

Found = TypeVar("Found")


class OvertakenError(Exception):
    """What a piece of work is about has changed, and it takes long."""


class _EndedError(Exception):
    """Nobody waits for a piece of work any more."""


class _PieceOfWork:
    """A piece of work; `about` is what it answers from, and `is_whole` whether it needs all findings of that."""

    def __init__(self, function: Callable[[], Any], about: object, is_whole: bool) -> None:
        self.function = function
        self.about = about
        self.is_whole = is_whole
        self.result: Future[Any] = Future()
        self.is_overtaken = False
        self.is_unwanted = False


class Work:
    """The pieces that are waiting, and the thread that does them."""

    def __init__(self) -> None:
        self._asked: deque[_PieceOfWork] = deque()
        self._under_way: list[_PieceOfWork] = []
        self._changed = Condition()
        self._thread: Thread | None = None
        self._is_ended = False

    async def do(self, function: Callable[[], Found], about: object = None, is_whole: bool = False) -> Found:
        """Have something done; its result. It ends when whoever waits for it is cancelled.

        Of pieces that are about the whole of the same, one is under way, and the others wait for what it finds.
        Raises OvertakenError if it takes long and what it is `about` was overtaken.
        """
        piece = _PieceOfWork(function, about, is_whole)
        self._put(piece)
        try:
            outcome: Found = await asyncio.wrap_future(piece.result)
        except _EndedError:
            raise asyncio.CancelledError from None
        finally:
            piece.is_unwanted = True
        return outcome

    def overtake(self, about: object) -> None:
        """End what takes long, now or later, and answers from something that is no more."""
        with self._changed:
            for piece in (*self._asked, *self._under_way):
                piece.is_overtaken = piece.is_overtaken or piece.about is about

    def end(self) -> None:
        """End all work."""
        with self._changed:
            self._is_ended = True
            self._changed.notify()

    def _put(self, piece: _PieceOfWork) -> None:
        with self._changed:
            if self._is_ended:
                raise asyncio.CancelledError
            self._asked.append(piece)
            self._changed.notify()
            if self._thread is None:
                self._thread = Thread(target=self._run, name="work", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        sys.setrecursionlimit(max(FRAMES, sys.getrecursionlimit()))
        standard()  # all need it, and it does not look up
        while not self._is_ended:
            with self._changed:
                self._changed.wait_for(lambda: self._asked or self._is_ended)
            self._do_next()

    def _do_next(self) -> bool:
        """Do what was asked first, unless nobody waits for it, with its own budget; False if nothing can be done."""
        with self._changed:
            begun = [piece.about for piece in self._under_way if piece.is_whole]
            piece = next(
                (piece for piece in self._asked if not (piece.is_whole and piece.about in begun)), None
            )
            if piece is None:
                return False
            self._asked.remove(piece)
            if not piece.result.set_running_or_notify_cancel():
                return True
            self._under_way.append(piece)
        Context().run(self._do, piece)
        with self._changed:
            self._under_way.pop()
        return True

    def _do(self, piece: _PieceOfWork) -> None:
        try:
            with looking_up(partial(self._look, piece, time.monotonic())):
                outcome = piece.function()
        except Exception as error:
            piece.result.set_exception(error)
        else:
            piece.result.set_result(outcome)

    def _look(self, piece: _PieceOfWork, began: float) -> None:
        """Called by a piece of work that began at a time. Raises what ends it."""
        is_long = time.monotonic() - began > LONG
        while is_long and self._asked and len(self._under_way) < DEEPEST and self._do_next():
            pass
        if piece.is_unwanted or self._is_ended:
            raise _EndedError
        if is_long and piece.is_overtaken:
            raise OvertakenError
