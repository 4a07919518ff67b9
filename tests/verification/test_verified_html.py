"""The page of a verification: valid HTML that needs nothing else, in which what servers show stays text."""

import json
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib
import pytest

from consumers.chromium import browser, resize, served
from support.command import Ran, setpoint

POLICY = """goal latency; cpu ice-lake; os debian 13; set swappiness 10 because "a test";
for host c042 { accept difference of swappiness because "its <database> sets it" until 2027-03-01; }
"""
HOSTILE = "</td></table><script>alert(1)</script>\x1b[2J"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy, three captures with another swappiness, of which one wants to run a script, and one of another
    server."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "site.tune").write_text(POLICY, encoding="utf-8")
    (folder / "captures").mkdir()
    for name, text in (("c042", "60"), ("c043", "60"), ("c044<img src=x>", HOSTILE)):
        read = {"/proc/sys/vm/swappiness": text, "/proc/cmdline": f"ro idle=poll {HOSTILE}"}
        write(folder, name, read)
    write(folder, "c045", {"/etc/os-release": "ID=fedora"})
    return folder


def write(folder: Path, name: str, read: dict[str, str]) -> None:
    data = {"schema": "setpoint.capture/1", "host": {"read": read, "unread": {}}}
    (folder / f"captures/{name}.json").write_text(json.dumps(data), encoding="utf-8")


def verify(folder: Path, against: str = "captures", *words: str) -> Ran:
    day = ("--today", "2027-01-01", "--format", "html")
    return setpoint("verify", "site.tune", "--against", against, *day, *words, cwd=folder)


@pytest.fixture(scope="module")
def fleet(site: Path) -> str:
    return verify(site).out


def parsed(text: str) -> Element:
    """The tree of a document; html5lib raises what the standard calls a parse error."""
    tree: Element = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    return tree


def texts(tree: Element, name: str) -> list[str]:
    return [" ".join("".join(each.itertext()).split()) for each in tree.iter(name)]


def test_what_is_wrong_comes_first_with_who_decided_and_what_would_change_it(fleet: str) -> None:
    tree = parsed(fleet)
    heads = texts(tree, "h2")
    assert heads == ["Not compared", "Differs", "Waived", "Unreadable", "All settings"]
    rows = texts(tree, "tr")
    assert any(row.startswith("swappiness on c043 found 60, planned 10") for row in rows)
    assert any("decided by: operating system; to change:" in row for row in rows)
    assert any("differs, waived until 2027-03-01: its <database> sets it" in row for row in rows)


def test_one_server_is_named_once(site: Path) -> None:
    tree = parsed(verify(site, "captures/c042.json").out)
    assert texts(tree, "h1") == ["Verification: site-c042"]
    assert "The server c042, compared with what its policy plans." in texts(tree, "p")
    assert not [text for text in texts(tree, "small") if "on" in text]


def test_what_servers_show_stays_text(fleet: str) -> None:
    tags = {each.tag for each in parsed(fleet).iter()}
    assert not tags & {"script", "img", "link", "iframe", "object", "base", "form", "a"}
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\\x1b[2J" in fleet
    assert "\x1b" not in fleet


def test_every_setting_is_in_the_table(site: Path, fleet: str) -> None:
    data = json.loads(verify(site, "captures", "--format", "json").out)
    table = [*parsed(fleet).iter("tbody")][-1]
    assert len([*table.iter("tr")]) == len(data["results"])


def test_it_fits_wide_and_narrow_screens(site: Path, tmp_path: Path) -> None:
    assert verify(site, "captures", "-o", str(tmp_path / "fleet.html")).out == ""
    with served(tmp_path) as server, browser() as driver:
        for width, scheme in ((1200, "light"), (400, "dark")):
            resize(driver, width, 900, scheme)
            driver.get(f"{server.address}/fleet.html")
            assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
            colour = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
            assert colour == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(22, 24, 28)")
