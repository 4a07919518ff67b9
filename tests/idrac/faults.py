"""Faults of a controller, one at a time: what one request of a run meets instead of a plain answer.

A fault has the number of the request that it meets (the first is 0) and a kind. Sources: DSP0266 is the Redfish Specification
1.8.1, clause numbers are of that edition.

* `busy`: 503, once, and nothing is done. "The service is currently unable to handle the request due to temporary overloading
  or maintenance of the service" (DSP0266, 8.3; RFC 9110, 15.6.4).
* `away`: the same from this request on. A service that is restarted or updated answers so for longer than a client waits.
* `error`: 500 with an extended error, once, and nothing is done (DSP0266, 8.3 and 8.6).
* `dropped`: the connection ends before the request is carried out. RFC 9110, 9.2.2: a client cannot tell this from `lost`.
* `lost`: the request is carried out, and the connection ends without an answer. For a reading it is the same as `dropped`.
* `slow`: the request is carried out, and the answer comes after the client has stopped waiting for it.

How a job ends is no fault of a request: `Behaviour.rejects` and `Behaviour.fails`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["busy", "away", "error", "dropped", "lost", "slow"]
KINDS: tuple[Kind, ...] = get_args(Kind)
PREVENTING: tuple[Kind, ...] = ("busy", "away", "error", "dropped")
"""The kinds of which the request is not carried out."""


@dataclass(frozen=True)
class Fault:
    """What happens to one request, or with `away` to all from it on.

    Attributes:
        request: The number of the request, counted from the start of the controller.
        kind: What happens.
        seconds: With `slow`: how long the answer takes.
    """

    request: int
    kind: Kind
    seconds: float = 0

    def meets(self, number: int) -> bool:
        """Whether it happens to the request of this number."""
        return number >= self.request if self.kind == "away" else number == self.request
