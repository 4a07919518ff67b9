"""What a page has open: the texts of its files, analysed, and what was found about them before."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

from setpoint.compiler.binding.levels import Subject, candidates
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.parse import is_day
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.pipeline import Planned, Selection, chosen_subjects, plan_subject
from setpoint.compiler.policies.check import states_anything
from setpoint.compiler.policies.known import Known
from setpoint.compiler.record import NamedTuple

POLICY = "policy.tune"
"""The name of the file that is planned."""

KNOWLEDGE = "knowledge.tune"
"""The name of the file with a site's knowledge, for `include`."""


class Asked(NamedTuple):
    """The contents of a request.

    `other` is the policy to compare with. `plan` is the name of the plan that is shown, "" for the first one. `name` is
    the setting to explain, or the fact whose values are wanted; `facts` are those of a matrix, in the words of the
    language. `before` is the text of the policy up to the cursor.
    """

    files: Mapping[str, str]
    today: str
    other: str = ""
    plan: str = ""
    name: str = ""
    before: str = ""
    facts: Mapping[str, str] = MappingProxyType({})

    @classmethod
    def of(cls, data: Any) -> Asked:
        """The request in JSON data. Raises ValueError if it has another form."""
        if not isinstance(data, dict):
            raise ValueError("a request is an object")
        files, facts = _texts(data.get("files", {})), _texts(data.get("facts", {}))
        words = _texts({name: data.get(name, "") for name in ("today", "other", "plan", "name", "before")})
        if not is_day(words["today"]):
            raise ValueError("a request has the day `today`")
        if not {POLICY, *files} <= {POLICY, KNOWLEDGE}:
            raise ValueError(f"files are named {POLICY} and {KNOWLEDGE}")
        return cls({POLICY: "", **files}, facts=facts, **words)


def _texts(data: Any) -> dict[str, str]:
    if not isinstance(data, dict) or not all(isinstance(text, str) for text in data.values()):
        raise ValueError("names and texts are needed")
    return data


class Session:
    """The state of a page: what is known of its policies, for each policy that it has."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Known] = {}

    def opened(self, files: Mapping[str, str], today: str, which: str = "a") -> Opened:
        """The files as they are now; `which` distinguishes the policies of a page."""
        known = self._known.setdefault((which, today), Known(Selection(today=today)))
        return Opened(files, known)


class Opened:
    """The files of a request, analysed as an editor would."""

    def __init__(self, files: Mapping[str, str], known: Known) -> None:
        self.texts = files
        self._known = known
        opened = {os.path.realpath(name): text for name, text in files.items()}
        self.document = Document(POLICY, opened, known)

    @property
    def knowledge(self) -> Knowledge:
        """The library, with the site's knowledge if the policy includes it. Raises SetpointError for errors there."""
        program = self.document.program
        return self._known.knowledge(program) if program else standard()

    @property
    def selection(self) -> Selection:
        """Which policies are planned, and for which day."""
        return self._known.selection

    @cached_property
    def subjects(self) -> dict[str, Subject]:
        """What the policy has plans of, by name: its policies, groups and hosts; nothing if something cannot be read.

        What exists only to be extended, or narrowed to a group, has no plan.
        """
        program = self.document.program
        if program is None or not states_anything(program.body):
            return {}
        try:
            knowledge = self.knowledge
            subjects = [
                *chosen_subjects(program, knowledge, self.selection),
                *(
                    subject
                    for candidate in candidates(program.body, program.stem)
                    for subject in candidate.hosts()
                ),
            ]
        except SetpointError:
            return {}  # which is among the findings
        checked = (self._known.checked(subject, knowledge) for subject in subjects)
        return {entry.subject.name: entry.subject for entry in checked if not entry.lacks_what_is_required}

    def planned(self, name: str) -> Planned | None:
        """The plan with a name, the first one if there is none of this name; None without any plan."""
        subject = self.subjects.get(name) or next(iter(self.subjects.values()), None)
        return plan_subject(subject, self.knowledge, self.selection) if subject else None
