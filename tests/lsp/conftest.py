"""One server for all tests of a file: each test writes files of its own there."""

from collections.abc import Iterator

import pytest

from support.editor import Editor


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    running = Editor(tmp_path_factory.mktemp("site"))
    yield running
    running.close()
