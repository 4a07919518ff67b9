"""`setpoint kb list` and `setpoint kb show`: the contents of the knowledge base."""

import sys
from typing import Any

from setpoint.compiler.cli import OK
from setpoint.compiler.cli.arguments import Options, forms
from setpoint.compiler.cli.common import no_such, page_width, verb
from setpoint.compiler.cli.pager import NO_PAGER, write_page
from setpoint.compiler.knowledge.load import measurements, standard, trees
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.render.catalogue import KINDS, entry_text, listing, listing_data, names
from setpoint.compiler.render.table import table
from setpoint.compiler.render.visible import json_text

SCHEMA = "setpoint.kb-list/1"

TARGETS = "targets"
"""A list of the installation, not of the knowledge base."""


@verb(
    "kb list",
    "List the contents of the knowledge base, and the targets.",
    "kb list settings",
    {
        "kind KIND?": f"only this: {', '.join([*sorted(KINDS), TARGETS])}; or a fact, for its values",
        **forms("text", "json"),
        **NO_PAGER,
    },
)
def run_list(options: Options) -> int:
    """List the contents of the knowledge base, and the targets."""
    knowledge = _knowledge()
    known = [*KINDS, TARGETS, *knowledge.kinds]
    kinds = [*KINDS, TARGETS]
    if options.kind:
        # `goals` is as good as `goal`, and `setting` as `settings`
        kinds = [name for name in known if options.kind in (name, f"{name}s", name.removesuffix("s"))]
        if not kinds:
            return no_such("unknown kind", options.kind, known)
    if options.format == "json":
        data = {"schema": SCHEMA, **listing_data(knowledge, (k for k in kinds if k != TARGETS))}
        sys.stdout.write(json_text(data | ({TARGETS: _targets()} if TARGETS in kinds else {})))
        return OK
    parts = [listing(knowledge, [kind], page_width()) for kind in kinds if kind != TARGETS]
    if TARGETS in kinds:
        rows = [(t["name"], f"{t['title']}: {', '.join(t['layers'])}") for t in _targets()]
        parts.append(f"{TARGETS} ({len(rows)})\n" + table(rows, page_width()))
    write_page("\n".join(parts), options)
    return OK


def _targets() -> list[dict[str, Any]]:
    from setpoint.compiler.lowering.target import targets  # they are many modules, only needed here

    return [{"name": t.name, "title": t.title, "layers": list(t.layers)} for t in targets().values()]


@verb(
    "kb show",
    "Show one entry of the knowledge base in full.",
    "kb show turbo",
    {
        "name NAME": "a source, setting, fact, value, rule, hazard, constraint, effect, measurement",
        **NO_PAGER,
    },
)
def run_show(options: Options) -> int:
    """Show an entry of the knowledge base by its name."""
    knowledge = _knowledge()
    files = trees() if options.name in knowledge.sources else ()
    text = entry_text(knowledge, files, options.name, page_width())
    if not text:
        from setpoint.compiler.knowledge.lookup import thing_meant  # only needed for an unknown name

        known = names(knowledge)
        meant = thing_meant(knowledge, options.name, known)
        return no_such("the knowledge base has no", options.name, known, meant)
    write_page(text, options)
    return OK


def _knowledge() -> Knowledge:
    return standard()._replace(measurements=measurements())
