"""`setpoint completion`: a script that completes the command line in a given shell."""

import sys
from collections.abc import Callable

from setpoint.compiler.cli import OK
from setpoint.compiler.cli.arguments import Options, argument
from setpoint.compiler.cli.common import verb
from setpoint.compiler.render.commands import Command
from setpoint.compiler.render.commands.bash import bash
from setpoint.compiler.render.commands.fish import fish
from setpoint.compiler.render.commands.zsh import zsh

SHELLS: dict[str, Callable[[tuple[Command, ...]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}


@verb(
    "completion",
    "Print a script that completes commands, options and their values in a shell.",
    "completion bash",
    {
        "shell": argument("the shell that reads the script", choices=tuple(SHELLS)),
    },
)
def run(options: Options) -> int:
    """Print the script."""
    from setpoint.compiler.cli.commands import commands  # it loads every command

    sys.stdout.write(SHELLS[options.shell](commands()))
    return OK
