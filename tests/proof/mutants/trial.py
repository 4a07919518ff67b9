"""Whether a mutant is caught: the suites run on it in a forked process, until the first test that fails.

The parent has collected the tests and loaded the standard library. A child puts the mutant in its place, forgets what
tests have kept of the old one, runs the tests in the likeliest order, and reports. So no mutant pays for starting up,
and none disturbs another. What the suites let through, `kb check` is asked about, which takes longer.

Likeliest first: the tests that caught mutants of the same kind before, and among them those whose names have words of
the mutant's. The order decides how long a trial takes, never what comes of it.
"""

import gc
import os
import re
import select
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from types import SimpleNamespace
from typing import Any, NamedTuple

from _pytest.runner import runtestprotocol

from proof.ledger import ledger
from proof.mutants import Mutant
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge import load
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.proof.analysis import Analyses
from setpoint.compiler.proof.memory import Memory
from setpoint.compiler.proof.prove import Proving

BUILD, SUITE, PROOF, SURVIVES, NOTHING = "no knowledge", "suites", "kb check", "survives", "changes nothing"

EACH = 4
"""How many tests of a function are tried before those of the next; the rest follow when all have had their turn."""

HANGS = 900
"""After so many seconds a trial has failed: the mutant makes the compiler run on and on."""

FORGETFUL = ("support", "conformance", "knowledge", "strategies")
"""The test packages that cache plans and knowledge; their caches are cleared."""

_standard = load.standard()._replace(measurements=load.measurements())


class Verdict(NamedTuple):
    """The fate of a mutant, and the test that failed on it, if one did."""

    mutant: Mutant
    fate: str
    test: str


class Candidate(NamedTuple):
    """A test: its function, the words of its name, and whether it looks at the knowledge base alone, without a plan."""

    test: Any
    function: str
    words: frozenset[str]
    quick: bool


class Order:
    """The tests in the order in which they are likely to catch a mutant soon; learns from those that did."""

    def __init__(self, tests: Iterable[Any]) -> None:
        self._tests = [
            Candidate(test, _function(test.nodeid), _words(test.nodeid), "knowledge" in test.fixturenames)
            for test in tests
        ]
        self._caught: dict[str, Counter[str]] = defaultdict(Counter)

    def learn(self, kind: str, test: str) -> None:
        """Remember that a test caught a mutant of this kind."""
        self._caught[kind][_function(test)] += 1
        self._caught[""][_function(test)] += 1

    def of(self, mutant: Mutant) -> list[Any]:
        """The tests for a mutant: a few of each function that caught its like, then quick ones, then the rest."""
        words, kind, any_kind = _words(mutant.name), self._caught[mutant.kind], self._caught[""]
        turn: Counter[str] = Counter()
        keyed = []
        for candidate in sorted(self._tests, key=lambda c: -len(words & c.words)):
            function = candidate.function
            turn[function] += 1
            early = turn[function] <= EACH
            phase = (not (early and kind[function]), not candidate.quick, not early)
            keyed.append(
                ((phase, -kind[function], -any_kind[function], -len(words & candidate.words)), candidate)
            )
        return [candidate.test for _, candidate in sorted(keyed, key=lambda pair: pair[0])]


def trials(mutants: Iterable[Mutant], order: Order, processes: int, patience: float) -> Iterator[Verdict]:
    """The verdict on each mutant, as they come in."""
    waiting = iter(mutants)
    running: dict[int, tuple[_Child, Mutant]] = {}
    while True:
        while len(running) < processes and (mutant := next(waiting, None)) is not None:
            child = _fork(partial(_judge, mutant, order, patience))
            running[child.pipe] = child, mutant
        if not running:
            return
        ready, _, _ = select.select(list(running), [], [])
        for pipe in ready:
            child, mutant = running.pop(pipe)
            fate, _, test = _heard(child).partition("\t")
            if test:
                order.learn(mutant.kind, test)
            yield Verdict(mutant, fate or SUITE, test)


