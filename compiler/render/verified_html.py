"""What a verification found, as one page of HTML in the style of the plan report: what is wrong by cause first, then
the whole table.

Captures are foreign, and so is every text of the page: the templates escape it, and make control characters visible. A
fleet has thousands of servers, so those that are as planned are counted, not named.
"""

from collections.abc import Iterable

from setpoint.compiler.plan.made_with import MadeWith
from setpoint.compiler.render.html import SHARED, page_templates
from setpoint.compiler.render.verified import QUIET, evidence_of, planned_text, waiver_text
from setpoint.compiler.verification.grouped import VerdictCause, Verification
from setpoint.compiler.verification.model import (
    DIFFERENCES,
    MEANINGS,
    NOT_COMPARED,
    OK,
    ROLLED_BACK,
    UNDECIDED,
    WAIVED,
)

BADGES = {
    **dict.fromkeys(DIFFERENCES, "error"),
    **dict.fromkeys(UNDECIDED, "warning"),
    NOT_COMPARED: "warning",
    ROLLED_BACK: "accepted",
    WAIVED: "accepted",
    OK: "accepted",
}
"""The look of a state, as a class of `page/style.css`."""


def verified_html(
    verification: Verification, made_with: MadeWith | None, refused: Iterable[tuple[str, str]]
) -> str:
    """The verdicts on a server or a fleet; `refused` are the captures that were not compared, each with the reason."""
    loud: dict[str, list[VerdictCause]] = {}
    for cause in verification.causes:
        if cause.verdict.state not in QUIET:
            loud.setdefault(cause.verdict.state, []).append(cause)
    return (
        page_templates()
        .get_template("verified.html")
        .render(
            verification=verification,
            loud=loud,
            refused=tuple(refused),
            made_with=made_with,
            meanings=MEANINGS,
            badges=BADGES,
            planned=planned_text,
            waiver=waiver_text,
            evidence=evidence_of,
            **SHARED,
        )
    )
