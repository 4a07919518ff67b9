"""A pytest plugin that runs the collected tests once for each mutant, until one of them fails.

The session is that of the suites which say what the knowledge base must say. For every mutant the standard library is
replaced as if its files had been changed, what tests have kept of the old one is forgotten, and the tests run until
the first failure. `ASKED` names a file with the names of the mutants; the outcome is written beside it.
"""

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from proof.mutants import Mutant, mutants
from setpoint.compiler.knowledge import load
from setpoint.compiler.knowledge.model import Knowledge

ORIGINAL = load._parts


def install(knowledge: Knowledge) -> None:
    """Let this be the standard library; whoever has kept another forgets it."""
    parts = [knowledge._replace(measurements=()), knowledge.measurements, ORIGINAL(3)[2]]
    load._parts = lambda count: parts[:count]  # type: ignore[assignment]
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").partition(".")[0] in ("support", "conformance", "knowledge"):
            for thing in vars(module).values():
                if hasattr(thing, "cache_clear"):
                    thing.cache_clear()


def killer(mutant: Mutant, items: list[Any]) -> str:
    """The test that fails on a mutant; "" if all pass. Those that sound like it are tried first."""
    words = {word for word in re.split(r"[^a-z0-9]+", mutant.name.lower()) if len(word) > 2}

    def likeness(item: Any) -> int:
        return len(words & set(re.split(r"[^a-z0-9]+", item.nodeid.lower())))

    install(mutant.knowledge())
    for item in sorted(items, key=likeness, reverse=True):
        item._initrequest()
        if any(report.failed for report in runtestprotocol(item, nextitem=None, log=False)):
            return str(item.nodeid)
    return ""


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Run the tests for each mutant that is asked for."""
    asked = Path(os.environ["ASKED"])
    names = set(json.loads(asked.read_text(encoding="utf-8")))
    found = [m for m in mutants(load.trees(), load.standard()) if m.name in names]
    outcome = {mutant.name: killer(mutant, session.items) for mutant in found}
    asked.with_suffix(".outcome").write_text(json.dumps(outcome), encoding="utf-8")
    return True
