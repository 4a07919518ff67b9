"""The manual's page on speed, from the measurements that `make bench` takes.

python -m benchmarks.page       write docs/benchmarks.md and .svg again, from docs/benchmarks.json
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import proof
from benchmarks.cost import exponent

DOCS = Path(__file__).resolve().parents[2] / "docs"
DATA, PAGE, PLOT = (DOCS / f"benchmarks.{suffix}" for suffix in ("json", "md", "svg"))

UNNUMBERED = re.compile(r"^0\.0\.0-(\d{4})(\d\d)(\d\d)\d{6}-\w+$")
"""A release without a number, as Go names it after its time."""

HOSTS = "10000"
"""The number of hosts that peers resolve, by which they are compared."""


class Figure(NamedTuple):
    """CPU seconds and the peak of memory in MiB; whether it is measured, or estimated from the largest size that
    was."""

    cpu: float
    memory: float
    is_estimate: bool = False


class Findings:
    """The measurements, by what was measured and its size."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.costs: dict[str, dict[str, Figure]] = {
            name: {size: Figure(*each) for size, each in series.items()}
            for name, series in data["costs"].items()
        }
        self.peers: dict[str, dict[str, Any]] = data["peers"]
        self.bare = self.costs["start"]["bare"].cpu

    def at(self, name: str, size: str) -> Figure | None:
        """What a size costs; estimated in proportion to the largest smaller one if it was not measured, None if nothing
        was."""
        return at(self.costs[name], size)

    def peer(self, title: str, size: str) -> Figure | None:
        """What a peer costs for so many hosts; None if it is not measured at all."""
        costs = self.peers[title].get("costs", {})
        return at({each: Figure(*cost) for each, cost in costs.items()}, size)

    def each(self, name: str) -> float | None:
        """CPU seconds for one more, from the two largest sizes that were measured."""
        return slope(self.costs[name])

    def best_peer(self) -> tuple[str, Figure]:
        """The peer that resolves the hosts fastest."""
        found = {title: figure for title in self.peers if (figure := self.peer(title, HOSTS))}
        return min(found.items(), key=lambda item: item[1].cpu)


def at(series: Mapping[str, Figure], size: str) -> Figure | None:
    """The figure of a size, as `Findings.at`."""
    if size in series or not series:
        return series.get(size)
    if not size.isdigit():
        return None
    largest = max(map(int, series))
    figure, times = series[str(largest)], int(size) / largest
    return Figure(figure.cpu * times, figure.memory * times, True)


def slope(series: Mapping[str, Figure]) -> float | None:
    """CPU seconds for one more, from the two largest sizes."""
    sizes = sorted(map(int, series))[-2:]
    if len(sizes) < 2:
        return None
    less, more = (series[str(size)] for size in sizes)
    return (more.cpu - less.cpu) / (sizes[1] - sizes[0])


# ------------------------------------------------------------------------------------ the goals


class Goal(NamedTuple):
    """A task and what it may cost at most; `found` is what it costs, in the same unit, and `figure` what was measured
    for it. `limit` names what keeps it from less (`LIMITS`)."""

    task: str
    most: float
    unit: str
    found: Callable[[Findings], float | None]
    figure: Callable[[Findings], Figure | None]
    memory: float = 0
    limit: str = ""


def _times(name: str, size: str, of_name: str, of_size: str) -> Callable[[Findings], float | None]:
    """How many times one cost is another."""

    def found(findings: Findings) -> float | None:
        figure, other = findings.at(name, size), findings.at(of_name, of_size)
        return figure.cpu / other.cpu if figure and other else None

    return found


def _seconds(name: str, size: str) -> Callable[[Findings], float | None]:
    return lambda findings: figure.cpu if (figure := findings.at(name, size)) else None


def _micro(name: str) -> Callable[[Findings], float | None]:
    return lambda findings: each * 1e6 if (each := findings.each(name)) is not None else None


def _figure(name: str, size: str) -> Callable[[Findings], Figure | None]:
    return lambda findings: findings.at(name, size)


