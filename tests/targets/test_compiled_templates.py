"""Templates are compiled once, and again when their text or their environment changes."""

from collections.abc import Callable
from pathlib import Path
from types import CodeType

import pytest
from jinja2 import DictLoader, Environment

from setpoint.compiler.render.compiled import CompiledTemplates, keep_changed


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[str, int]]:
    """Renders a template in an environment that is new each time; with the number of templates that it compiled."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def render(text: str, name: str = "of-a-test", **signs: str) -> tuple[str, int]:
        count = 0

        class Counting(Environment):
            def _compile(self, source: str, filename: str) -> CodeType:
                nonlocal count
                count += 1
                return super()._compile(source, filename)

        environment = Counting(loader=DictLoader({"page": text}), **signs)  # type: ignore[arg-type]
        environment.bytecode_cache = CompiledTemplates(environment, name, sorted(signs.items()))
        rendered = environment.get_template("page").render(value=7)
        keep_changed()  # as when a process ends
        return rendered, count

    return render


def test_a_template_is_compiled_once(compiled: Callable[..., tuple[str, int]]) -> None:
    assert compiled("a {{ value }}") == ("a 7", 1)
    assert compiled("a {{ value }}") == ("a 7", 0)


def test_another_text_or_other_signs_are_compiled(compiled: Callable[..., tuple[str, int]]) -> None:
    assert compiled("a {{ value }}") == ("a 7", 1)
    assert compiled("b {{ value }}") == ("b 7", 1)
    assert compiled("b {{ value }}", variable_start_string="<<", variable_end_string=">>") == (
        "b {{ value }}",
        1,
    )
    assert compiled("b {{ value }}", name="of-another") == ("b 7", 1)
    assert [compiled(f"{each} {{{{ value }}}}") for each in "ab"] == [("a 7", 1), ("b 7", 1)], (
        "the last text counts"
    )


def test_what_is_damaged_is_compiled_again(compiled: Callable[..., tuple[str, int]], tmp_path: Path) -> None:
    assert compiled("a {{ value }}") == ("a 7", 1)
    (file,) = (tmp_path / "setpoint").iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert compiled("a {{ value }}") == ("a 7", 1)
    assert compiled("a {{ value }}") == ("a 7", 0)


def test_the_cache_file_is_written_once_for_all_templates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_changed()  # what other tests have compiled
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    pages = {"one": "a {{ value }}", "two": "b {{ value }}"}
    environment = Environment(loader=DictLoader(pages))
    environment.bytecode_cache = CompiledTemplates(environment, "of-a-test")
    for name in pages:
        environment.get_template(name)
        assert not (tmp_path / "setpoint").exists()
    keep_changed()
    (file,) = (tmp_path / "setpoint").iterdir()
    file.unlink()
    keep_changed()
    assert not file.exists(), "nothing was compiled since"
