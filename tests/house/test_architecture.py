"""The house rules that a machine can check."""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from house.rooms import EXPLAINED, imports, modules, tree_of
from setpoint.compiler.knowledge.model import Knowledge
from support.command import ROOT

COMPILER = sorted((ROOT / "compiler").rglob("*.py"))
MANUAL = sorted((ROOT / "docs/hooks/reference").rglob("*.py"))
MODULES = [*COMPILER, *sorted((ROOT / "targets").rglob("*.py")), *MANUAL]

MOST_LINES = 500
"""A module that is longer does more than one thing. A limit that is lower rewards splitting one thing by its size."""

MOST_OF_A_ROOM = {
    "adoption": 1_500,
    "audit": 4_500,
    "binding": 2_000,
    "captures": 3_200,
    "cli": 6_000,
    "comparison": 2_500,
    "diagnostics": 500,
    "entries": 3_800,
    "files": 1_500,
    "fitting": 1_500,
    "fleet": 3_000,
    "inventory": 2_000,
    "knowledge": 7_700,
    "language": 3_500,
    "lowering": 2_000,
    "lsp": 3_000,
    "plan": 2_500,
    "playground": 1_000,
    "policies": 1_500,
    "proof": 8_500,
    "registries": 3_000,
    "render": 7_000,
    "resolution": 5_000,
    "rollout": 1_000,
    "twin": 3_000,
    "verification": 3_000,
}
"""How many lines the modules of a room may have. What a room needs beyond that is first looked for in it."""

SPARE = 750
"""How many lines a room may have less than it may have."""

MOST_SECONDS = 5
"""A limit by the clock that a test may state by itself: what it tries is that something takes longer."""

FEW_LINES, MOST_SMALL = 60, 70
"""How many modules may be shorter than so many lines. One that has a small part of a subject belongs to the module of
that subject."""

PRONOUNS, MOST_PRONOUNS = {"each", "found", "its", "made", "one"}, 5
"""Names that say nothing of what they hold, and how many local names, parameters and fields of records may be such: a
noun says it. `found` is what reports of `verify` call a value beside the wanted one.
"""

MOST_LINES_OF_A_FUNCTION = 40

LONG = {
    "compiler/audit/check.py:audit": "the whole of an audit, stage by stage: each reads what several of those before it found",
    "compiler/audit/words.py:findings": "one list of questions about an entry, of which the first that has an answer counts",
    "compiler/resolution/cascade.py:_choose": "the decision of a setting, beside which that for sets of situations is read",
    "compiler/proof/sets/cascade.py:_choose": "the same for sets of situations, line by line",
}
"""The functions that are longer, each with the reason."""

ORDINARY = {
    "all",
    "always",
    "auto",
    "good",
    "never",
    "no",
    "none",
    "off",
    "on",
    "os",
    "sockets",
    "standard",
    "tuned",
    "unused",
    "vendor",
    "web",
    "yes",
}
"""Names of the standard library that are ordinary words in the compiler's own code: of prose, of its forms and options,
of git; `sockets`, one of the kinds of what a server can be asked about itself; `vendor`, a strength of the language;
`tuned`, one of its interfaces; `yes`, `no`, `on` and `off`, which other people's files have for true and false; `none`,
an option of the library that draws pictures; and `web`, a filter of the templates."""


def test_no_knowledge_in_the_compiler(knowledge: Knowledge) -> None:
    """No fact, value, setting, source, rule, hazard or constraint is named in the compiler's code.

    Docstrings and comments may name one as an example; code may not, nor may the words between backticks in a message.
    """
    names = {
        *knowledge.sources,
        *(rule.name for rule in knowledge.rules),
        *knowledge.hazards,
        *(constraint.name for constraint in knowledge.constraints),
        *knowledge.variables,
        *(value for variable in knowledge.variables.values() for value in variable.values),
    }
    names = {name for name in names if not name.isdigit()} - ORDINARY
    vendors = {source.publisher.lower() for source in knowledge.sources.values()}
    for path in COMPILER:
        for text in _strings(path):
            quoted = {word for quotation in re.findall(r"`([^`]*)`", text) for word in quotation.split()}
            for named in ({text, *quoted} & names) | ({text.lower()} & vendors):
                pytest.fail(f"{path.relative_to(ROOT)} names `{named}`")


def test_every_ordinary_word_is_needed() -> None:
    """A word that no code uses any more is allowed no longer."""
    assert {text for path in COMPILER for text in _strings(path)} >= ORDINARY


TOOLS_OF_ONE_MAKER = ("racadm", "scp", "syscfg", "Deployment Toolkit")
"""Targets, and programs, whose format is that of one maker's tool. Where this is named, its maker may be, too."""


