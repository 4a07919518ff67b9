"""Programs: a policy text with everything that it includes.

Facts, `set`s, policies and scopes of a file form the policy. Declarations (sources, rules, tables, hazards) are a
site's own knowledge, and are added to the knowledge base as a separate layer. Includes must stay inside one folder:
that of the first file, or the one given with `--root`.
"""

import os
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType

from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, Label, SetpointError
from setpoint.compiler.diagnostics.slips import nearest
from setpoint.compiler.diagnostics.source import NOWHERE, SUFFIX, SourceText, Span
from setpoint.compiler.files.links import ForeignError, LedOutsideError, LinkError
from setpoint.compiler.files.reading import TooLargeError, read_text
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.syntax import Declaration, File, Include, Statement
from setpoint.compiler.record import NamedTuple

INLINE = "<policy>"
"""The name of a policy given on the command line."""

BYTE_ORDER_MARK = "\ufeff"
"""A byte order mark, which some editors write at the beginning of files."""

RELATIVE = "paths are relative to the file that contains the `include`"
"""The help for an include that does not exist."""

Opened = Mapping[str, str]
"""The texts of files as an editor has them, by their real paths."""

NOTHING_OPENED: Opened = MappingProxyType({})

MOST_LEVELS = 100
"""The maximum depth of includes: more than anybody needs, and well below Python's recursion limit."""


class Program(NamedTuple):
    """`body` has the statements of the policy, with includes replaced; `site` the files that declare knowledge.

    `path` and `root` are the file and the folder for includes as they were given; "" for none.
    """

    stem: str
    body: tuple[Statement, ...]
    site: tuple[File, ...]
    sources: dict[str, str]
    path: str = ""
    root: str = ""


def program_of_text(text: str, root: str = ".") -> Program:
    """A program from a text. Raises SetpointError (E01xx, E06xx)."""
    return _Reader(root).read(SourceText(INLINE, text.removeprefix(BYTE_ORDER_MARK)), "policy", root)


def program_of_file(path: str, root: str = "", opened: Opened = NOTHING_OPENED) -> Program:
    """A program from a file. Raises SetpointError (E01xx, E06xx). What is `opened` is taken as it stands there."""
    folder = root or os.path.dirname(path) or "."
    stem = os.path.splitext(os.path.basename(path))[0]
    reader = _Reader(folder, opened)
    text = opened.get(os.path.realpath(path)) if opened else None
    program = reader.read(
        SourceText(path, read(path, within=_limit(path, root)) if text is None else text),
        _safe(stem),
        os.path.dirname(path),
    )
    return program._replace(path=path, root=root)


def _limit(path: str, root: str) -> str:
    """The folder that links of a file must stay within: the root, or the file's own folder if it is elsewhere."""
    folder = os.path.dirname(os.path.abspath(path))
    is_in_root = os.path.commonpath([folder, os.path.abspath(root)]) == os.path.abspath(root)
    return root if not root or is_in_root else folder


def read(path: str, at: Span = NOWHERE, within: str = "") -> str:
    """The text of a file, with its line ends unchanged; `at` is the include that names it.

    `within` is a folder that links in it must not lead out of. Raises SetpointError (E0601 if it cannot be read, E0603
    if a link leads outside, E0604 if it is not UTF-8 text, E0608 if it is too large, E0615 if a link leads to a file of
    another kind).
    """
    try:
        return read_text(path, within).removeprefix(BYTE_ORDER_MARK)
    except (OSError, UnicodeDecodeError) as error:
        raise SetpointError(unreadable(path, error, at)) from None


def unreadable(path: str, error: OSError | UnicodeDecodeError, at: Span = NOWHERE) -> Diagnostic:
    """Why a file cannot be read, as `read` raises it."""
    if isinstance(error, UnicodeDecodeError):
        return Diagnostic("E0604", f"`{path}` is not UTF-8 text", at, help=("save it as UTF-8",))
    if isinstance(error, LinkError):
        return not_followed(error, at)
    if isinstance(error, TooLargeError):
        return Diagnostic("E0608", f"`{path}` is {error.strerror}", at, help=("name a smaller file",))
    missing = at == NOWHERE and not os.path.lexists(path)
    return Diagnostic(
        "E0601",
        f"cannot read `{error.filename or path}`: {error.strerror}",
        at,
        help=_near(path) if at == NOWHERE else (RELATIVE,),
        subject=path if missing else "",
    )


def not_followed(error: LinkError, at: Span = NOWHERE) -> Diagnostic:
    """Why a path is not followed, to read or to write."""
    itself = (f"if you trust it, name `{error.target}` itself",) if error.target else ()
    if isinstance(error, ForeignError):
        help_ = itself or ("name a file in a folder of your own",)
        return Diagnostic("E0605", f"cannot write `{error.filename}`: {error.strerror}", at, help=help_)
    code = "E0603" if isinstance(error, LedOutsideError) else "E0615"
    return Diagnostic(code, f"cannot follow `{error.filename}`: {error.strerror}", at, help=itself)


