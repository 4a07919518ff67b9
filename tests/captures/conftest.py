"""What the tests of captures share."""

import pytest

from setpoint.compiler.captures.wanted import wanted
from setpoint.compiler.knowledge.model import Knowledge


@pytest.fixture(scope="session")
def places(knowledge: Knowledge) -> tuple[str, ...]:
    """All places that a capture with the library reads."""
    return wanted(knowledge)
