"""Draw the architecture page of the manual from the code: which room imports which, and what each is for.

    PYTHONPATH=.dev:tests python -m house.architecture

It writes `docs/architecture.svg`, and the part of `docs/architecture.md` between its two markers. In the picture the
rooms stand one below another, in the order of `rooms.ROOMS`. An arrow on the right goes down. One that other arrows
lead along anyway is left out: where A imports B and B imports C, that A imports C shows nothing new. All arrows that go
up are drawn, on the left. `pytest --update` writes both files too, and a test finds them stale.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from html import escape

from house.rooms import EXPLAINED, FLOOR, Import, imports, tree_of
from support.command import ROOT

PAGE = ROOT / "docs" / "architecture.md"
PICTURE = ROOT / "docs" / "architecture.svg"
START, END = "<!-- Written by tests/house/architecture.py: begin -->", "<!-- end -->"

ROW, BOX_WIDTH, BOX_HEIGHT, LEFT = 46, 130, 28, 130
DATA = {"grammar": "The language's grammar, for Lark.", "stdlib": "Knowledge, in the language."}
"""The rooms without code, and what they are for."""


def main() -> None:
    """Write the picture and the part of the page."""
    PICTURE.write_text(picture(), encoding="utf-8", newline="\n")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


def page(text: str) -> str:
    """The page with the part between the markers rewritten."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n\n{_table()}\n{END}{after}"


def picture() -> str:
    """The import diagram, as SVG."""
    rooms = _rooms()
    places = {room: number for number, room in enumerate(rooms)}
    arrows = sorted(essential(imports()), key=lambda one: (places[one.imported] - places[one.room], one))
    reach = max(abs(places[one.imported] - places[one.room]) for one in arrows)
    width = LEFT + BOX_WIDTH + 24 + 17 * reach
    height = ROW * len(rooms) + 10
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="14">',
        "<title>Which room imports which</title>",
        '<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="context-stroke"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *(_box(room, places[room]) for room in rooms),
        *(_arrow(one, places) for one in arrows),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def essential(every: frozenset[Import]) -> set[Import]:
    """The imports without those that go down and that a chain of other imports that go down leads along."""
    down: dict[str, set[str]] = {}
    for one in every:
        if not one.upward:
            down.setdefault(one.room, set()).add(one.imported)

    def below(room: str) -> Iterator[str]:
        for other in down.get(room, ()):
            yield other
            yield from below(other)

    return {
        one
        for one in every
        if one.upward or not any(one.imported in below(o) for o in down[one.room] - {one.imported})
    }


def _rooms() -> list[str]:
    return sorted(FLOOR, key=lambda room: FLOOR[room])


def _middle(place: int) -> int:
    return ROW * place + ROW // 2 + 5


def _box(room: str, place: int) -> str:
    y = _middle(place)
    fill = "#eee" if room in DATA else "#e3ecf7"
    return (
        f'<rect x="{LEFT}" y="{y - BOX_HEIGHT // 2}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="4" fill="{fill}"'
        f' stroke="#456"/><text x="{LEFT + BOX_WIDTH // 2}" y="{y + 5}" text-anchor="middle">{escape(room)}</text>'
    )


def _arrow(one: Import, places: Mapping[str, int]) -> str:
    start, end = _middle(places[one.room]), _middle(places[one.imported])
    distance = abs(places[one.imported] - places[one.room])
    title = f"<title>{one.room} imports {one.imported}</title>"
    if distance == 1 and not one.upward:
        x = LEFT + BOX_WIDTH // 2
        path, colour = f"M{x} {start + BOX_HEIGHT // 2}V{end - BOX_HEIGHT // 2}", "#456"
    elif one.upward:
        x, bend = LEFT, LEFT - 12 * distance - 10
        path, colour = f"M{x} {start - 4}C{bend} {start - 4} {bend} {end + 4} {x} {end + 4}", "#b00"
    else:
        x, bend = LEFT + BOX_WIDTH, LEFT + BOX_WIDTH + 22 * distance
        path, colour = f"M{x} {start + 4}C{bend} {start + 4} {bend} {end - 4} {x} {end - 4}", "#456"
    dashes = ' stroke-dasharray="5 3"' if one.upward else ""
    return f'<path d="{path}" fill="none" stroke="{colour}"{dashes} marker-end="url(#end)">{title}</path>'


def _table() -> str:
    """What each room is for, by the first sentence of its docstring, and what it imports."""
    lines = ["| room | what it is for | imports from |", "|---|---|---|"]
    for room in _rooms():
        used = [
            one for one in sorted(imports(), key=lambda one: (FLOOR[one.imported], one)) if one.room == room
        ]
        told = ", ".join(f"*{one.imported}*" if one.upward else one.imported for one in used)
        lines.append(f"| `{room}` | {_purpose(room)} | {told} |")
    upward = sorted({one.room for one in imports() if one.upward})
    links = [f"`{room}` ([decision {EXPLAINED[room][:4]}](decisions/{EXPLAINED[room]}))" for room in upward]
    lines += (
        ["", f"Imports in italics go up. A decision explains those of {', '.join(links)}."] if links else []
    )
    return "\n".join(lines) + "\n"


def _purpose(room: str) -> str:
    """The first sentence of a room's docstring."""
    if room in DATA:
        return DATA[room]
    folder = ROOT / room if (ROOT / room).is_dir() else ROOT / "compiler" / room
    source = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    told = ast.get_docstring(tree_of(source)) or ""
    return re.split(r"(?<=\.)\s|\n\n", told, maxsplit=1)[0].replace("\n", " ").replace("|", r"\|")


if __name__ == "__main__":
    main()
