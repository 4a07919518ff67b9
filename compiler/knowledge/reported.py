"""How servers identify themselves: the names that a server reports for a value of a fact.

`platform r740 { reported as product "PowerEdge R740"; }` lets an artifact verify that it runs on the right server. The
kinds of report are listed here, since each is compared in its own way; the names are knowledge. The names end up in
scripts and manifests, so the patterns admit only characters that need no quoting.

Some makers print more than the model: a code for the drive bays, or the number by which it is ordered. Such a product
name is open: it ends with `*`, and what a server reports has to begin with the rest. All others have to be equal, so
that no name is taken for a longer one.

A processor is told by numbers, not by its name: family, model and stepping, the last two of which may be ranges.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.interfaces import Expression
from setpoint.compiler.knowledge.model import Citation, FactValue, Knowledge, ServerReport, Variable
from setpoint.compiler.knowledge.words import ANY, named_value, unknown
from setpoint.compiler.language.syntax import Field, Name
from setpoint.compiler.record import NamedTuple

VERSION = Expression(r"[0-9]{1,9}(\.[0-9]{1,9}){0,5}")

PRODUCT = "product"
"""The kind of report that names the model of a server."""

PROCESSOR = "processor"
"""The kind of report that tells the generation of a processor."""

DISTRIBUTION = "distribution"
"""The kind of report that names a system and its release, of which servers also report minor ones."""

OPEN = "*"
"""The end of a product name of which servers report more."""

KINDS: dict[str, tuple[Expression, str]] = {
    PRODUCT: (
        Expression(r"[A-Za-z0-9][A-Za-z0-9 .,()\[\]/+_-]{0,79}\*?"),
        "the product name of its DMI table, or the beginning of one before `*`",
    ),
    PROCESSOR: (
        Expression(
            r"[A-Za-z]{12} family [0-9]{1,3} model [0-9]{1,3}(-[0-9]{1,3})?( stepping [0-9]{1,2}(-[0-9]{1,2})?)?"
        ),
        "a vendor as CPUID has it, a family, and models and steppings, such as `GenuineIntel family 6 model 85 stepping 5-7`",
    ),
    "sockets": (Expression(r"[1-9][0-9]{0,2}"), "a number of processors"),
    "system": (Expression(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}"), "what `uname -s` prints"),
    DISTRIBUTION: (
        Expression(r"[A-Za-z0-9][A-Za-z0-9._-]*( [A-Za-z0-9._-]+){0,9}"),
        "ID and VERSION_ID of its os-release, such as `debian 12`",
    ),
    "kernel": (VERSION, "a version such as `5.14`"),
}
"""The kinds of report: the pattern of their names, and a description of it."""

VERSIONED = ("kernel",)
"""The kinds that can be reported `from` a version."""


class AcceptedReports(NamedTuple):
    """The reports to accept: one of these names, one of these versions or a later one. Without any: every report."""

    names: tuple[str, ...] = ()
    since: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.names or self.since)


def server_reports(
    fields: Iterable[Field], cite: Callable[[Name, Name], Citation], findings: list[Diagnostic]
) -> tuple[ServerReport, ...]:
    """The reports in these fields, each with its source. Errors are added to `findings`."""
    reports = []
    for field in fields:
        citation = cite(field.origin.source, field.origin.at) if field.origin else None
        kind, *names = field.names
        if kind.text not in KINDS:
            findings.append(unknown("kind of report", kind, KINDS, "E0202"))
            continue
        findings += _format_errors(field, kind.text, names)
        texts = tuple(name.text for name in names)
        match field.form:
            case "any":
                reports.append(ServerReport(kind.text, anything=True, citation=citation))
            case "from":
                reports.append(ServerReport(kind.text, since=texts[0], citation=citation))
            case _:
                reports.append(ServerReport(kind.text, texts, citation=citation))
    return tuple(reports)


def _format_errors(field: Field, kind: str, names: list[Name]) -> Iterator[Diagnostic]:
    pattern, what = KINDS[kind]
    if field.form == "any":
        if names[0].text != ANY:
            message = f"a {kind} is reported as a text in quotes, or as `{ANY}`"
            yield Diagnostic("K07", message, names[0].span, "neither")
        return
    if field.form == "from" and kind not in VERSIONED:
        yield Diagnostic("K07", f"`from` needs a version, and `{kind}` has none", names[0].span, "no version")
    for name in names:
        if not pattern.fullmatch(name.text):
            message = f"no server reports `{name.text}` as its {kind}"
            yield Diagnostic("K07", message, name.span, f"not {what}")


def shared_products(
    variables: Mapping[str, Variable], values: Mapping[str, Mapping[str, FactValue]]
) -> Iterator[Diagnostic]:
    """Report products that two values claim, neither of which is within the other (K07)."""
    for fact, named in sorted(values.items()):
        seen: list[tuple[str, FactValue]] = []
        for name in sorted(named):
            for product in (p for report in _reports_of_kind(named[name], PRODUCT) for p in report.names):
                other = _unrelated(variables[fact], named[name], (v for n, v in seen if _overlap(n, product)))
                seen.append((product, named[name]))
                if other is not None:
                    yield Diagnostic(
                        "K07",
                        f"`{other.name}` and `{name}` are both reported as product `{product}`",
                        named[name].span,
                        "ambiguous",
                        (Label(other.span, "also reported as this"),),
                    )


def _unrelated(variable: Variable, value: FactValue, others: Iterable[FactValue]) -> FactValue | None:
    """The first of other values that is neither within this value nor around it."""
    return next((o for o in others if not variable.below(value.name) & variable.below(o.name)), None)


def is_product(accepted: str, reported: str) -> bool:
    """Whether a server that reports this product has an accepted name; a name that ends with `*` may be continued."""
    return reported.startswith(accepted[:-1]) if accepted.endswith(OPEN) else reported == accepted


def is_processor(accepted: str, reported: str) -> bool:
    """Whether a processor is an accepted one, number by number: `model 0-15` accepts `model 1 stepping 2`."""
    numbers = reported.split()
    wanted = accepted.split()
    return len(numbers) >= len(wanted) and all(map(_is_within, wanted, numbers))


def _is_within(accepted: str, word: str) -> bool:
    """Whether a word is the accepted one, or a number within the accepted range."""
    first, _, last = accepted.partition("-")
    if first.isdecimal() and word.isdecimal():
        return int(first) <= int(word) <= int(last or first)
    return word == accepted


def continues(name: str, printed: str) -> bool:
    """Whether a text as machines print it, in any case of letters, continues an open name."""
    return name.endswith(OPEN) and is_product(name.casefold(), " ".join(printed.split()).casefold())


def _overlap(name: str, other: str) -> bool:
    """Whether some server can report both product names."""
    if not name.endswith(OPEN) and not other.endswith(OPEN):
        return name == other
    return is_product(name, other.removesuffix(OPEN)) or is_product(other, name.removesuffix(OPEN))


def values_reported_as(values: Mapping[str, FactValue], text: str) -> tuple[str, ...]:
    """The values of a fact that a server reports by this text, or by a longer one: `rhel 8` for `rhel 8.10`.

    Of several names that the text continues, the longest counts. Case does not matter.
    """
    asked = text.casefold()
    lengths: dict[str, int] = {}
    for value in values.values():
        for name in (
            name.casefold()
            for report in value.reported
            if report.kind == DISTRIBUTION
            for name in report.names
        ):
            if asked == name or asked.startswith((f"{name}.", f"{name} ")):
                lengths[value.name] = max(len(name), lengths.get(value.name, 0))
    longest = max(lengths.values(), default=0)
    return tuple(name for name, length in lengths.items() if length == longest)


def stated_value(knowledge: Knowledge, fact: str, text: str) -> str:
    """The value of a fact that a text names, a release also by the version that servers report; "" if there is none."""
    if text in knowledge.variables[fact].values:
        return text
    releases = {
        name.casefold(): value.name
        for value in knowledge.values.get(fact, {}).values()
        for report in value.reported
        if report.kind == DISTRIBUTION
        for name in report.names
    }
    return named_value(knowledge.variables[fact], text, releases)


def can_be_product(text: str) -> bool:
    """Whether a text can be the name that a server reports for its model: artifacts compare it, so it is short."""
    return KINDS[PRODUCT][0].fullmatch(text) and not text.endswith(OPEN)


def model_fact(knowledge: Knowledge) -> str:
    """The fact that says what a server is: the one whose values servers report as their product; "" if none is."""
    return next((kind.name for kind in knowledge.kinds.values() if PRODUCT in kind.reported), "")


def kinds_of(values: Mapping[str, FactValue]) -> tuple[str, ...]:
    """The kinds of report that some value of a fact states, in the order of `KINDS`."""
    stated = {report.kind for value in values.values() for report in value.reported}
    return tuple(kind for kind in KINDS if kind in stated)


def accepted_reports(
    variable: Variable, values: Mapping[str, FactValue], value: str, kind: str
) -> AcceptedReports:
    """What a server may report if the fact has this value.

    If the value states reports itself, these and those of all values within it. Otherwise the reports of the nearest
    value above it that states any, else those of the values within it.
    """
    within = [values[name] for name in variable.names(variable.below(value)) if name != value]
    own = _reports_of_kind(values[value], kind)
    if not own:
        above = values[value].within
        while above:
            if wider := _reports_of_kind(values[above], kind):
                return _combined(wider)
            above = values[above].within
    return _combined(
        [
            *own,
            *(report for other in within for report in _reports_of_kind(other, kind) if not report.anything),
        ]
    )


def _reports_of_kind(value: FactValue, kind: str) -> list[ServerReport]:
    return [report for report in value.reported if report.kind == kind]


def _combined(server_reports: Iterable[ServerReport]) -> AcceptedReports:
    server_reports = tuple(server_reports)
    if any(report.anything for report in server_reports):
        return AcceptedReports()
    names = dict.fromkeys(name for report in server_reports for name in report.names)
    since = dict.fromkeys(report.since for report in server_reports if report.since)
    return AcceptedReports(tuple(names), tuple(since))
