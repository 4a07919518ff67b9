"""Extensions of MkDocs's configuration.

- `folder/*` in the navigation stands for the pages of that folder that it does not name, so that a new target, source,
  diagnostic or decision has its place without an edit there.
- The page of a target is the README in its folder, unless `docs/targets` has a longer one.
- Links lead to files of the repository, so that they work where the sources are read; here they lead to the pages of
  these.
- The JSON Schemas of the outputs go along, under `schemas/`.
- The playground shows plans in the style of their own page, which goes along as `playground/plan.css`. What else it
  loads is put into the built site by `docs/playground/assemble.py`.
- A fenced block may say after its language what the tests do with it (`tune error E0401`). Readers see in words that it
  is an error, and the name that it gives a file (`file=web.tune`), but nothing else of that.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any

from knowledge_pages import FOLDER, made
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(?P<language>[\w-]+) (?P<words>[^\n`]+)$", re.MULTILINE)
CODED = re.compile(r"(?P<kind>error|warning) (?P<code>[EWK]\d+)")
ARTICLE = {"error": "an error", "warning": "a warning"}
NAMED = re.compile(r"file=(\S+)")
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)(?P<path>[^)#\s]+)")
README = re.compile(r"targets/(?P<folder>\w+)/README\.md")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill the stars of the navigation."""
    named = set(_named(config.nav or []))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    pages |= {f"targets/{_target(path)}.md" for path in _readmes()}
    if any(page.startswith(f"{FOLDER}/") for page in named):  # a manual of a few pages has none of these
        pages |= made().keys()
    config.nav = _filled(config.nav or [], pages - named)
    return config


def _named(entries: list[Any]) -> Iterator[str]:
    """The pages that a navigation names."""
    for entry in entries:
        for value in entry.values() if isinstance(entry, dict) else (entry,):
            yield from _named(value) if isinstance(value, list) else (value,)


def _filled(entries: list[Any], pages: set[str]) -> list[Any]:
    filled: list[Any] = []
    for entry in entries:
        if isinstance(entry, str) and entry.endswith("/*"):
            folder = entry.removesuffix("*")
            filled += sorted(p for p in pages if p.startswith(folder) and "/" not in p.removeprefix(folder))
        elif isinstance(entry, dict):
            filled.append({k: _filled(v, pages) if isinstance(v, list) else v for k, v in entry.items()})
        else:
            filled.append(entry)
    return filled


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages of the targets, the schemas, and the style of plans."""
    for readme in _readmes():
        name = f"targets/{_target(readme)}.md"
        if files.get_file_from_path(name) is None:
            files.append(File.generated(config, name, content=readme.read_text(encoding="utf-8")))
    for schema in sorted((ROOT / "compiler").rglob("*.schema.json")):
        files.append(File.generated(config, f"schemas/{schema.name}", abs_src_path=str(schema)))
    style = ROOT / "compiler" / "render" / "page" / "style.css"
    files.append(File.generated(config, "playground/plan.css", abs_src_path=str(style)))
    return files


def _readmes() -> list[Path]:
    return sorted((ROOT / "targets").glob("[a-z]*/README.md"))


def _target(readme: Path) -> str:
    return readme.parent.name.replace("_", "-")


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Take from the fences what only the tests read, and turn links into those of the site."""
    here = page.file.src_uri

    def shown(fence: re.Match[str]) -> str:
        name, code = NAMED.search(fence["words"]), CODED.match(fence["words"])
        title = f'<p class="file">{name[1]}</p>\n\n' if name else ""
        if code and not here.startswith("diagnostics/"):
            link = relpath(f"diagnostics/{code['code']}.md", dirname(here))
            title = f"This is {ARTICLE[code['kind']]}, [{code['code']}]({link}):\n\n"
        return f"{title}```{fence['language']}"

    return FENCE.sub(shown, LINK.sub(lambda link: _link(link["path"], here), markdown))


def _link(path: str, here: str) -> str:
    """The link of a page of the site that its source has as a link to a file of the repository."""
    source = next(
        (readme for readme in _readmes() if here == f"targets/{_target(readme)}.md"), ROOT / "docs" / here
    )
    if (ROOT / "docs" / here).is_file():
        source = ROOT / "docs" / here
    place = normpath(join(source.parent.relative_to(ROOT).as_posix(), path))
    if readme := README.fullmatch(place):
        place = f"docs/targets/{readme['folder'].replace('_', '-')}.md"
    elif place.endswith(".schema.json"):
        place = f"docs/schemas/{place.rpartition('/')[2]}"
    return relpath(place, join("docs", dirname(here)))
