"""A pytest plugin that records which knowledge a test run exercises, for `setpoint kb coverage`.

EXERCISED=exercised.json pytest -p proof.recorder tests/conformance tests/knowledge
setpoint kb coverage examples exercised.json
"""

import json
import os
from pathlib import Path

import pytest

from setpoint.compiler import pipeline
from setpoint.compiler.binding.context import Context, bind
from setpoint.compiler.binding.levels import Subject
from setpoint.compiler.binding.stated import NOTHING_FOUND, HostFacts
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.policies import coverage
from setpoint.compiler.policies.coverage import RECORD, Exercised, exercised_by

_seen: dict[object, tuple[Knowledge, Context]] = {}
_bind = bind


def _recording(subject: Subject, knowledge: Knowledge, stated: HostFacts = NOTHING_FOUND) -> Context:
    context = _bind(subject, knowledge, stated)
    facts = tuple((name, entry.value) for name, entry in context.facts.items())
    sets = tuple((s.setting.text, s.value.text) for s in context.sets)
    _seen[id(knowledge), facts, sets] = knowledge, context
    return context


def pytest_configure(config: pytest.Config) -> None:
    """Note every policy that is bound from here on."""
    pipeline.bind = _recording  # type: ignore[attr-defined]
    coverage.bind = _recording  # type: ignore[attr-defined]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write what those policies exercise."""
    done = Exercised()
    for knowledge, context in _seen.values():
        done = done.joined(exercised_by(knowledge, context))
    Path(os.environ["EXERCISED"]).write_text(record(done), encoding="utf-8")


def record(done: Exercised) -> str:
    """What was exercised, as `kb coverage` reads it."""
    data = {kind: sorted(names) for kind, names in done._asdict().items()}
    return json.dumps({"schema": RECORD, **data}, indent=2) + "\n"
