"""Requests of the page, and their answers: JSON in, JSON out.

A request names what it `ask`s, and has the texts of the `files`: `policy.tune`, and a site's `knowledge.tune` if there
is any, which a policy includes as it does everywhere. `today` is the day that waivers are compared with: the browser's,
as nothing here reads a clock. Files are never written to a place that a text names, and nothing but these files can be
included.

A process answers one page, and keeps from one request to the next what was found: the page asks again after each
change.
"""

import json
from collections.abc import Callable
from typing import Any

from setpoint.compiler.budget import MOST_AT_ONCE, limited
from setpoint.compiler.playground.comparison import compare
from setpoint.compiler.playground.completion import complete
from setpoint.compiler.playground.matrix import matrix, values
from setpoint.compiler.playground.plans import artifacts, explain, plans
from setpoint.compiler.playground.session import Asked, Session

ANSWERS: dict[str, Callable[[Session, Asked], dict[str, Any]]] = {
    "plans": plans,
    "complete": complete,
    "explain": explain,
    "artifacts": artifacts,
    "compare": compare,
    "matrix": matrix,
    "values": values,
}
"""What can be asked, by name."""


class Playground:
    """Answers the requests of one page, one after the other."""

    def __init__(self) -> None:
        self._session = Session()

    def answer(self, request: str) -> str:
        """The answer to a request.

        Raises ValueError for what is no request: the page is written together with this module, and asks nothing else.
        """
        data = json.loads(request)
        asked = Asked.of(data)
        if data.get("ask") not in ANSWERS:
            raise ValueError(f"nothing answers {data.get('ask')!r}")
        with limited(MOST_AT_ONCE):
            return json.dumps(ANSWERS[data["ask"]](self._session, asked), ensure_ascii=False)
