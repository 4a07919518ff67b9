"""What platforms offer, and what their profiles fix."""

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.model import Offer, Preset
from setpoint.compiler.knowledge.vocabulary import NO_OPINION, Vocabulary
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.syntax import Options, Table

NOT_STATED = "unknown"
"""In place of a default: no source states it, as whoever wrote the offer has made sure."""


def offers(vocabulary: Vocabulary) -> dict[str, tuple[Offer, ...]]:
    """The offers of every `options` block, by setting."""
    found: dict[str, list[Offer]] = {}
    for block, _ in vocabulary.statements:
        if not isinstance(block, Options):
            continue
        for offer in block.offers:
            if not vocabulary.has_setting(offer.setting):
                continue
            at = offer.at
            if at is None:
                vocabulary.findings.append(
                    Diagnostic(
                        "K07",
                        f"the offer of `{offer.setting.text}` has no locator",
                        offer.span,
                        'add `at "…"`',
                    )
                )
                continue
            offered = [
                (v, label) for v, label in offer.offered if vocabulary.has_value(offer.setting.text, v)
            ]
            values = tuple(v.text for v, _ in offered)
            default = offer.default.text if offer.default else ""
            silent = default == NOT_STATED and NOT_STATED not in values
            if offer.default is not None and default not in values and not silent:
                vocabulary.findings.append(unknown("offered value", offer.default, values, "E0202"))
            found.setdefault(offer.setting.text, []).append(
                Offer(
                    setting=offer.setting.text,
                    when=vocabulary.words.box(block.when, offer.when),
                    values=values,
                    labels=tuple(label.text if label else "" for _, label in offered),
                    default="" if silent else default,
                    unknown=silent,
                    menu=offer.menu.text if offer.menu else "",
                    citation=vocabulary.citation(block.source, at),
                    span=offer.span,
                )
            )
    for name, offers in found.items():
        vocabulary.once(f"what is offered of `{name}`", [(o.when, o.span) for o in offers])
    return {
        name: tuple(sorted(offers, key=lambda o: (o.when, o.span))) for name, offers in sorted(found.items())
    }


def presets(vocabulary: Vocabulary) -> tuple[Preset, ...]:
    """The presets: what each value of a governing setting fixes of its members."""
    found = []
    for table, _ in vocabulary.statements:
        if not (isinstance(table, Table) and table.kind == "preset") or not table.rows:
            continue
        head, *rows = table.rows
        if not vocabulary.has_setting(head.name):
            continue
        names = [cell[0] for cell in head.cells]
        columns: dict[str, dict[str, str]] = {
            n.text: {} for n in names if vocabulary.has_value(head.name.text, n)
        }
        for row in rows:
            if vocabulary.has_setting(row.name) and vocabulary.complete(row.cells, head.cells, row.name):
                for column, cell in zip(names, row.cells, strict=True):
                    if cell[0].text != NO_OPINION and vocabulary.has_value(row.name.text, cell[0]):
                        columns[column.text][row.name.text] = cell[0].text
        found.append(
            Preset(
                governor=head.name.text,
                when=vocabulary.words.box(table.when),
                columns=columns,
                members=tuple(sorted(row.name.text for row in rows)),
                citation=vocabulary.citation(table.source, table.at),
                span=table.at.span,
            )
        )
    return tuple(sorted(found, key=lambda p: (p.governor, p.when)))