def _one_more_class(findings: Findings) -> float | None:
    few, many = findings.at("fleets", "10000 of 125"), findings.at("fleets", "10000 of 500")
    return (many.cpu - few.cpu) / (500 - 125) * 1e6 if few and many else None


def _of_best_peer(findings: Findings) -> float | None:
    ours = findings.at("kinds", HOSTS)
    return ours.cpu / findings.best_peer()[1].cpu if ours else None


MISSED = 1.05
"""From which ratio to its goal a task is shown as more than 1."""

LIMITS = {
    "version": "the interpreter is half of it. The limit is to import what prints it.",
    "first command": """all files of the library are read, since only their contents tell that what the wheel brings along is made of them. The limit is to read them.""",
    "verify": """some 250 places of each server are read, checked, recognised and compared. Parsing their JSON is a thirtieth of it. The limit is what
  one place costs.""",
    "large: one more": """a process with several policies divides what is known of their servers into parts, and not the whole library. The limit is what one
  policy takes.""",
    "large: proof": """it is estimated from four times the vendors, which take 92 seconds and 1.8 GB: six times the library. Linked facts are in proportion
  ([decision 0107](decisions/0107-what-excludes-does-not-multiply.md)), and the estimate assumes that of the rest; the regions grow faster, so it is too low. The limit is one
  division of all combinations for each part and each region, of which each vendor adds its own.""",
    "start: plan": """it takes 280 million instructions. When they were 305 million, the interpreter took 38. 120 were imports: a hundred modules of the compiler and forty of Python. 40 read
  the knowledge and the tables of the grammar, 90 were the plan with its reasons, and 13 its text. The limit is what is not
  the compiler's: interpreter and Python's own modules, 73 million, twice a bare interpreter. What was tried is in [decision 0081](decisions/0081-what-a-command-does-not-do.md).""",
    "start: compile": """of 1,020 million instructions, 305 are those of a plan, and 140 the import of Jinja, without which there are no templates: in time together some
  eight times the interpreter. The modules of the targets, the templates, the page with the figures, and the files take a tenth or less each. Neither a schema library
  nor a connection is loaded: the forms of targets are checked by their annotations, and the client for controllers is only text.
  The limit is the plan and Jinja, two thirds of the goal.""",
    "fleet": """500 classes are planned with reasons, a third of what 10,000 hosts of these classes take. Six tenths are the files of their 124 plans: the JSON of
  each plan, a quarter; what targets set of it, a sixth; and the artifacts, an eighth. None is made twice.{host}
  Half of the time is the classes with their files, and half the hosts: a million lines are read, told apart and written again into lists. The limit is that each half takes as much
  as the goal: the JSON of a plan has 1,500 lines, 110 KB, and of a host Python's reader of CSV alone takes 1 µs. Files are written one after the
  other as they are made, and names of hosts are one text for each kind, so that plans are what the memory holds.""",
    "class": "a plan with its reasons, whose files are written, for each class. The programs in other languages print values alone.",
    "differing": """each policy has a plan of its own, which is put together from known parts and judged. A policy whose facts all differ asks for
  35 parts, and for eight groups of 82 others. Of a thousand policies 1,483 parts in all are decided anew, at 1.3 ms with their reasons: up to half of the time. The rest is to
  look for the others, hazards and warnings, and what the server has. The limit is such a part, of which many are a number that few policies set. See
  [decision 0057](decisions/0057-plans-by-parts.md).""",
    "reasons": "half is lexing and parsing the policy's text, in Python. The limit is that each text is read once.",
    "diff of others": "both sides are planned, as in `check`, and compared setting by setting. A changed policy that says the same as another one is planned again, so that each plan has its own places ([decision 0094](decisions/0094-what-names-a-statement-needs-no-place.md)). The limit is that of `check`, twice.",
    "fmt": """a quarter each is parsing the text, its layout, and parsing the formatted text, which must say the same. The limit is that nothing is written
  that was not read again: without that parse, which nobody should do without, the goal would be met.""",
    "large: plan": """a plan reads the statements about its own server, and what is known of the names that it has, each as a part of its own; but of the facts
  it reads the names of all their values, since a policy may name any of them. They are a third of the 46 million instructions that it takes more than with the library. Another third
  is to look whether any of four times as many files has changed. The limit is that both are done for each plan.""",
    "proof": """it decides 265,000 plans of single `set`s in 61,000 situations, and those of pairs of them, a fifth of the time; divides the combinations
  of linked facts into the situations of each part and of each hazard, three tenths; and reads the library.
  All of it is arithmetic on sets of situations, of which no function has more than a tenth. Of values that nothing tells apart a pair has one. Situations
  that nothing tells apart could be taken together as well, which would leave four fifths of the outcomes of pairs. The limit is the number of parts and
  regions. What is left to try: a part that reads all firmware is divided into situations once for itself, and once more for each of its hazards, of which
  a dozen take a tenth of the time; and a question that does not name a fact asks about it if others depend on it.""",
    "proof of an edit": """half or more is what a check without an edit takes: reading the library's text, and the checks of statements. The limit is to read.""",
    "proof of a server": """half is what a check without an edit takes. Every server is in the combinations of linked facts, which are made again, and the part of
  the facts is proven again. The limit is one pass over all of these.""",
}
"""Why a goal is missed where it is, and what the limit is."""

