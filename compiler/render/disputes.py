"""Disputes between the sources of a knowledge base, as text and as JSON."""

import shlex
from collections.abc import Iterable
from typing import Any

from setpoint.compiler.knowledge.results import Dispute, DisputeLoss, DisputeOutcome, Disputes, DisputeSide
from setpoint.compiler.language.written import quote
from setpoint.compiler.render.table import paragraph, table
from setpoint.compiler.render.visible import json_object, json_text, visible_lines
from setpoint.compiler.render.words import REASONS, place

SCHEMA = "setpoint.kb-disputes/1"

WITHDRAWN = {"superseded": "a later edition supersedes it", "exception": "an exception withdraws it"}
"""Why a recommendation does not apply. A plan says only that it is withdrawn."""


def disputes_text(disputes: Disputes, site: Iterable[str], width: int) -> str:
    """The disputes, and their number. The shown policies must include a site's files for its rules to apply."""
    text = "".join(f"{_dispute_text(dispute, disputes.contexts, width)}\n" for dispute in disputes.disputes)
    number, settings = len(disputes.disputes), len({dispute.setting for dispute in disputes.disputes})
    if not number:
        return f"no disputes, in any of {disputes.contexts:,} contexts\n"
    total = f"{number} dispute{'s' * (number != 1)} about {settings} setting{'s' * (settings != 1)}"
    includes = "".join(f"include {quote(name)}; " for name in sorted(site))
    note = (
        f"begin the policies with `{includes.strip()}` to have the rules of this site\n" if includes else ""
    )
    return visible_lines(f"{text}{total}\n{note}")


def _dispute_text(dispute: Dispute, contexts: int, width: int) -> str:
    text = f"{dispute.setting}, in {dispute.contexts:,} of {contexts:,} contexts\n"
    text += table([_side_row(side) for side in dispute.sides], width)
    for outcome in dispute.outcomes:
        text += paragraph(_outcome_text(dispute, outcome), width, 2)
        if outcome.policy:
            text += f"    setpoint explain -e {shlex.quote(outcome.policy)} {dispute.setting}\n"
    return text


def _side_row(side: DisputeSide) -> tuple[str, str, str]:
    return side.value, " or ".join(side.strengths), place(side.source, side.at, side.profile)


def _outcome_text(dispute: Dispute, outcome: DisputeOutcome) -> str:
    """What plans have, and why: `plans have on in 12 of them; off loses: weaker evidence`."""
    sets = " and ".join(f"{setting} {value}" for setting, value in outcome.sets)
    number = "all" if outcome.contexts == dispute.contexts else f"{outcome.contexts:,}"
    where = f"in {number} of them" + (f", if the policy sets {sets}" if sets else "")
    if not outcome.value:
        return f"no plan {where}: neither takes precedence"
    sides = {side.name for side in dispute.sides}
    others = ", ".join(name for name in outcome.by if name not in sides)
    decided = f", decided by {others}" if others else ""
    losses = "".join(f"; {_loss_text(dispute, loss)}" for loss in outcome.losses)
    return f"plans have {outcome.value} {where}{decided}{losses}"


def _loss_text(dispute: Dispute, loss: DisputeLoss) -> str:
    other = dispute.sides[1 - loss.side].name
    by = f" ({loss.by})" if loss.by not in ("", other) else ""
    return f"{dispute.sides[loss.side].value} loses: {(REASONS | WITHDRAWN)[loss.reason]}{by}"


def disputes_json(disputes: Disputes) -> str:
    """The same as JSON."""
    return json_text(
        {
            "schema": SCHEMA,
            "contexts": disputes.contexts,
            "disputes": [
                {
                    **json_object(dispute, "setting contexts"),
                    "sides": [side._asdict() for side in dispute.sides],
                    "outcomes": [_outcome_json(outcome) for outcome in dispute.outcomes],
                }
                for dispute in disputes.disputes
            ],
        }
    )


def _outcome_json(outcome: DisputeOutcome) -> dict[str, Any]:
    return {
        "value": outcome.value,
        "by": list(outcome.by),
        "lost": [loss._asdict() for loss in outcome.losses],
        "contexts": outcome.contexts,
        "sets": dict(outcome.sets),
        "policy": outcome.policy,
    }
