"""The architecture page is drawn from the code, and matches it."""

from pathlib import Path
from xml.etree import ElementTree

from house.architecture import PAGE, PICTURE, essential, main, page, picture
from house.rooms import FLOOR, Import, imports, rooms_imported


def test_the_page_matches_the_code(update: bool) -> None:
    if update:
        main()
    assert PICTURE.read_text(encoding="utf-8") == picture(), "run pytest --update"
    text = PAGE.read_text(encoding="utf-8")
    assert text == page(text), "run pytest --update"


def test_the_picture_has_every_room_and_every_import_that_follows_from_no_other() -> None:
    texts = [one.text or "" for one in ElementTree.fromstring(picture()).iter() if one.text]
    assert set(FLOOR) <= set(texts)
    drawn = {text for text in texts if " imports " in text and not text.startswith("Which")}
    assert drawn == {f"{one.room} imports {one.imported}" for one in essential(imports())}


def test_what_other_arrows_lead_along_is_left_out() -> None:
    cli, plan, language = Import("cli", "plan"), Import("plan", "language"), Import("cli", "language")
    up = Import("language", "cli")
    assert essential(frozenset({cli, plan, language})) == {cli, plan}
    assert essential(frozenset({cli, language})) == {cli, language}
    assert essential(frozenset({cli, plan, up})) == {cli, plan, up}


def test_an_import_in_a_function_is_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "import setpoint.compiler.cli\nfrom setpoint.compiler import plan\n"
        "def f():\n    from setpoint.stdlib import thing\n    import json\n",
        encoding="utf-8",
    )
    assert sorted(rooms_imported(module)) == ["cli", "plan", "stdlib"]
