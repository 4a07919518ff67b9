"""What is proven already, for later proofs of the same.

A site's knowledge changes a few parts of the proof, and the library with its hundreds of rules is in the others. So the
result of a part is kept under the fingerprint of all that it can read (`extract`), and the part is proven again only
when that has changed. Only parts without findings are kept: a finding has places and an example of the knowledge base at
hand, and is always made anew.

On disk the results are a file of the user's cache folder (`files.cache`), for all versions of the library and of sites
that were proven lately. It is used only while every module of the compiler is unchanged, and Python. The reachable
combinations of facts, which every part needs that is proven again, are in other such files, of which there are few: each is for
the facts of the last knowledge base that came to it. Deleting them costs time only.
"""

import os
import zlib
from collections.abc import Iterator

import setpoint.compiler
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.files.cache import cached, keep, recall
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.proof.reachable import Group, reachable
from setpoint.compiler.record import NamedTuple, distinct

MOST_KEPT = 2000
"""The maximum number of results on disk; those that were not used for longest are dropped. A library has about a hundred."""

PLACES = 8
"""The maximum number of files with combinations: somebody who goes back and forth between sites finds those of each."""


@distinct
class PartResult(NamedTuple):
    """The findings and statistics of a part of the proof; `superseding` are the sources that withdraw a rule of another there."""

    findings: tuple[Diagnostic, ...] = ()
    overridden: tuple[str, ...] = ()
    contexts: int = 0
    situations: int = 0
    plans: int = 0
    conflicts: int = 0
    superseding: tuple[str, ...] = ()


class Memory:
    """The results of parts, by fingerprint. This one lasts as long as the object."""

    def __init__(self) -> None:
        self._before: dict[str, PartResult] = {}
        self._used: dict[str, PartResult] = {}
        self._groups: dict[str, tuple[Group, ...]] = {}

    def recall(self, fingerprint: str) -> PartResult | None:
        """The result of a part that was proven already."""
        found = self._used.get(fingerprint) or self._before.get(fingerprint)
        if found is not None:
            self._used[fingerprint] = found
        return found

    def learn(self, fingerprint: str, result: PartResult) -> None:
        """Remember the result of a part, if nothing was found."""
        if not result.findings:
            self._used[fingerprint] = result

    def groups(self, knowledge: Knowledge, facts: str) -> tuple[Group, ...]:
        """The reachable combinations of facts; `facts` is their fingerprint.

        They also say which assumptions are in use, by their places, which no fingerprint has.
        """
        key = f"{facts} {[each.span for each in knowledge.assumptions]}"
        if key not in self._groups:
            self._groups[key] = self._reachable(knowledge, key)
        return self._groups[key]

    def _reachable(self, knowledge: Knowledge, key: str) -> tuple[Group, ...]:
        return reachable((knowledge,))


class KeptMemory(Memory):
    """The results of parts on disk: read at the beginning, and written by `keep`."""

    def __init__(self) -> None:
        super().__init__()
        self._files = list(_modules())
        self._before = self._kept()

    def _reachable(self, knowledge: Knowledge, key: str) -> tuple[Group, ...]:
        """Those of an earlier proof with the same facts, if they are still there."""
        found: tuple[Group, ...] = cached(
            f"combinations-{zlib.crc32(key.encode()) % PLACES}",
            self._files,
            lambda: [super(KeptMemory, self)._reachable(knowledge, key)],
            1,
            [key],
        )[0]
        return found

    def _kept(self) -> dict[str, PartResult]:
        found = recall("proof", self._files)
        return found[0] if found else {}

    def keep(self) -> None:
        """Write what was learned, if anything was, and what another process has written meanwhile."""
        if self._used.keys() <= self._before.keys():
            return
        kept = self._kept()
        others = {key: result for key, result in kept.items() if key not in self._used}
        lately = list((others | self._used).items())[-MOST_KEPT:]
        keep("proof", self._files, [dict(lately)])


def _modules() -> Iterator[str]:
    """Every module of the compiler: a check that changes may find something else."""
    for place, folders, names in os.walk(setpoint.compiler.__path__[0]):
        folders.sort()
        yield from (os.path.join(place, name) for name in sorted(names) if name.endswith(".py"))
