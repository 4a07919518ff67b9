"""`setpoint help`: what a command does, or what a diagnostic code means; the same text as `--help`, or the manual
page."""

import sys
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO

from setpoint.compiler.cli import OK, STATUSES, VERBS, meant_verbs, usage
from setpoint.compiler.cli.arguments import Options, argument
from setpoint.compiler.cli.common import no_such, verb
from setpoint.compiler.cli.pager import NO_PAGER, write_page


@verb(
    "help",
    "Explain what a command does, or what a diagnostic code means.",
    "help kb check",
    {
        "words COMMAND | CODE*": "a command, such as `plan` or `kb check`; without one, all of them are listed",
        "--format": argument(
            "`man` is the manual page setpoint(1), with all commands",
            choices=("text", "man"),
            default="text",
        ),
        **NO_PAGER,
    },
)
def run(options: Options) -> int:
    """Show the help of a command, such as `plan` or `kb check`; without one, the list of commands."""
    words = options.words
    if options.format == "man":
        if words:
            options.error("the manual page has all commands: name none with --format man")
        return _manual_page()
    if not words:
        write_page(usage(), options)
        return OK
    if words[0] in VERBS:
        write_page(_help_of(words), options)
        return OK
    from setpoint.compiler.diagnostics.pages import page

    text = page(words[0].upper())
    if text is not None:
        write_page(text, options)
        return OK
    return no_such("unknown command", words[0], VERBS, meant_verbs(words[0]))


def _help_of(words: list[str]) -> str:
    """What a command prints for `--help`. Raises SystemExit where it does not know the words."""
    text = StringIO()
    with redirect_stdout(text):
        try:
            import_module(f"setpoint.compiler.cli.{words[0]}").run([*words[1:], "--help"])
        except SystemExit as end:
            if end.code:
                raise
    return text.getvalue()


def _manual_page() -> int:
    from importlib.metadata import version

    from setpoint.compiler.cli.commands import commands  # it loads every command
    from setpoint.compiler.render.commands.man import man

    sys.stdout.write(man(commands(), version("setpoint"), STATUSES))
    return OK
