"""Try mutants of the standard library, and write what came of them into the ledger.

    PYTHONPATH=.dev:tests python -m proof.mutants                    all of them
    PYTHONPATH=.dev:tests python -m proof.mutants --matching REGEX   those whose kind or name matches
    PYTHONPATH=.dev:tests python -m proof.mutants --named NAME …     these; the ledger stays as it is
    PYTHONPATH=.dev:tests python -m proof.mutants --sample N         N of each kind; the ledger stays as it is

`make mutants` is the first of these. It tries what the ledger does not know to be caught: new mutants, and survivors.
So it can be interrupted and taken up again, and after a change of the library or a new test it costs no more than what
is new. `--afresh` forgets the ledger and tries all of them again: after a change of the compiler or of many tests.

`--processes N` tries N at a time. `--patience SECONDS` gives up on a mutant after so much computing and counts it as
surviving: a quick run can understate the score, never overstate it.
"""

import argparse
import gc
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from zlib import crc32

import pytest

from proof.mutants import Mutant, mutants, sample
from proof.mutants.fates import LEDGER, Fate, digest, recorded, score, write
from proof.mutants.trial import SURVIVES, Order, Verdict, failing, trials
from proof.suites import SUITES
from setpoint.compiler.knowledge import load
from support.command import ROOT

NOT_COUNTED = ("test_a_value_is_what_the_profile_has",)
"""Tests of programs that may not be installed."""


class Trials:
    """A pytest plugin that tries mutants instead of running the tests once."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked = asked

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try the requested mutants, and write the ledger."""
        tests = [item for item in session.items if item.name.partition("[")[0] not in NOT_COUNTED]
        every = list(mutants(load.trees(), load.standard()))
        if not (self.asked.sample or self.asked.named):
            failed = failing(tests)
            for test in sorted(failed):
                print(f"left out, as it fails without any mutant: {test}", file=sys.__stderr__, flush=True)
            tests = [test for test in tests if test.nodeid not in failed]
        order = Order(tests)
        gc.freeze()
        if self.asked.sample or self.asked.named:
            for verdict in self.verdicts(self.chosen(every), order):
                print(verdict.fate, *verdict.mutant[:2], sep="\t", file=sys.__stdout__, flush=True)
        else:
            self.try_all(every, order)
        return True

    def chosen(self, every: list[Mutant]) -> list[Mutant]:
        """The mutants that are named, or the sample."""
        if self.asked.named:
            return [mutant for mutant in every if mutant.name in self.asked.named]
        return sample([mutant for mutant in every if self.matches(mutant)], self.asked.sample)

    def try_all(self, every: list[Mutant], order: Order) -> None:
        """Try the mutants that are not known to be caught, and write the ledger."""
        known = [] if self.asked.afresh else _still_there(recorded(), every)
        fates = {fate.mutant: fate for fate in known}
        caught = {fate.mutant for fate in known if fate.fate != SURVIVES}
        wanted = [mutant for mutant in every if self.matches(mutant) and digest(mutant.name) not in caught]
        # In an order that means nothing: what an interrupted run has tried is a fair sample.
        wanted.sort(key=lambda mutant: crc32(mutant.name.encode()))
        try:
            for number, verdict in enumerate(_shown(self.verdicts(wanted, order), len(wanted)), 1):
                kind, name, _ = verdict.mutant
                fates.pop(name, None)
                mutant = name if verdict.fate == SURVIVES else digest(name)
                fates[mutant] = Fate(kind, mutant, verdict.fate)
                if number % 100 == 0:
                    write(fates.values(), len(every))
        finally:
            write(fates.values(), len(every))

    def verdicts(self, wanted: list[Mutant], order: Order) -> Iterator[Verdict]:
        """The verdicts on these mutants, as they arrive."""
        return trials(wanted, order, self.asked.processes, self.asked.patience)

    def matches(self, mutant: Mutant) -> bool:
        """Whether its kind or its name matches the request."""
        return re.search(self.asked.matching, f"{mutant.kind}\t{mutant.name}") is not None


def _still_there(known: Iterable[Fate], every: Iterable[Mutant]) -> list[Fate]:
    """The fates of mutants that there still are."""
    names = {each for mutant in every for each in (mutant.name, digest(mutant.name))}
    return [fate for fate in known if fate.mutant in names]


def _shown(found: Iterable[Verdict], total: int) -> Iterator[Verdict]:
    """Pass verdicts on, and report progress and survivors."""
    start = time.monotonic()
    for number, verdict in enumerate(found, 1):
        if verdict.fate == SURVIVES:
            print(f"{verdict.mutant.kind}\t{verdict.mutant.name}", file=sys.__stdout__, flush=True)
        if number % 100 == 0 or number == total:
            pace = (time.monotonic() - start) / number
            left = f"{number} of {total}, {pace:.2f} s each, {pace * (total - number) / 60:.0f} min left"
            print(left, file=sys.__stderr__, flush=True)
        yield verdict


def main() -> int:
    """Run pytest with the trials instead of its own loop."""
    parser = argparse.ArgumentParser(
        prog="python -m proof.mutants", description=str(__doc__).partition("\n")[0]
    )
    parser.add_argument(
        "--matching", default="", metavar="REGEX", help="only those whose kind or name matches"
    )
    parser.add_argument("--named", nargs="+", default=(), metavar="NAME", help="only these; writes nothing")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="N of each kind; writes nothing")
    parser.add_argument("--afresh", action="store_true", help="forget what the ledger has")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="try N mutants at a time")
    parser.add_argument(
        "--patience", type=float, default=float("inf"), metavar="SECONDS", help="give up after"
    )
    trials = Trials(parser.parse_args())
    os.environ.pop("CI", None)
    pytest.main(["-q", "-p", "no:xdist", "-p", "no:cacheprovider", *SUITES], plugins=[trials])
    caught, total = score(recorded())
    print(f"{caught} of {total} caught: {LEDGER.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