GOALS = (
    Goal("`--version`, against a bare interpreter", 2, "×", _times("start", "version", "start", "bare"), _figure("start", "version"), limit="version"),
    Goal("`plan` on the command line, against a bare interpreter", 4, "×", _times("start", "plan", "start", "bare"), _figure("start", "plan"), limit="start: plan"),
    Goal("`compile` of one policy with all targets, against a bare interpreter", 12, "×", _times("start", "compile", "start", "bare"), _figure("start", "compile"), limit="start: compile"),
    Goal("the first command after the installation of a wheel", 0.3, "s", _seconds("library: first command", "1"), _figure("library: first command", "1"), limit="first command"),
    Goal("`fleet`: a million hosts of 500 classes, from a table to the artifacts", 6, "s", _seconds("fleets", "1000000 of 500"), _figure("fleets", "1000000 of 500"), 150, limit="fleet"),
    Goal("`fleet`: one more class of hosts, planned with reasons and written", 1, "µs", _one_more_class, _figure("fleets", "10000 of 500"), limit="class"),
    Goal("`check`: one more policy that differs in what it says", 2_000, "µs", _micro("differing policies"), _figure("differing policies", "2000"), limit="differing"),
    Goal("`check`: 10,000 blocks for hosts that differ in what they say", 10, "s", _seconds("differing blocks", "10000"), _figure("differing blocks", "10000"), limit="differing"),
    Goal("`check`: one more policy that differs in its reason only", 150, "µs", _micro("policies"), _figure("policies", "10000"), limit="reasons"),
    Goal("`check`: 10,000 blocks for hosts that differ in their reasons only", 1, "s", _seconds("blocks", "10000"), _figure("blocks", "10000"), limit="reasons"),
    Goal("`verify`: 5,000 captured servers, no two the same", 60, "s", _seconds("verify", "5000"), _figure("verify", "5000"), 300, limit="verify"),
    Goal("`diff`: 10,000 policies against 10,000 that differ in their reasons only, one in ten changed", 5, "s", _seconds("diff", "10000"), _figure("diff", "10000"), 300, limit="diff of others"),
    Goal("`diff`: one more policy on each side where no two say the same, one in ten changed", 3_000, "µs", _micro("diff of others"), _figure("diff of others", "1000"), limit="diff of others"),
    Goal("`fmt --check`: 100,000 lines", 2, "s", _seconds("fmt", "100000"), _figure("fmt", "100000"), limit="fmt"),
    Goal("a library ten times as large: `plan`, against the library", 1.1, "×", _times("library: plan", "10", "library: plan", "1"), _figure("library: plan", "10"), limit="large: plan"),
    Goal("a library ten times as large: one more policy, against the library", 1.2, "×", _times("library: one more policy", "10", "library: one more policy", "1"), _figure("library: one more policy", "10"), limit="large: one more"),
    Goal("a library ten times as large: the first command", 0.3, "s", _seconds("library: first command", "10"), _figure("library: first command", "10"), limit="first command"),
    Goal("a library ten times as large: `kb check`", 60, "s", _seconds("library: kb check", "10"), _figure("library: kb check", "10"), 1024, limit="large: proof"),
    Goal("10,000 hosts of 500 kinds, resolved and written, against the fastest language below that only resolves them", 1, "×", _of_best_peer, _figure("kinds", HOSTS), limit="class"),
)  # fmt: skip
"""The goals, in the order of the page."""

