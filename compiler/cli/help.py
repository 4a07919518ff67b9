"""`setpoint help`: what a command does, and what a diagnostic code means; the same text as `--help`."""

import sys
from importlib import import_module

from setpoint.compiler.cli import OK, VERBS, usage
from setpoint.compiler.cli.common import no_such


def run(arguments: list[str]) -> int:
    """Show the help of a command, such as `plan` or `kb check`; without one, the help of all."""
    words = [word for word in arguments if word not in ("-h", "--help")]
    if not words:
        sys.stdout.write(usage())
        return OK
    if words[0] in VERBS:
        status: int = import_module(f"setpoint.compiler.cli.{words[0]}").run([*words[1:], "--help"])
        return status
    from setpoint.compiler.diagnostics.pages import page

    text = page(words[0].upper())
    if text is not None:
        sys.stdout.write(text)
        return OK
    return no_such("unknown command", words[0], VERBS)
