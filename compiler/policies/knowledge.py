"""The knowledge of the programs of one run.

The standard library is the same for all of them, and looking for changes of its files takes as long as reading several
policies. A site's own knowledge is built together with the library, which takes a few tenths of a second: programs that
include the same files get the same knowledge base.
"""

from setpoint.compiler.knowledge.library import library_at
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import Program
from setpoint.compiler.pipeline import knowledge_for

SiteTexts = tuple[tuple[str, str], ...]
"""The files of a site's own knowledge that a program includes: their names and texts."""

KEPT = 4
"""For how many sites' own files the knowledge is kept: the programs of a folder that share them are mostly
neighbours."""


class KnowledgeOfRun:
    """Knowledge bases by the site's files in them, with the library in a folder ("" for the installed one)."""

    def __init__(self, library: str = "") -> None:
        self._library = library
        self._built: dict[SiteTexts, Knowledge] = {}

    def of(self, program: Program) -> Knowledge:
        """The knowledge of a program. Raises SetpointError for errors in the site's own."""
        texts = site_texts(program)
        knowledge = self._built.pop(texts, None)
        if knowledge is None:
            with library_at(self._library):
                knowledge = knowledge_for(program)
        self._built[texts] = knowledge
        if len(self._built) > KEPT:
            del self._built[next(iter(self._built))]
        return knowledge


def site_texts(program: Program) -> SiteTexts:
    """The site's own knowledge files of a program."""
    return tuple((tree.name, program.sources[tree.name]) for tree in program.site)
