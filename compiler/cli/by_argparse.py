"""Help and errors about the arguments of a command, by argparse."""

import argparse
from typing import NoReturn

from setpoint.compiler.render.visible import visible


class UsageParser(argparse.ArgumentParser):
    """A parser whose messages quote the arguments safely for a terminal."""

    def error(self, message: str) -> NoReturn:
        """Report wrong usage, and exit."""
        super().error(visible(message))