OF_EDITS = tuple(
    Goal(task, most, "s", _seconds("edits", name), _figure("edits", name), limit=limit)
    for task, most, name, limit in (
        ("`kb check` from nothing", 15, proof.NOTHING, "proof"),
        ("`kb check` after a sysctl was added", 10, "a sysctl added", "proof of an edit"),
        ("`kb check` after a rule's value was changed", 10, "a rule's value changed", "proof of an edit"),
        ("`kb check` after a server was added", 10, "a server added", "proof of a server"),
    )
)
"""Those of `kb check` after edits, where a run has measured them."""

GROWTH = (
    ("`check` with policies that differ", "differing policies", "1000", "2000"),
    ("`check` with blocks for hosts that differ", "differing blocks", "1000", "10000"),
    ("`check` with the policies in a file", "policies", "1000", "4000"),
    ("`check` with the files of a folder", "files", "1000", "4000"),
    ("`check` with the blocks for hosts in a file", "blocks", "1000", "4000"),
    ("`diff` with the files on each side", "diff", "1000", "4000"),
    ("`diff` with the policies in a file on each side", "diff of files", "1000", "4000"),
    (
        "`diff` with the files on each side, where no two policies say the same",
        "diff of others",
        "250",
        "1000",
    ),
    ("`fmt` with the lines of a file", "fmt", "25000", "100000"),
    ("`verify` with the captured servers", "verify", "1000", "5000"),
    ("`plan` with the size of the library", "library: plan", "1", "10"),
    ("one more policy with the size of the library", "library: one more policy", "1", "10"),
    ("the first command with the size of the library", "library: first command", "1", "10"),
    ("`kb check` with the size of the library", "library: kb check", "1", "4"),
    ("`kb check` with the size of the library", "library: kb check", "1", "10"),
)
"""What grows with what: the name of the measurements, and the sizes."""


# ------------------------------------------------------------------------------------- the text


HEAD = """\
# Speed

Setpoint's goals for speed, and what was measured. `make bench` takes these measurements and writes this page. The figures are
[those of one run](benchmarks.json), with Python {python}: CPU time of the user and the system together, of whole processes on one
processor. Seconds depend on the machine; ratios hardly do. In this run a bare Python interpreter (`python -c pass`) took {bare:.1f} ms.
Runs of less than a second were repeated, and the median counts, of starts against a bare interpreter the least; longer ones were run once.

## Goals

A ratio of 1 or less meets the goal. A `~` marks an estimate: what would have taken more than a minute was measured at a smaller size,
and is assumed to grow in proportion.
"""

GOALS_END = """
Memory is the peak of the largest process. Where a goal limits it, the limit follows the peak. Policies and blocks that *differ in what they
say* have goals, workloads, platforms and systems in many combinations, or `set`s of their own, as sites write them
(`tests/benchmarks/differing.py`). Those that differ in their reasons only are planned once.{later}
In the library ten times as large, each vendor, server, processor and source of the library stands ten times, under names of its own.

The goal for one more class is about a host that differs from all others and is resolved *without* reasons, which no command
does. What is measured has more in it: the class is planned with all reasons, and its files are written.

Goals in seconds are met on one machine and missed on another.{spent}
"""