def test_no_words_of_a_maker_in_the_targets(knowledge: Knowledge) -> None:
    """A word that only some services say, a name of one and the name of a maker are in no code or template of a target
    but of a maker's tool.

    What all services are told and answer is DMTF's. What only some say comes to a target in the plan, from `service`
    statements. Docstrings and pages for people may name one, with the source of a fact.
    """
    said = {key for one in knowledge.services for report in one.reported for key in report.names}
    makers = {value.title or value.name for value in knowledge.values["vendor"].values()}
    makers |= {one.title.split()[0] for one in knowledge.services if one.is_offered} - {"BMC"}
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(said))}|(?i:{'|'.join(map(re.escape, sorted(makers)))}))\b")
    found = []
    for path in sorted((ROOT / "targets").rglob("*")):
        of_a_tool = {path.relative_to(ROOT).parts[1], path.stem.partition("_")[0]} & {*TOOLS_OF_ONE_MAKER}
        if of_a_tool or path.suffix not in (".py", ".j2", ".sh") or path.name.endswith(".md.j2"):
            continue
        texts = _strings(path) if path.suffix == ".py" else path.read_text(encoding="utf-8").splitlines()
        named = (text for text in texts if pattern.search(text))
        found += [
            f"{path.relative_to(ROOT)}: {text}"
            for text in named
            if not any(one in text for one in TOOLS_OF_ONE_MAKER)
        ]
    assert not found, "\n".join(found)


def _strings(path: Path) -> list[str]:
    """The string literals of a module's code, formatted ones with `{}` for the inserted values; docstrings left out."""
    tree = tree_of(path)
    shown = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    formatted = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    parts = {
        id(part) for node in [*shown, *formatted] for part in ast.walk(node) if isinstance(part, ast.Constant)
    }
    whole = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts
    ]
    return whole + ["".join(map(_part, node.values)) for node in formatted]


def _part(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else "{}"


@pytest.mark.parametrize(
    "room", sorted(path.name for path in (ROOT / "compiler").glob("*/") if any(path.glob("*.py")))
)
def test_no_room_has_more_lines(room: str) -> None:
    lines = sum(
        len(path.read_text("utf-8").splitlines()) for path in (ROOT / "compiler" / room).rglob("*.py")
    )
    assert lines <= MOST_OF_A_ROOM[room], "look for what can go"
    assert lines >= MOST_OF_A_ROOM[room] - SPARE, "fewer than before: write so here"


def test_each_room_imports_only_from_those_below() -> None:
    """According to the code, including imports within functions."""
    assert sorted(one for one in imports() if one.upward and one.room not in EXPLAINED) == []


def test_modules_are_not_in_circles() -> None:
    """What a module needs of another can be read without the first, types included."""
    TopologicalSorter(modules()).prepare()  # raises CycleError, which names them


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_each_module_opens_with_an_essay_and_stays_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(tree_of(path)), f"{path.name} does not say what it is for"
    assert text.count("\n") <= MOST_LINES, f"{path.name} has grown too large for one thing"


def test_subjects_are_not_split_into_fragments() -> None:
    """Lower `MOST_SMALL` after modules are merged. What opens a package, or runs it, is short by itself."""
    small = [
        p for p in MODULES if not p.name.startswith("__") and p.read_text("utf-8").count("\n") < FEW_LINES
    ]
    assert len(small) <= MOST_SMALL, "merge a new module with the one of its subject"


def test_the_essay_of_the_compiler_names_each_of_its_packages() -> None:
    """So that it is about the present pipeline."""
    essay = ast.get_docstring(tree_of(ROOT / "compiler/__init__.py")) or ""
    packages = {path.parent.name for path in (ROOT / "compiler").glob("*/__init__.py")}
    assert packages - {*re.findall(r"`(\w+)`", essay)} == set()


def test_a_class_name_has_one_meaning_in_the_compiler() -> None:
    """Private classes included: what `_Reader` is must not depend on the file in which one reads it."""
    places: dict[str, list[str]] = {}
    for path in COMPILER:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name.lstrip("_"), []).append(str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+")


def test_no_group_is_possessive() -> None:
    """Debian 12 has Python 3.11.2, which loses its place where such a group fails behind its first character (issue
    106052 of CPython). The lexer's group cannot: white space and comments are whole at any length."""
    places = [
        path.relative_to(ROOT).as_posix()
        for path in (*MODULES, *(ROOT / "stdlib").glob("*.toml"))
        if POSSESSIVE_GROUP.search(path.read_text(encoding="utf-8"))
    ]
    assert places == ["compiler/language/tables.py"]


def test_names_are_nouns() -> None:
    bound = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in (*MODULES, *(ROOT / "tests/support").rglob("*.py"))
        for node in ast.walk(tree_of(path))
        for name, line in _bound(node)
        if name in PRONOUNS
    ]
    assert len(bound) <= MOST_PRONOUNS, bound


