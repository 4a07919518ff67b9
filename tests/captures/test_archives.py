"""Archives that somebody made to do harm: nothing gets out of them, and reading ends soon, with an error."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
from pathlib import Path

import pytest

from captures.archive import SOS, SOS_LINKS, TOP, pack
from setpoint.compiler.captures import archives
from setpoint.compiler.captures.archives import ArchiveError, read_archive
from setpoint.compiler.captures.carriers import capture_from
from setpoint.compiler.captures.resources import UnreadPlaceError
from setpoint.compiler.captures.tree import ArchiveTree
from setpoint.compiler.diagnostics import SetpointError


def tree_of(path: Path) -> ArchiveTree:
    with path.open("rb") as file:
        return read_archive(file, lambda name: True)


@pytest.mark.parametrize("target", ["/etc/passwd", "../../../../etc/passwd", "proc/../../outside", "."])
def test_a_link_leads_nowhere_else(tmp_path: Path, target: str) -> None:
    """Neither to the disk, nor above the archive; a link to its own folder is no circle."""
    pack(tmp_path / "a.tar", {"proc/version": "x\n"}, {"proc/cmdline": target}, top="")
    with pytest.raises(UnreadPlaceError, match="absent"):
        tree_of(tmp_path / "a.tar").text("proc/cmdline")


def test_links_in_a_circle(tmp_path: Path) -> None:
    pack(tmp_path / "a.tar", {}, {"a": "b", "b": "a", "c": "c/c"}, top="")
    tree = tree_of(tmp_path / "a.tar")
    for name in "abc":
        assert tree.names(name) == []
        with pytest.raises(UnreadPlaceError):
            tree.text(name)


@pytest.mark.parametrize("name", ["/etc/passwd", "../etc/passwd", "a/../../b", "a\0b", "x" * 5_000])
def test_a_name_that_leads_out_is_passed_over(tmp_path: Path, name: str) -> None:
    pack(tmp_path / "a.tar", {name: "x", "good": "y"}, top="")
    tree = tree_of(tmp_path / "a.tar")
    assert "good" in tree.names("") and "etc" not in tree.names("")
    assert not (tmp_path.parent / "etc").exists()


def test_devices_and_pipes_are_passed_over(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        for name, kind in (("pipe", tarfile.FIFOTYPE), ("disk", tarfile.BLKTYPE), ("tty", tarfile.CHRTYPE)):
            member = tarfile.TarInfo(name)
            member.type = kind
            archive.addfile(member)
    assert tree_of(tmp_path / "a.tar").names("") == []


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    capture_from(pack(tmp_path / "a.tar.xz", SOS, SOS_LINKS))
    assert [*(tmp_path / "here").iterdir()] == []


@pytest.mark.parametrize("ending", ["tar", "tar.gz", "tar.xz", "tar.bz2"])
def test_an_archive_that_is_cut_off_is_no_archive(tmp_path: Path, ending: str) -> None:
    """What the rest would have had must not be taken for missing."""
    path = Path(
        pack(tmp_path / f"a.{ending}", SOS | {f"proc/{n}": str(n) * 600 for n in range(60)}, SOS_LINKS)
    )
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SetpointError, match="no capture in"):
        capture_from(str(path))


def bomb(size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(f"{TOP}proc/cmdline")
    member.size = size
    return member


def test_an_archive_that_unpacks_to_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is too large to be kept is passed over; an archive that is too large is refused, after that much
    work."""
    monkeypatch.setattr(archives, "MOST_UNPACKED", 1 << 22)
    with gzip.open(tmp_path / "a.tar.gz", "wb") as file:
        file.write(bomb(1 << 34).tobuf())
        for _ in range(64):
            file.write(bytes(1 << 20))
    with pytest.raises(ArchiveError, match="unpacks to more than"):
        tree_of(tmp_path / "a.tar.gz")


def test_a_header_that_takes_all_memory(tmp_path: Path) -> None:
    """`tarfile` reads a long name, or an extended header, as a whole: it may not be long."""
    for kind in (tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME):
        member = tarfile.TarInfo("x")
        member.type, member.size = kind, 1 << 33
        (tmp_path / "a.tar").write_bytes(member.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
        with pytest.raises(ArchiveError, match="a header in it is too large"):
            tree_of(tmp_path / "a.tar")


def test_too_many_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBERS", 10)
    pack(tmp_path / "a.tar", {str(n): "" for n in range(11)})
    with pytest.raises(ArchiveError, match="more than 10 members"):
        tree_of(tmp_path / "a.tar")


def test_more_than_fits_into_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_KEPT", 10_000)
    pack(tmp_path / "a.tar", {str(n): "x" * 1_000 for n in range(11)})
    with pytest.raises(ArchiveError, match="would have to be kept"):
        tree_of(tmp_path / "a.tar")


def test_a_file_that_is_too_large_is_said_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_TEXT", 100)
    pack(tmp_path / "a.tar", {"proc/cmdline": "x" * 101}, top="")
    with pytest.raises(UnreadPlaceError, match="too large"):
        tree_of(tmp_path / "a.tar").text("proc/cmdline")


def test_an_unpacker_that_takes_all_memory(tmp_path: Path) -> None:
    """xz: the header of a file asks for a dictionary, here of 1.5 GiB."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 3 << 29}]
    whole = lzma.compress(bytes(1024), filters=filters)
    (tmp_path / "a.tar.xz").write_bytes(whole)
    with pytest.raises(ArchiveError, match="damaged"):
        tree_of(tmp_path / "a.tar.xz")


def test_an_archive_of_several_streams(tmp_path: Path) -> None:
    """As parallel packers write them."""
    pack(tmp_path / "a.tar", {"proc/cmdline": "ro"}, top="")
    whole = (tmp_path / "a.tar").read_bytes()
    for pack_ in (gzip.compress, lzma.compress):
        (tmp_path / "b").write_bytes(pack_(whole[:700]) + pack_(whole[700:]))
        assert tree_of(tmp_path / "b").text("proc/cmdline") == "ro"


def test_what_is_behind_a_damaged_header(tmp_path: Path) -> None:
    file = io.BytesIO()
    pack(tmp_path / "a.tar", {"a": "x", "b": "y"}, top="")
    whole = bytearray((tmp_path / "a.tar").read_bytes())
    whole[1024:1030] = b"damage"
    file.write(whole)
    file.seek(0)
    with pytest.raises(ArchiveError):
        read_archive(file, lambda name: True)
