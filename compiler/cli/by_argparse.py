"""Help and errors about the arguments of a command, by argparse."""

import argparse
from typing import NoReturn

from setpoint.compiler.render.visible import visible


class UsageParser(argparse.ArgumentParser):
    """A parser whose messages quote the arguments safely for a terminal."""

    example = ""

    def format_help(self) -> str:
        """The help, which ends with the example, if it has one."""
        return super().format_help() + (f"\nexample:\n  setpoint {self.example}\n" if self.example else "")

    def error(self, message: str) -> NoReturn:
        """Report wrong usage, and exit. The error comes first, since the usage of a command can fill a screen."""
        self.exit(2, f"{self.prog}: error: {visible(message)}\n\n{self.format_usage()}")