def failing(tests: Iterable[Any]) -> frozenset[str]:
    """The tests that fail on the unchanged library, and so show nothing about a mutant."""
    failed = _heard(_fork(lambda: "\t".join(test.nodeid for test in tests if _first_to_fail([test], 0))))
    return frozenset(failed.split("\t")) - {""}


# --------------------------------------------------------------------------------------------------- in the child


def _judge(mutant: Mutant, order: Order, patience: float) -> str:
    try:
        knowledge = mutant.knowledge()
    except SetpointError:
        return BUILD
    _install(mutant, knowledge)
    if test := _first_to_fail(order.of(mutant), patience):
        return f"{SUITE}\t{test}"
    if patience != float("inf"):
        return SURVIVES
    analyses = Analyses(knowledge)
    if Proving(knowledge, Memory(), analyses).whole().findings:
        return PROOF
    return NOTHING if _texts(knowledge) == _texts(unchanged()) and ledger(analyses) == decided() else SURVIVES


def _first_to_fail(tests: Iterable[Any], patience: float) -> str:
    end = time.process_time() + patience
    for test in tests:
        test._initrequest()
        if any(report.failed for report in runtestprotocol(test, nextitem=None, log=False)):
            return str(test.nodeid)
        if time.process_time() > end:
            break
    return ""


def _install(mutant: Mutant, knowledge: Knowledge) -> None:
    """Make this the standard library; caches of another one are cleared."""
    library = SimpleNamespace(
        knowledge=knowledge._replace(measurements=()),
        part={load.MEASUREMENTS: knowledge.measurements}.__getitem__,
        trees=mutant.trees(),
    )
    load._library = lambda: library  # type: ignore[assignment, return-value]
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").partition(".")[0] in FORGETFUL:
            for thing in vars(module).values():
                if hasattr(thing, "cache_clear"):
                    thing.cache_clear()


@cache
def unchanged() -> Knowledge:
    """The unchanged standard library."""
    return _standard


@cache
def decided() -> frozenset[str]:
    """What the standard library decides."""
    return ledger(Analyses(unchanged()))


def _texts(knowledge: Knowledge) -> Any:
    """All texts that a reader sees and that decide nothing."""
    return (
        [*knowledge.values.values()],
        [(s.name, s.title, s.about, s.layer) for s in knowledge.settings.values()],
        [s._replace(scope=()) for s in knowledge.sources.values()],
        [o._replace(when=(), closed=()) for offers in knowledge.offers.values() for o in offers],
        [(r.name, r.because, r.note, r.citation, r.strength) for r in knowledge.rules],
        [(c.name, c.because, c.citation) for c in knowledge.constraints],
        [(h.name, h.because, h.help, h.citation) for h in knowledge.hazards.values()],
        knowledge.measurements,
        [a._replace(closed=()) for a in knowledge.assumptions],
        [p._replace(when=()) for p in knowledge.presets],
        [s._replace(closed=()) for s in knowledge.services],
        knowledge.effects.keys(),
        knowledge.kinds.keys(),
    )


# ------------------------------------------------------------------------------------------------------- processes


class _Child(NamedTuple):
    pid: int
    pipe: int


def _fork(work: Callable[[], str]) -> _Child:
    mine, theirs = os.pipe()
    if pid := os.fork():
        os.close(theirs)
        return _Child(pid, mine)
    gc.disable()  # a collection would touch, and so copy, all that the parent shares
    signal.alarm(HANGS)
    said = f"{SUITE}\tcrash"
    try:
        said = work()
    finally:
        os.write(theirs, said.encode())
        os._exit(0)


def _heard(child: _Child) -> str:
    with os.fdopen(child.pipe, encoding="utf-8") as pipe:
        said = pipe.read()
    os.waitpid(child.pid, 0)
    return said


def _function(nodeid: str) -> str:
    return nodeid.partition("[")[0]


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in re.split(r"[^a-z0-9.]+", text.lower()) if len(word) > 1)
