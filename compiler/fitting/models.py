"""Find out whether a registry is of the server that a policy is for.

A policy can state less than the registry names: a generation, or a model without its brand. Then the plan is for the
model that the registry names, as if the policy stated it, whether the library describes this model or knows it by its
family only. A registry of a model outside of what the policy states is refused.
"""

from collections.abc import Mapping

from setpoint.compiler.binding.context import Context
from setpoint.compiler.binding.facts import is_within, related
from setpoint.compiler.binding.stated import (
    FamilyMember,
    Members,
    completed,
    family_member,
    only_by_family,
)
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE, Span
from setpoint.compiler.fitting.server import Server
from setpoint.compiler.knowledge.lookup import printed_value, squashed
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.reported import PRODUCT, is_product, model_fact
from setpoint.compiler.plan.model import FactEntry
from setpoint.compiler.plan.server import Identity
from setpoint.compiler.record import NamedTuple
from setpoint.compiler.registries.model import System
from setpoint.compiler.registries.words import plain
from setpoint.compiler.resolution.identity import identity


def place_of_model(context: Context, knowledge: Knowledge) -> Span:
    """The place for findings about the server: where the policy states which it is."""
    fact = context.facts.get(model_fact(knowledge))
    if fact is not None and fact.origin == "stated":
        return context.places.of_fact(fact)
    return context.intent(knowledge)


class _NamedModel(NamedTuple):
    """A product that a registry names: the model's values of that name, or else the family that recognizes it."""

    system: System
    values: tuple[str, ...]
    member: FamilyMember | None

    @property
    def product(self) -> str:
        """Its name, as the registry has it."""
        return self.system.product

    @property
    def known(self) -> tuple[str, ...]:
        """The values that it is known to be of, or to lie within."""
        return (self.member.value,) if self.member and self.member.value else self.values


def of_its_model(knowledge: Knowledge, context: Context, server: Server) -> tuple[Context, System]:
    """The context for the model that the registry names, and what the registry says of it.

    Raises SetpointError (E0506) if it names only other models than the policy is for, and E0204 if what follows from
    the model contradicts the policy. A name without a digit is that of a product line, and says nothing of the model.
    """
    there = _named_models(knowledge, context, server)
    models = [model for model in there if any(c.isdigit() for c in model.product)]
    mine = next(
        (requirement for requirement in identity(knowledge, context) if requirement.kind == PRODUCT), None
    )
    if mine is None:
        why = "the policy does not say which model it is for"
        raise SetpointError(_other(server, why, context, knowledge, there))
    if not models:
        return context, next(iter(server.registry.systems), System("", "", ""))
    if named := [model for model in models if _is_named(knowledge, context, mine, model)]:
        return _described(knowledge, context, mine, named, server.file), named[0].system
    for model in models:
        if model.member and _is_within_policy(knowledge, context, mine, model.member):
            return _restated(knowledge, context, mine, {}, {mine.fact: (model.member,)}), model.system
    if not mine.names and not any(_is_foreign(knowledge, context, mine, model) for model in models):
        return context, models[0].system
    products = " and ".join(dict.fromkeys(f"`{plain(model.product)}`" for model in models))
    stated = next((f'"{member.text}"' for member in context.members.get(mine.fact, ())), mine.value)
    why = f"it is of {products}, and the policy is for {mine.fact} {stated}"
    raise SetpointError(_other(server, why, context, knowledge, there))


def _named_models(knowledge: Knowledge, context: Context, server: Server) -> list[_NamedModel]:
    """The products that the registry names, each looked up once."""
    fact, is_stated = model_fact(knowledge), place_of_model(context, knowledge) != NOWHERE
    models = []
    for system in server.registry.systems:
        values = printed_value(knowledge, fact, system.product)
        member = None if values else family_member(knowledge, fact, system.product)
        models.append(_NamedModel(system, values, member and member._replace(is_stated=is_stated)))
    return models


def _is_named(knowledge: Knowledge, context: Context, mine: Identity, model: _NamedModel) -> bool:
    """Whether servers of the plan report this product, or the library has it as a name of the policy's value."""
    reported = model.product.strip().casefold()
    if any(is_product(name.casefold(), reported) for name in mine.names):
        return True
    values = () if mine.fact in context.members else model.values
    return any(is_within(knowledge, mine.fact, value, mine.value) for value in values)


def _is_foreign(knowledge: Knowledge, context: Context, mine: Identity, model: _NamedModel) -> bool:
    """Whether a product is known to be another one than the policy's model, of which no source shows the name."""
    if mine.fact in context.members:
        return True
    is_mine = any(related(knowledge, mine.fact, value, mine.value) for value in model.known)
    return bool(model.known) and not is_mine


def _described(
    knowledge: Knowledge, context: Context, mine: Identity, models: list[_NamedModel], file: str
) -> Context:
    """The context for the one value that these products are of, if it is narrower than the policy's."""
    values = {value for model in models for value in model.values}
    value = values.pop() if len(values) == 1 else mine.value
    is_narrower = value != mine.value and is_within(knowledge, mine.fact, value, mine.value)
    if mine.fact in context.members or not is_narrower:
        return context
    entry = FactEntry(mine.fact, value, value, "stated", file, mine.fact)
    return _restated(knowledge, context, mine, {mine.fact: entry}, {})


def _is_within_policy(knowledge: Knowledge, context: Context, mine: Identity, member: FamilyMember) -> bool:
    """Whether a product of a family is the one that the policy states: without its brand, or a wider value."""
    if named := context.members.get(mine.fact):
        lacks_brand = [policy_member for policy_member in named if not policy_member.product]
        return any(
            squashed(member.text).endswith(squashed(policy_member.text)) for policy_member in lacks_brand
        )
    return bool(member.value) and is_within(knowledge, mine.fact, member.value, mine.value)


def _restated(
    knowledge: Knowledge, context: Context, mine: Identity, facts: Mapping[str, FactEntry], members: Members
) -> Context:
    """The context if these facts are stated where the model is. Raises SetpointError (E0204) if they contradict it."""
    every = {**context.members, **members}
    given = {name: fact for name, fact in context.facts.items() if fact.origin == "stated"} | dict(facts)
    known, contradictions = completed(knowledge, given, every)
    places = context.places.with_({("fact", mine.fact): place_of_model(context, knowledge)})
    if contradictions:
        raise SetpointError(*(contradiction.finding(places) for contradiction in contradictions))
    before = tuple(only_by_family(context.members, context.places))
    kept = (finding for finding in context.findings if finding not in before)
    findings = (*kept, *only_by_family(every, places))
    return context._replace(facts=known, findings=findings, members=every, places=places)


def _other(
    server: Server, why: str, context: Context, knowledge: Knowledge, models: list[_NamedModel]
) -> Diagnostic:
    fact = model_fact(knowledge)
    known = dict.fromkeys(
        name
        for model in models
        for name in model.values or ((f'"{plain(model.product)}"',) if model.member else ())
    )
    states = " or ".join(f"`{fact} {value};`" for value in known)
    return Diagnostic(
        "E0506",
        f"`{server.file}` is not the registry of this server: {why}",
        place_of_model(context, knowledge),
        "for another server",
        help=(
            f"state {states}, if that is the server" if states else f"state the server's {fact}",
            "or take the registry from the server that the policy is for",
        ),
        subject=server.file,
    )
