"""Faults of a service, one at a time: what requests meet instead of a plain answer.

Sources: DSP0266 is the Redfish Specification 1.24.0; what controllers do beside it is described where the table of
controllers is.

* `busy`: 503, and nothing is done. "The service is currently unable to handle the request due to temporary overloading
  or maintenance of the service" (DSP0266, 8.3; RFC 9110, 15.6.4).
* `away`: the same from this request on. A service that is restarted or updated answers so for longer than a client
  waits.
* `error`: 500 with an extended error, and nothing is done (DSP0266, 8.3 and 8.6).
* `dropped`: the connection ends before the request is carried out. RFC 9110, 9.2.2: a client cannot tell this from
  `lost`.
* `lost`: the request is carried out, and the connection ends without an answer. For a reading it is the same as
  `dropped`.
* `slow`: the request is carried out, and the answer comes after the client has stopped waiting for it.
* `truncated`: the request is carried out, and the connection ends in the middle of the answer.
* `expired`: 401, as for a session that has ended ("NoValidSession", DMTF's Base registry), and nothing is done.
* `throttled`: 429, and nothing is done (RFC 6585, 4; "TooManyRequests" of Lenovo's ExtendedError registry).
* `unsettled`: a reading is answered with data that "may be changed because the underlying component is initializing or
  changing", and says so until both agree (ResourceUnstable of Lenovo's ExtendedError registry 1.2.2, NVIDIA/libredfish
  at c094c9e, tests/mockups/lenovo): the attributes are those of before the last start. A request for a change meets
  nothing.
* `unready`: the service is up and has not found its data yet; nothing is done. iDRACs say so with 400
  (quadsproject/badfish, issue 129).
* `crowded`: 503, because all sessions are taken, as a request with user and password needs one, too (stmcginnis/gofish,
  issue 75); nothing is done.
* `stale`: a connection that was used before ends before the request is carried out; the first request of each
  connection meets nothing. "HPE sends RST in case same connection is reused" (NVIDIA/libredfish at c094c9e,
  src/network.rs).
* `odd`: an error in which the message is an object and there is no extended information, as of iDRACs before 2.50.50.50
  (dell/iDRAC-Redfish-Scripting, issue 7; the status is in no document, and is 400 here); nothing is done.
* `lone`: an error of which the extended information is one message, and no list of it (the same repository, issue 62,
  an iDRAC8 2.63.60.61).
* `null`: a reading has `"Attributes": null` (ibm-openbmc/bmcweb, issue 1007). A request for a change meets nothing.
* `html`: a page of a proxy, or of the controller's own web server, is the answer; nothing is done.

How a job ends, or what a restart does not take, is no fault of a request: it is in the `Setup` of a machine.
"""

from typing import Literal, get_args

from setpoint.compiler.record import NamedTuple

Kind = Literal[
    "busy",
    "away",
    "error",
    "dropped",
    "lost",
    "slow",
    "truncated",
    "expired",
    "throttled",
    "unsettled",
    "unready",
    "crowded",
    "stale",
    "odd",
    "lone",
    "null",
    "html",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
PREVENTING: tuple[Kind, ...] = (
    "busy", "away", "error", "dropped", "expired", "throttled", "unready", "crowded", "stale", "odd", "lone", "html",
)  # fmt: skip
"""The kinds of which the request is not carried out."""

PAGE = b"<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n"


class Fault(NamedTuple):
    """What happens to one request or several, or with `away` to all from it on.

    Attributes:
        request: The number of the first such request, counted from the start of the service.
        kind: What happens.
        seconds: With `slow`: how long the answer takes.
        times: To how many requests it happens.
        every: How many requests apart these are; with 0 times, without an end.
    """

    request: int
    kind: Kind
    seconds: float = 0
    times: int = 1
    every: int = 1

    def meets(self, number: int) -> bool:
        """Whether it happens to the request of this number."""
        if self.kind == "away":
            return number >= self.request
        passed, left = divmod(number - self.request, max(self.every, 1))
        return passed >= 0 and left == 0 and (not self.times or passed < self.times)
