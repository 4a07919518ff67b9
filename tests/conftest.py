"""What all tests share: the flag that rewrites expected outputs, and the knowledge base, loaded once."""

import os

import pytest
from hypothesis import settings

from setpoint.compiler.knowledge.load import measurements, standard
from setpoint.compiler.knowledge.model import Knowledge

# In CI the same examples each time: a change is judged by what it changed. Elsewhere they are new each time, and look on.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("here", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "here")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite the expected outputs instead of comparing"
    )


@pytest.fixture(scope="session")
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expected outputs are to be rewritten."""
    return bool(request.config.getoption("--update"))


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    """The standard library, measurements and all."""
    return standard()._replace(measurements=measurements())
