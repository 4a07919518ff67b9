"""Long output on a terminal, a page at a time.

`SETPOINT_PAGER`, else `PAGER`, names the program; without either it is `less`, if there is one. It is left out where
the output fits on the screen, where standard output is no terminal, and where somebody does not want it (`--no-pager`,
or an empty name). `less` is asked to show colours, to leave the text on the screen, and to end by itself at the end of
a short one; who has set `LESS` is asked nothing.
"""

import os
import signal
import sys
from collections.abc import Callable

from setpoint.compiler.cli.arguments import Arguments, Options

VARIABLES = ("SETPOINT_PAGER", "PAGER")
"""The environment variables that name a pager, the one that outranks the other first."""

USUAL = "less"
LESS = "FRX"
"""The options of less: end if the text fits on the screen, let colours through, leave the screen as it is."""


NO_PAGER: Arguments = {
    "--no-pager": "write long output straight to the terminal, not through $SETPOINT_PAGER, $PAGER or less",
}


def write_page(text: str, options: Options) -> None:
    """Write a text to standard output, through a pager where that is wanted."""
    command = [] if options.no_pager or not _is_long(text) else _command()
    if not command or not _paged(command, text):
        sys.stdout.write(text)
    sys.stdout.flush()


def write_form(options: Options, **forms: Callable[[], str]) -> None:
    """Write the form of the output that the arguments name: what people read by pages, where the verb has them."""
    text = forms[options.format]()
    if options.format == "json" or "no_pager" not in vars(options):
        sys.stdout.write(text)
    else:
        write_page(text, options)


def _is_long(text: str) -> bool:
    """Whether standard output is a terminal with a cursor on which the text does not fit."""
    try:
        if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
            return False
        lines = os.get_terminal_size(sys.stdout.fileno()).lines
    except (OSError, ValueError):
        return False
    return text.count("\n") >= lines > 0


def _command() -> list[str]:
    """The words of the pager's command; none where there is no pager."""
    from shlex import split  # only wanted on a terminal, as is the next
    from shutil import which

    given = next((os.environ[name] for name in VARIABLES if name in os.environ), None)
    if given is None:
        return [USUAL] if which(USUAL) else []
    try:
        return split(given, posix=os.name == "posix")
    except ValueError:  # a quote that is not closed
        return []


def _paged(command: list[str], text: str) -> bool:
    """Whether the pager could be started. Who leaves it has read enough; Ctrl-C is the pager's as long as it runs."""
    import subprocess  # only wanted on a terminal, and slow to load

    data = text.encode(sys.stdout.encoding or "utf-8", "backslashreplace")
    sys.stdout.flush()
    before = signal.signal(signal.SIGINT, lambda *_: None)  # a handler is not inherited, SIG_IGN would be
    try:
        with subprocess.Popen(command, stdin=subprocess.PIPE, env={"LESS": LESS, **os.environ}) as process:
            process.communicate(data)
    except OSError:
        return False
    finally:
        signal.signal(signal.SIGINT, before)
    return True
