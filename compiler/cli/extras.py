"""The optional libraries of the package, its extras: what to install where one is missing."""

import sys
from importlib.util import find_spec


def is_missing(library: str, extra: str, what: str) -> bool:
    """Whether an optional library is missing; the error stream then says what needs it, and how to install it."""
    if find_spec(library) is not None:
        return False
    sys.stderr.write(
        f"error: {what} needs the library {library}\n"
        f"help: install Setpoint with its extra `{extra}`; from a checkout: `pipx install '.[{extra}]'`\n"
    )
    return True
