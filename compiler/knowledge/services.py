"""The `service` blocks: what the Redfish services of servers offer for BIOS settings (`redfish`)."""

from collections.abc import Iterator

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.knowledge.citation import ServerReport
from setpoint.compiler.knowledge.model import Service
from setpoint.compiler.knowledge.redfish import (
    ADDRESS,
    ADDRESSES,
    BIOS,
    JOB,
    JOBS,
    REPORTED,
    REPORTED_WORD,
    SETTINGS,
    SYSTEM,
    WAYS,
)
from setpoint.compiler.knowledge.vocabulary import Vocabulary
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.syntax import Block, Field


def services(vocabulary: Vocabulary) -> tuple[Service, ...]:
    """The services of all blocks. What is wrong is added to the vocabulary's findings."""
    entries = []
    for block, _ in vocabulary.blocks("service"):
        fields = vocabulary.fields[block]
        addresses, ways = fields.all("uri"), fields.all("applies")
        if addresses or ways or not fields.has("reported"):
            vocabulary.findings += _faults(block, addresses, ways, is_missing=fields.has("because"))
        for what, group in (("address", addresses), ("way", ways)):
            named = [(field.names[0].text, field.span) for field in group]
            vocabulary.report_duplicates(f"{what} of service `{block.name.text}`:", named)
        when = vocabulary.box_of_facts(f"service `{block.name.text}` depends", fields.conditions("when"))
        entries.append(
            Service(
                name=block.name.text,
                title=fields.text("title"),
                addresses=tuple((field.names[0].text, field.names[1].text) for field in addresses),
                ways=tuple((field.names[0].text, "".join(n.text for n in field.names[1:])) for field in ways),
                because=vocabulary.reason(fields.name("because"), block.name),
                reported=tuple(_reported(vocabulary, fields.all("reported"))),
                when=when,
                closed=vocabulary.closed(when),
                citation=vocabulary.citation_of(block),
                span=block.name.span,
            )
        )
    vocabulary.report_duplicates("service", [(service.name, service.span) for service in entries])
    vocabulary.report_repeated("the service", [(service.when, service.span) for service in entries])
    return tuple(sorted(entries, key=lambda service: service.name))


def _reported(vocabulary: Vocabulary, fields: tuple[Field, ...]) -> Iterator[ServerReport]:
    """The words that only some services say, each with its source. What is no such word is reported (K07, E0202)."""
    for field in fields:
        kind, *said = field.names
        if kind.text not in REPORTED or field.form:
            vocabulary.findings.append(unknown("kind of report", kind, REPORTED, "E0202"))
            continue
        for word in said:
            if not REPORTED_WORD.fullmatch(word.text):
                message = f"`{word.text}` is not a word of a Redfish service"
                vocabulary.wrong(message, word.span, "another form is needed", REPORTED_HELP)
        citation = vocabulary.citation(field.origin.source, field.origin.at) if field.origin else None
        yield ServerReport(kind.text, tuple(word.text for word in said), citation=citation)


def _faults(
    block: Block, addresses: tuple[Field, ...], ways: tuple[Field, ...], *, is_missing: bool
) -> Iterator[Diagnostic]:
    """What a block states wrongly, or lacks (K07, E0201)."""
    head, at = f"service `{block.name.text}`", block.name.span
    for field in addresses:
        name, text = field.names
        if name.text not in ADDRESSES:
            yield unknown("address", name, ADDRESSES, "E0201")
        if not ADDRESS.fullmatch(text.text):
            message = f"`{text.text}` is not an address of a Redfish service"
            yield Diagnostic("K07", message, text.span, "another form is needed", help=(ADDRESS_HELP,))
    for field in ways:
        if field.names[0].text not in WAYS:
            yield unknown("way", field.names[0], WAYS, "E0201")
    if is_missing:
        if addresses or ways:
            advice = ("`because` says why there is no service: drop it, or everything else",)
            yield Diagnostic("K07", f"{head} both exists and does not", at, "contradictory", help=advice)
        return
    stated = {field.names[0].text for field in addresses}
    needed = {SYSTEM, BIOS, SETTINGS} | ({JOBS} if JOB in {field.names[0].text for field in ways} else set())
    if lacking := [name for name in ADDRESSES if name in needed - stated]:
        words = ", ".join(f"`uri {name}`" for name in lacking)
        advice = ("if there is no such service, say why: `because`",)
        yield Diagnostic("K07", f"{head} lacks {words}", at, "incomplete", help=advice)
    if not ways:
        yield Diagnostic("K07", f"{head} lacks `applies`", at, "incomplete", help=(WAYS_HELP,))


ADDRESS_HELP = 'a path on the service, such as "/redfish/v1/Systems/1"'
REPORTED_HELP = (
    "of a message the last part of its MessageId: `ServiceShuttingDown` of `Base.1.12.ServiceShuttingDown`"
)
WAYS_HELP = f"say how staged settings take effect: {', '.join(f'`applies {way}`' for way in WAYS)}"