GROWTH_HEAD = """
## Growth

The exponent of growth of CPU time: 1 is in proportion to the size, 0 is no growth, and 2 is four times the time for twice the size. Each
has the time in it that a command takes to start.
"""

EDITS_HEAD = """
## After an edit

What `kb check` costs somebody who edits the library and has checked it before: in seconds, and as a part of what it takes to prove everything.
The first row is a check without an edit. A new server or processor changes what facts can be together: the combinations are made again, and
the parts that tell it from others are proven again, of which there are none as long as nothing names it
([decision 0089](decisions/0089-values-alike-count-once.md)). A value proves the parts again that read its
setting; a text that only findings show changes nothing that is proven.
"""

PEERS_HEAD = """
## Compared with other languages

The same resolution was written in other languages: for each of {settings} settings, the strongest advice that applies to a server and
is possible, given {advice} pieces of advice with conditions, {limits} limits from constraints and system profiles, and what the
policy sets. The data is an extract of the library, all that can matter for servers of PowerEdge's 14th generation with two Skylake processors
under RHEL 8. There are 10,000 such hosts of 500 kinds, in {groups} groups of a policy, of which {sets} set a value. Before anything was
measured, all answers of each language were compared with the plans of Setpoint: for 500 hosts, one of each kind{fewer}.

![CPU seconds of each language, by the number of hosts](benchmarks.svg)
"""

PEERS_END = """
This is not like for like:

- *In favour of the others.* They get the extract, and Setpoint has its whole library. They get facts that are complete, and Setpoint
  reads an inventory, understands the names of servers and processors, and completes the facts. In the extract, precedence has been worked out: advice
  is sorted. They print values. Setpoint finds the reasons of each value, hazards and warnings, and writes the artifacts of all targets.
- *In favour of Setpoint.* It plans hosts of one kind once. So does OPA, which keeps what a function returned for the same arguments; the
  others resolve each host, although their programs could do the same. The column with 500 hosts is what such a program needs at least.
- Each program is one attempt, written for this page and not tuned by the makers of the language. All share one algorithm; where a
  language has no functions (CUE) or no recursion (OPA), its steps are written out. CUE is meant to validate and combine data rather than to
  compute.

The programs are in `tests/benchmarks/resolvers`, and `tests/benchmarks/extract.py` makes the extract. `tests/benchmarks/install-peers`
installs the languages.
"""


def text(data: Mapping[str, Any]) -> str:
    """The page."""
    findings = Findings(data)
    compared = {title: peer["compared"] for title, peer in findings.peers.items() if "compared" in peer}
    fewer = "".join(f", and {number} for {title}" for title, number in compared.items() if number < 500)
    parts = [
        HEAD.format(python=data["python"], bare=findings.bare * 1000),
        *_table(
            ("task", "goal", "measured", "ratio to the goal", "memory"),
            map(_goal_row(findings), _goals(findings)),
        ),
        GOALS_END.format(later=_later(data), spent=_spent(findings)) + GROWTH_HEAD,
        *_table(("what", "sizes", "exponent"), _growth_rows(findings)),
        *_edits(findings),
        PEERS_HEAD.format(fewer=fewer, **data["extract"]),
        *_table(
            (
                "",
                "release",
                "one host",
                "500 hosts",
                "10,000 hosts",
                "one more",
                "memory",
                "ratio to Setpoint",
            ),
            _peer_rows(findings),
        ),
        *_missing(findings),
        PEERS_END,
    ]
    return "\n".join(parts)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _goal_row(findings: Findings) -> Callable[[Goal], Sequence[str]]:
    def row(goal: Goal) -> Sequence[str]:
        found, figure = goal.found(findings), goal.figure(findings)
        most = amount(goal.most, goal.unit) + (f", {goal.memory:,.0f} MiB" if goal.memory else "")
        if found is None or figure is None:
            return goal.task, most, "not measured: it took too long", "–", "–"
        mark = "~" if figure.is_estimate else ""
        ratio, measured = f"{mark}{number(found / goal.most)}", f"{mark}{amount(found, goal.unit)}"
        memory = f"{mark}{figure.memory:,.0f} MiB" if figure.memory else "–"
        if goal.memory and figure.memory:
            memory += f" ({mark}{number(figure.memory / goal.memory)})"
        return goal.task, most, measured, ratio, memory

    return row


