"""A side at a git revision: its files are extracted into a temporary folder and read there.

All policy files of the revision are extracted, not only those below the compared path, since they may include one
another. Plans and manifests are extracted as well, so that bundles can be compared. Git is asked for objects by name,
so that attributes, filters and hooks of the repository have no effect.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE, SUFFIX
from setpoint.compiler.knowledge.words import suggestion
from setpoint.compiler.lowering.bundle import MANIFEST
from setpoint.compiler.record import NamedTuple, distinct

READ_SUFFIXES = (SUFFIX, "plan.json", MANIFEST)
"""The endings of the files that a comparison reads."""

FILES, LINKS = ("100644", "100755"), "120000"
"""The modes of git's tree entries that are read; folders are walked, modules left alone."""

HEAD = re.compile(rb"[0-9a-f]+ blob [0-9]{1,18}")
"""The header that git prints before the content of an existing file."""


@distinct
class ReadablePath(NamedTuple):
    """Where a name on the command line can be read.

    `root` is the folder that includes must stay inside, "" if none is given; `called` is the path as the reader knows
    it.
    """

    path: str
    root: str
    called: str


@contextmanager
def at(word: str, root: str = "") -> Iterator[ReadablePath]:
    """A path; or `REV:PATH` as in git: from the top of the repository, or from here if it begins with `./` or `../`.

    A word that exists as a file is that file. Raises SetpointError (E0607).
    """
    revision, colon, path = word.partition(":")
    if not colon or os.path.lexists(word):
        yield ReadablePath(word, root, word)
        return
    repository = Repository(".")
    from_here = path.split("/")[0] in (".", "..")
    inside = os.path.realpath(path if from_here else os.path.join(repository.top, path))
    if os.path.commonpath([inside, repository.top]) != repository.top:
        raise missing_path(path, f"at `{revision or 'HEAD'}`: it lies outside of the repository")
    with repository.files_at(repository.commit(revision)) as folder:
        place, root_there = (
            os.path.normpath(os.path.join(folder, os.path.relpath(each, repository.top)))
            for each in (inside, os.path.realpath(root))
        )
        if not os.path.lexists(place):
            raise missing_path(path or ".", f"at `{revision or 'HEAD'}`")
        yield ReadablePath(place, root_there if root else "", os.path.relpath(inside))


@distinct
class Placed(NamedTuple):
    """A path at a commit, or in the folder as it is, for the commit "". `later` is the commit that the path is named as of, `word`
    the reader's name for the commit.
    """

    repository: "Repository"
    commit: str
    later: str
    path: str
    word: str


def between(words: str, path: str) -> tuple[Placed, Placed]:
    """Both sides of `A..B` or `A...B`; nothing after the dots means the files in the folder. Raises SetpointError (E0607)."""
    first, dots, second = words.partition("...") if "..." in words else words.partition("..")
    repository = Repository(path)
    old = repository.commit(first)
    new = repository.commit(second) if second else ""
    if dots == "...":
        old = repository.merge_base(old, new or repository.commit("HEAD"))
    return (
        Placed(repository, old, new, path, first or "HEAD"),
        Placed(repository, new, new, path, second),
    )


@contextmanager
def opened(placed: Placed, root: str = "") -> Iterator[ReadablePath | None]:
    """A path at a commit; None if it did not exist. Its name is that at the later commit, even if it had another before."""
    repository, commit, later, called, _ = placed
    if not commit:
        yield ReadablePath(called, root, called) if os.path.lexists(called) else None
        return
    path = repository.path if commit == later else repository.former_path(commit, later)
    with repository.files_at(commit) as folder:
        place = os.path.normpath(os.path.join(folder, path))
        inside = os.path.normpath(os.path.join(folder, Repository(root).path)) if root else ""
        yield ReadablePath(place, inside, called) if os.path.lexists(place) else None


