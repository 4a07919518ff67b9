"""`setpoint lsp`: the language server, on standard input and output."""

import sys

from setpoint.compiler.cli import OK, OUTSIDE
from setpoint.compiler.cli.arguments import Options
from setpoint.compiler.cli.common import is_missing, verb


@verb(
    "lsp",
    "Answer an editor on standard input and output, by the Language Server Protocol: findings while typing, what a word means, "
    "what can stand at a place, where a name is declared, the canonical form. Editors start it.",
    "lsp",
    {
        "--stdio": "no effect: editors pass it to every language server",
    },
)
def run(_: Options) -> int:
    """Serve one editor until it ends."""
    if is_missing("pygls", "lsp", "the language server"):
        return OUTSIDE
    from setpoint.compiler.lsp.server import server  # only here: it loads pygls

    with open(sys.stdout.fileno(), "wb", closefd=False) as out:  # one that the server may close as it ends
        server().start_io(stdout=out)
    return OK