def _spent(findings: Findings) -> str:
    """What the time goes to: where goals are missed, by how much and what the limit is; then where they are met. Tasks
    with the same limit are together.
    """
    missed: dict[str, list[str]] = {}
    met: dict[str, list[str]] = {}
    for goal in _goals(findings):
        found = goal.found(findings)
        if found is not None and found >= MISSED * goal.most:
            times = number(found / goal.most)
            missed.setdefault(goal.limit, []).append(f"{goal.task} ({times} times the goal)")
        elif found is not None:
            met.setdefault(goal.limit, []).append(goal.task)
    text = _limits("What is missed, by how much, why, and what the limit is:", missed)
    text += _limits(
        "What is met takes its time for this, or for the same as what is missed:",
        {limit: tasks for limit, tasks in met.items() if limit not in missed},
    )
    return text.replace("{host}", _host(findings))


def _limits(head: str, tasks: Mapping[str, Sequence[str]]) -> str:
    """A list of tasks with what their time goes to; "" if there are none."""
    rows = (f"- {'; '.join(some)}: {LIMITS[limit]}" for limit, some in tasks.items())
    return "\n\n" + "\n".join((head, "", *rows)) if tasks else ""


def _host(findings: Findings) -> str:
    """What one more host of a known class takes; "" if no fleet is large enough to tell."""
    few, many = findings.at("fleets", "10000 of 500"), findings.at("fleets", "1000000 of 500")
    if not (few and many):
        return ""
    return f"\n  One more host takes {(many.cpu - few.cpu) / 990_000 * 1e6:.1f} µs: its line is read, and its class is found."


def _goals(findings: Findings) -> tuple[Goal, ...]:
    return (*GOALS, *OF_EDITS) if "edits" in findings.costs else GOALS


def _edits(findings: Findings) -> Iterator[str]:
    """The section on edits, if the run has measured them."""
    costs = dict(findings.costs.get("edits", {}))
    if costs:
        whole = costs.pop(proof.NOTHING)
        yield EDITS_HEAD
        yield from _table(
            ("edit", "CPU time", "of that from nothing", "memory"),
            (
                (name, amount(figure.cpu, "s"), f"{figure.cpu / whole.cpu:.0%}", f"{figure.memory:,.0f} MiB")
                for name, figure in costs.items()
            ),
        )


def _later(data: Mapping[str, Any]) -> str:
    """Which rows are of other runs, and what a bare interpreter took in them, where that is known; "" if all are of
    one."""
    told = [
        f"{rows}{f', in which a bare interpreter took {bare * 1000:.1f} ms' if bare else ''}"
        for rows, bare in data.get("later", {}).items()
    ]
    if not told:
        return ""
    return f"\nOf later runs, beside other work on the machine, are the rows of {'; of '.join(told)}."


def _growth_rows(findings: Findings) -> Iterator[Sequence[str]]:
    hosts = [findings.costs["fleets"].get(f"{size} of 500") for size in (100_000, 1_000_000)]
    if all(hosts):
        costs = [figure.cpu for figure in hosts if figure]
        yield (
            "`fleet` with the hosts of 500 classes",
            "100,000 and 1,000,000",
            f"{exponent((1, 10), costs):.2f}",
        )
    for what, name, first, last in GROWTH:
        found = [findings.costs[name].get(size) for size in (first, last)]
        sizes = f"{int(first):,} and {int(last):,}"
        if all(found):
            costs = [figure.cpu for figure in found if figure]
            yield what, sizes, f"{exponent((int(first), int(last)), costs):.2f}"
        else:
            yield what, sizes, "not measured: the larger one took too long, or was not proven"


