"""Tables that can be read on a narrow page.

Each cell has the head of its column as an attribute, `data-label`. Where there is no room for columns, `site.css` shows
each row as a block, and each cell as a line that begins with this label.
"""

from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from mkdocs.config.defaults import MkDocsConfig

AFTER_ALL = -10
"""A priority below that of Markdown's own steps: the heads have their final text, without escapes."""


class _Labels(Treeprocessor):
    """Gives each cell the head of its column."""

    def run(self, root: Element) -> None:
        for table in root.iter("table"):
            heads = ["".join(head.itertext()).strip() for head in table.iter("th")]
            for row in table.iterfind("tbody/tr"):
                for head, cell in zip(heads, row, strict=False):
                    if head:
                        cell.set("data-label", head)


class _Tables(Extension):
    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown's name
        md.treeprocessors.register(_Labels(md), "labels", AFTER_ALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the step to the renderer of all pages."""
    config.markdown_extensions.append(_Tables())  # type: ignore[arg-type] # Markdown takes objects as well as names
    return config
