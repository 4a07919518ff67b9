"""The house rules that a machine can check."""

import ast
import re
from pathlib import Path

import pytest

from setpoint.compiler.knowledge.model import Knowledge
from support.command import ROOT

COMPILER = sorted((ROOT / "compiler").rglob("*.py"))
MODULES = [*COMPILER, *sorted((ROOT / "targets").rglob("*.py"))]

# Words that the standard library uses as names and that are ordinary words of the compiler's own prose and code.
ORDINARY = {
    "all", "auto", "off", "on", "none", "io", "os", "custom", "maximum", "standard", "extended", "compute", "dynamic",
    "half", "good", "poor", "aware", "unaware", "yes", "no", "mirror", "spare", "performance", "balanced", "throughput",
    "latency", "efficiency", "density", "normal", "always", "never", "unmanaged", "power", "java", "interactive",
    "linux", "windows", "goal", "workload", "platform", "cpu", "sockets", "interconnect", "numa", "hpc", "dense",
    "used", "unused", "dapc", "governor", "smt", "turbo",
}  # fmt: skip


def test_no_knowledge_in_the_compiler(knowledge: Knowledge) -> None:
    """No processor, platform, source, rule, hazard or constraint is named in the compiler's code.

    Docstrings and comments may name one as an example; code may not.
    """
    names = {
        *knowledge.sources,
        *(rule.name for rule in knowledge.rules),
        *knowledge.hazards,
        *(constraint.name for constraint in knowledge.constraints),
        *(
            value
            for fact in ("cpu", "platform", "os", "workload")
            for value in knowledge.variables[fact].values
        ),
        *knowledge.settings,
    } - ORDINARY
    vendors = {source.publisher.lower() for source in knowledge.sources.values()}
    for path in COMPILER:
        for text in _strings(path):
            assert text not in names, f"{path.relative_to(ROOT)} names `{text}`"
            assert text.lower() not in vendors, f"{path.relative_to(ROOT)} names `{text}`"


def _strings(path: Path) -> list[str]:
    """The string literals of a module's code, docstrings left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_each_module_opens_with_an_essay_and_stays_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), f"{path.name} does not say what it is for"
    assert text.count("\n") <= 560, f"{path.name} has grown too large for one thing"


def test_the_compiler_knows_no_target() -> None:
    """Targets are found, not listed: no module of the compiler imports one by name."""
    for path in COMPILER:
        imports = re.findall(
            r"^\s*(?:from|import) setpoint\.targets\.(\w+)", path.read_text(encoding="utf-8"), re.M
        )
        assert not imports, f"{path.relative_to(ROOT)} imports {imports}"


def test_targets_do_not_know_each_other() -> None:
    """A target imports the compiler and shared spelling (folders with an underscore), never another target."""
    for path in sorted((ROOT / "targets").rglob("*.py")):
        own = path.relative_to(ROOT / "targets").parts[0]
        for other in re.findall(r"setpoint\.targets\.(\w+)", path.read_text(encoding="utf-8")):
            assert other in (own, "") or other.startswith("_"), f"{path.relative_to(ROOT)} imports {other}"


def test_the_top_holds_only_what_it_should() -> None:
    allowed = {
        "grammar", "compiler", "targets", "examples", "stdlib", "tests", "docs", "pyproject.toml", "README.md", "LICENSE",
        "Makefile", "mkdocs.yml", "action.yml",
    }  # fmt: skip
    import subprocess

    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tops = {line.split("/")[0] for line in listed.splitlines()}
    assert {top for top in tops if not top.startswith(".")} <= allowed


def test_heavy_libraries_stay_off_the_path_of_a_plan() -> None:
    """Planning imports neither a template engine nor a schema library nor lark, once its caches are warm."""
    import subprocess
    import sys

    code = (
        "import sys; from setpoint.compiler.cli import main; "
        "main(['plan', '-e', 'goal latency; cpu westmere']); "
        "print(sorted(m for m in ('jinja2', 'pydantic', 'jsonschema', 'lark', 'clingo', 'requests', 'importlib.resources')"
        " if m in sys.modules))"
    )
    run = [sys.executable, "-c", code]
    env = {"PYTHONPATH": str(ROOT / ".dev"), "HOME": str(Path.home()), "PATH": "/usr/bin:/bin"}
    for _ in range(2):
        done = subprocess.run(run, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