def _peer_rows(findings: Findings) -> Iterator[Sequence[str]]:
    ours = findings.at("kinds", HOSTS)
    assert ours is not None
    for title, release, figures in _languages(findings):
        series = {size: figure for size in ("1", "500", HOSTS) if (figure := at(figures, size))}
        all_hosts = series[HOSTS]
        each = slope(figures)
        yield (
            title,
            release,
            *(seconds(series[size]) for size in ("1", "500", HOSTS)),
            f"{number(each * 1e6)} µs" if each is not None else "–",
            f"{'~' if all_hosts.is_estimate else ''}{all_hosts.memory:,.0f} MiB",
            f"{'~' if all_hosts.is_estimate else ''}{number(all_hosts.cpu / ours.cpu)}",
        )


def _languages(findings: Findings) -> Iterator[tuple[str, str, dict[str, Figure]]]:
    """Setpoint and the peers that are measured, fastest first: title, release, and the cost of each number of hosts."""
    yield "Setpoint, with artifacts", "", findings.costs["kinds"]
    there = [title for title, peer in findings.peers.items() if peer.get("costs")]
    for title in sorted(
        there, key=lambda title: figure.cpu if (figure := findings.peer(title, HOSTS)) else 0
    ):
        peer = findings.peers[title]
        release = UNNUMBERED.sub(r"of \1-\2-\3", peer["release"])
        yield title, release, {size: Figure(*cost) for size, cost in peer["costs"].items()}


def _missing(findings: Findings) -> Iterator[str]:
    for title, peer in findings.peers.items():
        if "missing" in peer:
            yield f"\n{title} is not measured: {peer['missing']}."


def number(value: float) -> str:
    """A number with two or three digits that count."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 10 else f"{value:.2g}"


def amount(value: float, unit: str) -> str:
    """A number with its unit."""
    return f"{number(value)}{'' if unit == '×' else ' '}{unit}"


def seconds(figure: Figure) -> str:
    """The CPU time of a figure."""
    mark = "~" if figure.is_estimate else ""
    return f"{mark}{figure.cpu * 1000:.0f} ms" if figure.cpu < 1 else f"{mark}{number(figure.cpu)} s"


# -------------------------------------------------------------------------------------- the plot


def plot(data: Mapping[str, Any], path: Path) -> None:
    """Draw what hosts cost in each language as SVG, with the same bytes each time."""
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    from setpoint.compiler.render.drawing import COLOURS, STYLE

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        parameters: Any = matplotlib.rcParams
        parameters.update(STYLE)
        canvas = Canvas(figsize=(8, 4.2), layout="constrained")
        axes = canvas.add_subplot()
        for number_, (title, _, figures) in enumerate(_languages(Findings(data))):
            sizes = sorted(map(int, figures))
            colour = COLOURS[number_ - 1] if number_ else "black"
            seconds_ = [figures[str(size)].cpu for size in sizes]
            axes.plot(
                sizes, seconds_, "o-", markersize=4, linewidth=1 + (not number_), color=colour, label=title
            )
            if estimate := None if HOSTS in figures else at(figures, HOSTS):
                axes.plot(
                    [sizes[-1], int(HOSTS)], [seconds_[-1], estimate.cpu], ":", linewidth=1, color=colour
                )
        axes.set(xscale="log", yscale="log", xlabel="hosts", ylabel="CPU seconds; dotted: estimated")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _: f"{value:,g}")
        axes.grid(which="major", linewidth=0.4)
        axes.legend(frameon=False)
        canvas.savefig(path, format="svg", metadata={"Date": None, "Creator": None})


def write(data: Mapping[str, Any]) -> None:
    """Write the page and its plot."""
    PAGE.write_text(text(data), encoding="utf-8")
    plot(data, PLOT)


if __name__ == "__main__":
    write(json.loads(DATA.read_text("utf-8")))