def _near(path: str) -> tuple[str, ...]:
    """Help for a missing file: an existing one with a similar name."""
    folder, name = os.path.split(path)
    try:
        near = nearest(name, sorted(os.listdir(folder or ".")))
    except OSError:
        near = ""
    return () if near in ("", name) else (f"did you mean `{os.path.join(folder, near)}`?",)


def _safe(stem: str) -> str:
    """A file's name as the name of a policy: characters other than letters, digits, `.`, `_` and `-` become hyphens."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in stem) or "policy"


class _Reader:
    def __init__(self, root: str, opened: Opened = NOTHING_OPENED) -> None:
        self._root = root
        self.opened = opened
        self.sources: dict[str, str] = {}
        self.site: dict[str, File] = {}
        self.findings: list[Diagnostic] = []
        self.reading: list[tuple[str, Include | None]] = []
        self.done: set[str] = set()

    @cached_property
    def root(self) -> str:
        """The folder that includes must stay inside."""
        return os.path.realpath(self._root)

    def read(self, source: SourceText, stem: str, folder: str) -> Program:
        self.reading.append((source.name, None))
        body = self._body(source, folder)
        if self.findings:
            error = SetpointError(*Diagnostics.of(self.findings))
            error.sources = self.sources
            raise error
        return Program(stem, tuple(body), tuple(self.site.values()), self.sources)

    def _body(self, source: SourceText, folder: str) -> list[Statement]:
        self.sources[source.name] = source.text
        try:
            file = parse(source)
        except SetpointError as error:
            self.findings.extend(error.diagnostics)
            return []
        declared = tuple(s for s in file.body if isinstance(s, Declaration))
        if declared:
            self.site[source.name] = File(source.name, declared)
        body: list[Statement] = []
        for statement in file.body:
            if isinstance(statement, Include):
                body.extend(self._include(statement, folder))
            elif not isinstance(statement, Declaration):
                body.append(statement)
        return body

    def _refused(self, include: Include, real: str) -> Diagnostic | None:
        """Why a file is not included: it is outside, no policy file, or includes itself; None if nothing is wrong."""
        name, at = include.path.text, include.path.span
        if os.path.commonpath([real, self.root]) != self.root:
            help_ = "keep included files beside the policy, or name a wider folder with --root"
            return Diagnostic(
                "E0603", f"`{name}` is outside the policy's folder", at, "outside", help=(help_,)
            )
        if not name.endswith(SUFFIX):
            message = f"`{name}` is not a policy file: its name must end in `{SUFFIX}`"
            help_ = f"name a policy or a knowledge file, such as `site{SUFFIX}`"
            return Diagnostic("E0615", message, at, "not a policy file", help=(help_,))
        paths = (os.path.realpath(path) for path, _ in self.reading)
        earlier = next((number for number, path in enumerate(paths) if path == real), None)
        if earlier is None:
            return None
        through = (i for _, i in self.reading[earlier + 1 :] if i is not None)
        labels = tuple(Label(i.span, "through this") for i in through)
        help_ = "remove one of the includes; put what both files need into a third file"
        return Diagnostic(
            "E0602", f"`{name}` includes itself", at, "the cycle ends here", labels, help=(help_,)
        )

    def _include(self, include: Include, folder: str) -> list[Statement]:
        path = os.path.join(folder, include.path.text)
        real = os.path.realpath(path)
        if why := self._refused(include, real):
            self.findings.append(why)
            return []
        if real in self.done:
            return []  # already included elsewhere: once is enough
        if len(self.reading) > MOST_LEVELS:
            self.findings.append(_too_deep(include))
            return []
        self.done.add(real)
        try:
            opened = self.opened.get(real)
            text = read(path, include.path.span, self.root) if opened is None else opened
        except SetpointError as error:
            self.findings.extend(error.diagnostics)
            return []
        self.reading.append((real, include))
        body = self._body(SourceText(_normalized(path, real), text), os.path.dirname(path))
        self.reading.pop()
        return body


def _normalized(path: str, real: str) -> str:
    """The path without detours (`web/../common.tune`), unless links make that another file."""
    short = os.path.normpath(path)
    return short if os.path.realpath(short) == real else path


def _too_deep(include: Include) -> Diagnostic:
    return Diagnostic(
        "E0602",
        f"`{include.path.text}` is included more than {MOST_LEVELS} files deep",
        include.path.span,
        "too deep",
        help=("include it from a file nearer to the policy",),
    )
