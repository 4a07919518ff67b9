"""`setpoint kb`: inspect and prove the knowledge base. Each verb has its own module, which is imported only for it."""

import argparse
from importlib import import_module

from setpoint.compiler.cli.arguments import Parser
from setpoint.compiler.cli.common import COLOR

VERBS = {
    "list": ("look", "what it contains"),
    "show": ("look", "one entry in full"),
    "check": ("check", "its errors, for every possible policy"),
    "disputes": ("check", "where its sources disagree, and what plans have there"),
    "diff": ("diff", "what a change to it affects, and in which contexts"),
    "import": ("importing", "knowledge of a server, from its BIOS attribute registry"),
    "coverage": ("coverage", "what no policy exercises"),
    "pins": ("pins", "files of its sources that have changed since; needs the network"),
}
"""The module of each verb, and its description."""


def kb_parser() -> argparse.ArgumentParser:
    """The parser of the arguments of `setpoint kb`."""
    parser = Parser("setpoint kb", "Inspect and prove the knowledge base.", "kb show turbo", COLOR).argparse()
    verbs = parser.add_subparsers(dest="verb", required=True, metavar=" | ".join(VERBS))
    for verb, (_, what) in VERBS.items():
        verbs.add_parser(verb, help=what, add_help=False)
    return parser


def run(arguments: list[str]) -> int:
    """Run a verb of the knowledge base."""
    chosen = kb_parser().parse_args(arguments[:1])
    module = import_module(f"setpoint.compiler.cli.kb.{VERBS[chosen.verb][0]}")
    status: int = getattr(module, f"run_{chosen.verb}")(arguments[1:])
    return status
