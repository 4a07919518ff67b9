"""What is proven already, for later proofs of the same.

A site's knowledge changes a few parts of the proof, and the library with its hundreds of rules is in the others. So the
result of a part is kept under the fingerprint of all that it can read (`extract`), and the part is proven again only
when that has changed. Only parts without findings are kept: a finding has places and an example of the knowledge base
at hand, and is always made anew.

On disk the results are a file of the user's cache folder (`files.cache`), for all versions of the library and of sites
that were proven lately. It is used only while Python is unchanged and every module of the compiler that the proof
imports, directly or by way of others. A change elsewhere, of a verb or of the reader of knowledge, proves nothing
again: what it makes of the knowledge base is in the fingerprints. The reachable combinations of facts, which every part
needs that is proven again, are in other such files, of which there are few: each is for the facts of the last knowledge
base that came to it. Deleting them costs time only.
"""

import os
import re
import zlib
from collections.abc import Iterator
from hashlib import blake2b

import setpoint.compiler
from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.files.cache import cached, keep, recall
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.proof.analysis import Reached
from setpoint.compiler.proof.reachable import Group, reachable
from setpoint.compiler.record import NamedTuple

MOST_KEPT = 2000
"""The maximum number of results on disk; the least recently used are dropped. A library has about a hundred."""

PLACES = 8
"""The maximum number of files of results, and of combinations: somebody who goes back and forth between sites or
compilers finds those of each.
"""

PROVING = "setpoint.compiler.proof.prove"
"""The module that has the proof."""

FOR_FINDINGS = frozenset(("setpoint.compiler.pipeline", "setpoint.compiler.language.program"))
"""The modules that plan the example of a finding. A part with findings is not kept, so these do not matter."""

IMPORT = re.compile(r"^ *(?:from|import) (setpoint\.compiler[\w.]*)(?: import (\([^)]*\)|.*))?", re.MULTILINE)
"""An import of modules of the compiler, also within a function; the names are modules too, or what the module has."""


class PartResult(NamedTuple):
    """The findings and statistics of a part of the proof; `superseding` are the sources that withdraw rules of others.

    `reached` is what the settings of a component get if policies set nothing.
    """

    findings: tuple[Diagnostic, ...] = ()
    overridden: tuple[str, ...] = ()
    contexts: int = 0
    situations: int = 0
    plans: int = 0
    conflicts: int = 0
    superseding: tuple[str, ...] = ()
    reached: tuple[Reached, ...] = ()


class Memory:
    """The results of parts, by fingerprint. This one lasts as long as the object."""

    def __init__(self) -> None:
        self._before: dict[str, PartResult] = {}
        self._used: dict[str, PartResult] = {}
        self._groups: dict[str, tuple[Group, ...]] = {}

    def recall(self, fingerprint: str) -> PartResult | None:
        """The result of a part that was proven already."""
        part = self._used.get(fingerprint) or self._before.get(fingerprint)
        if part is not None:
            self._used[fingerprint] = part
        return part

    def learn(self, fingerprint: str, result: PartResult) -> None:
        """Remember the result of a part, if nothing was found."""
        if not result.findings:
            self._used[fingerprint] = result

    def groups(self, knowledge: Knowledge, facts: str) -> tuple[Group, ...]:
        """The reachable combinations of facts; `facts` is their fingerprint."""
        if facts not in self._groups:
            self._groups[facts] = self._reachable(knowledge, facts)
        return self._groups[facts]

    def _reachable(self, knowledge: Knowledge, facts: str) -> tuple[Group, ...]:
        return reachable((knowledge,))


class KeptMemory(Memory):
    """The results of parts on disk: read at the beginning, and written by `keep`."""

    def __init__(self) -> None:
        super().__init__()
        self._state = _state(dict(_modules()))
        self._before = self._kept()

    def _reachable(self, knowledge: Knowledge, facts: str) -> tuple[Group, ...]:
        """Those of an earlier proof with the same facts, if they are still there."""
        groups: tuple[Group, ...] = cached(
            _place("combinations", facts),
            (),
            lambda: [super(KeptMemory, self)._reachable(knowledge, facts)],
            1,
            [self._state, facts],
        )[0]
        return groups

    def _kept(self) -> dict[str, PartResult]:
        parts = recall(_place("proof", self._state), (), 1, [self._state])
        return parts[0] if parts else {}

    def keep(self) -> None:
        """Write what was learned, if anything was, and what another process has written meanwhile."""
        if self._used.keys() <= self._before.keys():
            return
        kept = self._kept()
        others = {key: result for key, result in kept.items() if key not in self._used}
        lately = list((others | self._used).items())[-MOST_KEPT:]
        keep(_place("proof", self._state), (), [dict(lately)], [self._state])


def _place(name: str, key: str) -> str:
    """One of the few files of a kind."""
    return f"{name}-{zlib.crc32(key.encode()) % PLACES}"


def _state(modules: dict[str, str]) -> str:
    """The digest of modules: their contents, since a checkout gives files that are equal other times."""
    digest = blake2b(digest_size=16)
    for name, text in sorted(modules.items()):
        digest.update(f"{name} {len(text)}\n{text}".encode())
    return digest.hexdigest()


def _modules() -> Iterator[tuple[str, str]]:
    """Each module of the compiler that the proof imports, directly or by way of others, and its text."""
    ahead, seen = [PROVING], set(FOR_FINDINGS)
    while ahead:
        name = ahead.pop()
        path = _path(name)
        if name in seen or not path:
            continue
        seen.add(name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        yield name, text
        ahead.append(name.rpartition(".")[0])
        for module, names in IMPORT.findall(text):
            ahead += [module, *(f"{module}.{word}" for word in re.findall(r"\w+", names))]


def _path(name: str) -> str:
    """The file of a module of the compiler; "" if nothing there has this name."""
    parts = name.split(".")[2:]
    place = os.path.join(setpoint.compiler.__path__[0], *parts)
    return next(
        (path for path in (f"{place}.py", os.path.join(place, "__init__.py")) if os.path.isfile(path)), ""
    )
