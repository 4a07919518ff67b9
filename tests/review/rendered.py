"""Markdown as GitHub renders it, by its own parser, taken apart into tables, lists and what is in them.

What a forge does to the text afterwards (people, issues, emoji) is known by patterns of its documentation, which here
are written anew and not taken from the code that they judge.
"""

import re
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options

FORGE = re.compile(
    r"""(?<![\w.])@[A-Za-z0-9]          # a person, a team
      | [\w.]@[\w-]+\.\w                # an address
      | (?<!\w)[#!$%~&][A-Za-z0-9"]     # an issue, a merge request, a snippet, a milestone, a label, an epic
      | (?<![A-Za-z0-9])GH-\d
      | https?://\w | ftp://\w | (?<![A-Za-z0-9])www\.\w
      | :[a-z0-9_+-]+:                  # an emoji
      | \b[0-9a-f]{7,40}\b              # a commit
    """,
    re.VERBOSE,
)
"""What GitHub or GitLab turns into something else than text."""


def html_of(markdown: str) -> str:
    """As GitHub's parser has it; raw HTML is kept, so that a test sees it."""
    return str(cmarkgfm.github_flavored_markdown_to_html(markdown, options=Options.CMARK_OPT_UNSAFE))


class Page(HTMLParser):
    """The parts of a page: the tags that occur, tables as rows of cells' texts, list items, headings, all text."""

    def __init__(self, markdown: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.items: list[str] = []
        self.headings: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(html_of(markdown))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        elif tag == "li":
            self.items.append("")
        elif re.fullmatch("h[1-6]", tag):
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.text += data
        if "td" in self._open or "th" in self._open:
            self.tables[-1][-1][-1] += data
        elif "li" in self._open:
            self.items[-1] += data
        elif any(re.fullmatch("h[1-6]", tag) for tag in self._open):
            self.headings[-1] += data


def seen(text: str) -> str:
    """A text as a reader sees it, without zero-width characters."""
    return text.replace("\u200b", "")
