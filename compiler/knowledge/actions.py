"""What one-time actions cannot have: settings that perform something when they are written, and then have no value.

Only a policy asks for one, with `set`. Nothing in the knowledge base may do so in its place, and so:

* no rule or table recommends one, and no profile has one as a member;
* each offer states its default, which is the value that performs nothing;
* no constraint excludes that value. Where nothing is performed, every constraint on the action is satisfied, so
  narrowing never forces another value.

A constraint may still say what an action needs, or excludes. But none says that an action locks another setting, since
nothing of it is left in the end state.
"""

from collections.abc import Iterable, Iterator, Mapping

from setpoint.compiler.diagnostics import Diagnostic, Label
from setpoint.compiler.knowledge.model import Constraint, Offer, Preset, Rule
from setpoint.compiler.knowledge.vocabulary import Vocabulary

WAY_OUT = ("only a policy asks for a one-time action, with `set`",)


def unfit_for_actions(
    vocabulary: Vocabulary,
    rules: Iterable[Rule],
    presets: Iterable[Preset],
    constraints: Iterable[Constraint],
    offers: Mapping[str, tuple[Offer, ...]],
) -> Iterator[Diagnostic]:
    """The statements that ask for a one-time action, or rest on the value of one (K07)."""
    actions = {name for name, setting in vocabulary.settings.items() if setting.once}
    for rule in rules:
        if rule.setting in actions:
            message = f"`{rule.name}` recommends `{rule.setting}`, a one-time action"
            yield Diagnostic("K07", message, rule.span, "recommended here", help=WAY_OUT)
    for preset in presets:
        for name in sorted(actions & {preset.governor, *preset.members}):
            message = f"`{name}` is a one-time action, and no part of a profile"
            yield Diagnostic("K07", message, preset.span, "in this table", help=WAY_OUT)
    for offer in (offer for name in sorted(actions) for offer in offers.get(name, ())):
        if not offer.default:
            message = f"the offer of the one-time action `{offer.setting}` has no default"
            advice = ("state the value that performs nothing: `default VALUE`",)
            yield Diagnostic("K07", message, offer.span, "which value performs nothing?", help=advice)
    for constraint in constraints:
        yield from _unfit_constraint(vocabulary, constraint, actions, offers)


def _unfit_constraint(
    vocabulary: Vocabulary, constraint: Constraint, actions: set[str], offers: Mapping[str, tuple[Offer, ...]]
) -> Iterator[Diagnostic]:
    required = (constraint.require,) if constraint.require else ()
    excluded = [(name, mask) for name, mask in constraint.when if name in actions]
    excluded += [
        (name, vocabulary.variables[name].everything & ~mask) for name, mask in required if name in actions
    ]
    for name, mask in excluded:
        for offer in offers.get(name, ()):
            if offer.default and mask & vocabulary.variables[name].bit(offer.default):
                message = f"constraint `{constraint.name}` excludes `{name} {offer.default}`, which performs nothing"
                where = (Label(offer.span, "its default here"),)
                yield Diagnostic("K07", message, constraint.span, "excluded here", where, help=WAY_OUT)
                break
    if constraint.lock:
        for name in sorted(actions & {name for name, _ in constraint.when}):
            message = f"constraint `{constraint.name}` has the one-time action `{name}` lock another setting"
            yield Diagnostic("K07", message, constraint.span, "no value of it is left in the end state")