def _bound(node: ast.AST) -> Iterator[tuple[str, int]]:
    """The name that a node gives to a value, a field or a parameter, with its line."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            yield name, node.lineno
        case ast.arg(arg=name):
            yield name, node.lineno
        case ast.alias(asname=str(name)):
            yield name, node.lineno
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name, node.lineno


def test_a_match_over_kinds_of_statements_has_a_default() -> None:
    """A new kind of statement needs no change where the others are told apart: a default says what happens to it."""
    tree = tree_of(ROOT / "compiler/language/syntax.py")
    nodes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    for path in MODULES:
        for match in ast.walk(tree_of(path)):
            if isinstance(match, ast.Match) and nodes & set(_classes(match)):
                last = match.cases[-1]
                is_default = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
                assert is_default and last.guard is None, f"{path.relative_to(ROOT)}:{match.lineno}"


def _classes(match: ast.Match) -> Iterator[str]:
    """The names of the classes that a match tells apart."""
    for case in match.cases:
        for pattern in ast.walk(case.pattern):
            if isinstance(pattern, ast.MatchClass):
                yield ast.unparse(pattern.cls).rpartition(".")[2]


def test_only_what_hangs_is_ended_by_the_clock() -> None:
    """A busy machine takes a program many times as long: tests limit processor time, and `PATIENCE` ends what hangs."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        limits = [
            keyword.value.value
            for node in ast.walk(tree_of(path))
            if isinstance(node, ast.Call)
            for keyword in node.keywords
            if keyword.arg == "timeout" and isinstance(keyword.value, ast.Constant)
        ]
        own = [limit for limit in limits if isinstance(limit, int | float) and limit > MOST_SECONDS]
        assert own == [], path.relative_to(ROOT)


def test_functions_are_short() -> None:
    """Take a function out of `LONG` after it was taken apart; no other joins them."""
    long = {
        f"{path.relative_to(ROOT)}:{node.name}"
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= MOST_LINES_OF_A_FUNCTION
    }
    assert long == set(LONG)


def test_the_compiler_knows_no_target() -> None:
    """Targets are found, not listed: no module of the compiler imports one by name.

    What carries out a bundle imports the programs that bundles have, which are no targets (decision 0070).
    """
    for path in COMPILER:
        imports = re.findall(
            r"^\s*(?:from|import) setpoint\.targets\.(\w+)", path.read_text(encoding="utf-8"), re.M
        )
        carries_out = path.parent.name == "rollout" or path.name == "apply.py"
        allowed = {"_client", "_host"} if carries_out else set()
        assert {*imports} <= allowed, f"{path.relative_to(ROOT)} imports {imports}"


def test_targets_do_not_know_each_other() -> None:
    """A target imports the compiler and shared spelling (folders with an underscore), never another target."""
    for path in sorted((ROOT / "targets").rglob("*.py")):
        own = path.relative_to(ROOT / "targets").parts[0]
        for other in re.findall(r"setpoint\.targets\.(\w+)", path.read_text(encoding="utf-8")):
            assert other in (own, "") or other.startswith("_"), f"{path.relative_to(ROOT)} imports {other}"


def test_code_that_targets_share_is_defined_once() -> None:
    """The base class of models, the reading of TOML and the template engine are in `targets/_shared`."""
    for path in sorted((ROOT / "targets").rglob("*.py")):
        if "_shared" not in path.parts:
            own = re.findall(
                r"\b(BaseModel|ConfigDict|tomllib|FileSystemLoader)\b", path.read_text(encoding="utf-8")
            )
            assert own == [], f"{path.relative_to(ROOT)} has {own[0]} of its own"


def test_the_top_holds_only_what_it_should() -> None:
    allowed = {
        "grammar", "compiler", "targets", "examples", "stdlib", "tests", "docs", "pyproject.toml", "README.md", "LICENSE",
        "Makefile", "mkdocs.yml", "action.yml", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md",
    }  # fmt: skip
    import subprocess

    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tops = {line.split("/")[0] for line in listed.splitlines()}
    assert {top for top in tops if not top.startswith(".")} <= allowed


@pytest.mark.parametrize(
    ("command", "without"),
    [
        (("plan",), ("jinja2", "pydantic", "jsonschema", "lark", "requests", "importlib.resources")),
        (
            ("compile", "-o", "bundle"),
            ("pydantic", "jsonschema", "lark", "importlib.metadata", "http.client", "ssl"),
        ),
    ],
    ids=["plan", "compile"],
)
def test_heavy_libraries_stay_off_the_path(
    command: tuple[str, ...], without: tuple[str, ...], tmp_path: Path
) -> None:
    """A plan needs no template engine, and a bundle neither a schema library nor a connection, once the caches are
    warm."""
    import subprocess
    import sys

    code = (
        "import sys; from setpoint.compiler.cli import main; "
        f"main([*{command}, '-e', 'goal latency; cpu westmere']); "
        f"print(sorted(set({without}) & sys.modules.keys()))"
    )
    run = [sys.executable, "-c", code]
    env = {"PYTHONPATH": str(ROOT / ".dev"), "HOME": str(Path.home()), "PATH": "/usr/bin:/bin"}
    for _ in range(2):
        done = subprocess.run(run, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