class Repository:
    """The repository that contains a path. Raises SetpointError (E0607) if there is none, or no git."""

    def __init__(self, path: str) -> None:
        place = os.path.abspath(path)
        while not os.path.isdir(place):
            place = os.path.dirname(place)
        self.top = place
        done = self._run("rev-parse", "--show-toplevel")
        if done.returncode:
            raise _refused(
                f"`{path}` is not in a git repository",
                done.stderr,
                "name a file, a folder or a bundle in place of a revision",
                path,
            )
        self.top = os.fsdecode(done.stdout).removesuffix("\n")
        self.path = os.path.relpath(os.path.realpath(path), self.top)

    def commit(self, revision: str) -> str:
        """The commit that a name refers to. Raises SetpointError (E0607)."""
        name = revision or "HEAD"
        done = self._run("rev-parse", "--quiet", "--verify", f"{name}^{{commit}}")
        if done.returncode or name.startswith("-"):
            names = os.fsdecode(self._run("for-each-ref", "--format=%(refname:short)").stdout).split()
            near = suggestion(name, names)
            raise _refused(
                f"git knows no revision `{name}` here",
                done.stderr,
                f"did you mean `{near}`?"
                if near
                else "a shallow clone lacks history: fetch the revision first",
                name,
            )
        return done.stdout.decode().strip()

    def merge_base(self, one: str, other: str) -> str:
        """The merge base of two commits. Raises SetpointError (E0607)."""
        done = self._run("merge-base", one, other)
        if done.returncode:
            raise _refused(
                f"git finds no commit that `{one}` and `{other}` share",
                done.stderr,
                "a shallow clone lacks history: fetch more of it, or compare `OLD..NEW` with two dots",
            )
        return done.stdout.decode().strip()

    def former_path(self, old: str, new: str) -> str:
        """The path at the commit `old`, if it was renamed since; else unchanged.

        `new` is a commit, or "" for the files in the folder.
        """
        if self.path == "." or self._run("cat-file", "-e", f"{old}:{self.path}").returncode == 0:
            return self.path
        done = self._run(
            "diff", "--name-status", "-z", "--find-renames", "--diff-filter=R", old, *filter(None, [new])
        )
        words = done.stdout.decode(errors="surrogateescape").split("\0")
        for was, is_ in zip(words[1::3], words[2::3], strict=False):
            rest = is_.removeprefix(self.path)
            if rest != is_ and was.endswith(rest) and (not rest or rest.startswith("/")):
                return was.removesuffix(rest) or "."
        return self.path

    @contextmanager
    def files_at(self, commit: str) -> Iterator[str]:
        """A folder with the files of a commit that a comparison may read."""
        with tempfile.TemporaryDirectory() as folder:
            self._extract(commit, os.path.realpath(folder))
            yield os.path.realpath(folder)

    def _extract(self, commit: str, folder: str) -> None:
        listed = self._run("ls-tree", "-r", "-z", "--full-tree", commit).stdout
        entries = []
        for line in filter(None, listed.decode(errors="surrogateescape").split("\0")):
            (mode, _, object_name), name = line.partition("\t")[0].split(), line.partition("\t")[2]
            inside = not {"", ".", ".."} & set(name.split("/"))
            if inside and name.endswith(READ_SUFFIXES) and (mode in FILES or mode == LINKS):
                entries.append((mode, object_name, os.path.join(folder, name)))
        wanted = "".join(f"{object_name}\n" for _, object_name, _ in entries)
        contents = self._run("cat-file", "--batch", text=wanted).stdout
        at, links = 0, {}
        for mode, _, path in entries:
            head = contents[at : contents.find(b"\n", at)]
            if not HEAD.fullmatch(head):
                raise _refused(
                    f"git does not have the files of `{commit}`",
                    head,
                    "a partial clone lacks them: fetch the revision with its files first",
                )
            start, size = at + len(head) + 1, int(head.split()[-1])
            at = start + size + 1
            content = contents[start : start + size]
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if mode == LINKS:
                links[path] = content
                continue
            with open(path, "wb") as file:
                file.write(content)
        _link(links, folder)

    def _run(self, *arguments: str, text: str = "") -> "subprocess.CompletedProcess[bytes]":
        try:
            return subprocess.run(
                ["git", "-C", self.top, *arguments], input=text.encode(), capture_output=True, check=False
            )
        except FileNotFoundError:
            raise _refused(
                "git is not installed", b"", "name two files, folders or bundles instead"
            ) from None


def _link(links: dict[str, bytes], folder: str) -> None:
    """Make the links of a tree that stay inside. Where one leads is known only when all are there: it can go through another."""
    for path, target in links.items():
        with suppress(OSError, ValueError):  # a target that no system has, or a tree that has the name twice
            os.symlink(os.fsdecode(target), path)
    outside = [path for path in links if os.path.commonpath([os.path.realpath(path), folder]) != folder]
    for path in outside:
        os.unlink(path)


def missing_path(path: str, where: str) -> SetpointError:
    """The error (E0607) for a path that a revision does not have."""
    return SetpointError(
        Diagnostic(
            "E0607",
            f"git has no policy files in `{path}` {where}",
            NOWHERE,
            help=("check the path",),
            subject=path,
        )
    )


def _refused(message: str, stderr: bytes, help_: str, wrong: str = "") -> SetpointError:
    """The error for a failure of git; `wrong` is the wrong name on the command line, if that is the cause."""
    reason = stderr.decode(errors="replace").strip().splitlines()
    return SetpointError(
        Diagnostic(
            "E0607",
            message,
            NOWHERE,
            notes=tuple(f"git: {r}" for r in reason[-1:]),
            help=(help_,),
            subject=wrong,
        )
    )
