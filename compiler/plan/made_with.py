"""What a plan was made with: the compiler and the knowledge.

Two libraries can give different plans for the same policy, so every output records which ones it is from.
"""

from setpoint.compiler.knowledge.library import KnowledgeDigests
from setpoint.compiler.record import NamedTuple

VERSION = "0.2.0"
"""The version of the compiler, as in `pyproject.toml`."""

SHORT = 12
"""How many digits of a digest people are shown."""


class MadeWith(NamedTuple):
    """The version of the compiler, and the digests of the library, the site's own knowledge and its table of facts.

    A digest is "" if there is no such knowledge.
    """

    setpoint: str
    library: str
    site: str = ""
    facts: str = ""

    @property
    def document(self) -> dict[str, str]:
        """The same as JSON data."""
        return {name: text for name, text in self._asdict().items() if text}

    @property
    def text(self) -> str:
        """`Setpoint 0.1.0, library 3f2a91c04d7e`, with each digest in backticks."""
        named = {"library": self.library, "site knowledge": self.site, "table of facts": self.facts}
        parts = [f"{name} `{short(digest)}`" for name, digest in named.items() if digest]
        return ", ".join([f"Setpoint {self.setpoint}", *parts])


def made_with(digests: KnowledgeDigests) -> MadeWith | None:
    """What a plan with this knowledge is made with; None if it is of no files, and has no digest."""
    return MadeWith(VERSION, *digests) if digests.library else None


def short(digest: str) -> str:
    """A digest as people are shown it."""
    return digest[:SHORT]
