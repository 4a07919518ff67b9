"""`setpoint completion`: a script that completes the command line in a given shell."""

import sys
from collections.abc import Callable

from setpoint.compiler.cli import OK
from setpoint.compiler.cli.arguments import Parser, argument
from setpoint.compiler.cli.common import parser
from setpoint.compiler.render.commands import Command
from setpoint.compiler.render.commands.bash import bash
from setpoint.compiler.render.commands.fish import fish
from setpoint.compiler.render.commands.zsh import zsh

SHELLS: dict[str, Callable[[tuple[Command, ...]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}


def completion_parser() -> Parser:
    """The parser of the arguments of `setpoint completion`."""
    return parser(
        "completion",
        "Print a script that completes commands, options and their values in a shell.",
        "completion bash",
        {
            "shell": argument("the shell that reads the script", choices=tuple(SHELLS)),
        },
    )


def run(arguments: list[str]) -> int:
    """Print the script."""
    options = completion_parser().parse_args(arguments)
    from setpoint.compiler.cli.commands import commands  # it loads every command

    sys.stdout.write(SHELLS[options.shell](commands()))
    return OK
