"""What every command runs in: streams that print any text, signals that can be caught, and messages in place of
exceptions.

It loads what words a message, and what a signal needs, only when that is needed: `setpoint --version` needs neither.
"""

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from setpoint.compiler.cli import OUTSIDE, STOPPED
from setpoint.compiler.hints import TypeVar

Given = TypeVar("Given")


class Stopped(BaseException):
    """A signal stopped the command; incomplete output is cleared while this propagates."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def guarded(run: Callable[[Given], int], given: Given, outside: int = OUTSIDE) -> int:
    """Run the command; turn exceptions into messages and an exit status, `outside` that of a failed read or write."""
    _prepare_streams()
    try:
        return _printed(run, given)
    except BrokenPipeError:
        return outside  # the reader has gone: nobody would see a message
    except KeyboardInterrupt:
        return STOPPED + 2
    except Stopped as stopped:
        return STOPPED + stopped.number
    except Exception as error:
        from setpoint.compiler.cli.common import told

        return told(error, outside)
    finally:
        _leave_nothing_to_print()


@contextmanager
def stoppable() -> Iterator[None]:
    """Make signals that would end the process immediately raise `Stopped`, as Ctrl-C raises KeyboardInterrupt.

    An ignored signal stays ignored, as with `nohup`.
    """
    import signal

    from setpoint.compiler.files.system import ENDS

    def stop(number: int, frame: object) -> None:
        raise Stopped(number)

    ending = [number for number in sorted(ENDS) if signal.getsignal(number) == signal.SIG_DFL]
    try:
        for number in ending:
            signal.signal(number, stop)
        yield
    finally:
        for number in ending:
            signal.signal(number, signal.SIG_DFL)


def _prepare_streams() -> None:
    """Make every text printable: characters that a stream lacks appear as their number; a closed stream discards."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - it stays open until the end
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _printed(run: Callable[[Given], int], given: Given) -> int:
    """Run the command, and flush its output, also if argparse exits itself."""
    try:
        return run(given)
    finally:
        sys.stdout.flush()


def _leave_nothing_to_print() -> None:
    """Discard output that could not be printed, so that the interpreter does not try again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - it stays open until the end
