"""`setpoint kb list` and `setpoint kb show`: what the knowledge base has."""

import sys

from setpoint.compiler.cli import OK
from setpoint.compiler.cli.common import no_such, page_width, parser
from setpoint.compiler.knowledge.load import measurements, standard, trees
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.render.catalogue import KINDS, listing, names, shown


def run_list(arguments: list[str]) -> int:
    """List what the knowledge base has."""
    options_parser = parser("kb list", "List what the knowledge base has.")
    options_parser.add_argument("kind", nargs="?", choices=sorted(KINDS), help="only this kind")
    options = options_parser.parse_args(arguments)
    sys.stdout.write(listing(_knowledge(), options.kind or "", page_width()))
    return OK


def run_show(arguments: list[str]) -> int:
    """Show one thing of the knowledge base by its name."""
    options_parser = parser("kb show", "Show one thing of the knowledge base, whole.")
    options_parser.add_argument(
        "name",
        metavar="NAME",
        help="a source, setting, fact, value, rule, hazard, constraint, effect, measurement",
    )
    options = options_parser.parse_args(arguments)
    knowledge = _knowledge()
    files = trees() if options.name in knowledge.sources else ()
    text = shown(knowledge, files, options.name, page_width())
    if not text:
        from setpoint.compiler.knowledge.lookup import thing_meant  # only wanted for an unknown name

        known = names(knowledge)
        meant = thing_meant(knowledge, options.name, known)
        return no_such("the knowledge base has no", options.name, known, meant)
    sys.stdout.write(text)
    return OK


def _knowledge() -> Knowledge:
    return standard()._replace(measurements=measurements())
