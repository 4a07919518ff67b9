"""Find out whether a registry is of the server that a policy is for.

A policy can state less than the registry names: a generation, or a model without its brand. Then the plan is for the model that the
registry names, as if the policy stated it, whether the library describes this model or knows it by its family only. A registry of
a model outside of what the policy states is refused.
"""

from collections.abc import Mapping

from setpoint.compiler.binding.context import Context
from setpoint.compiler.binding.facts import complete, described, is_within, related
from setpoint.compiler.binding.stated import (
    FamilyMember,
    family_member,
    named_only,
    only_by_family,
    with_families,
)
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import Span
from setpoint.compiler.fitting.server import Server
from setpoint.compiler.knowledge.lookup import printed_value, squashed
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.reported import PRODUCT, is_product
from setpoint.compiler.plan.identity import Identity
from setpoint.compiler.plan.model import FactEntry
from setpoint.compiler.registries.model import System
from setpoint.compiler.registries.words import plain
from setpoint.compiler.resolution.identity import identity


def model_fact(knowledge: Knowledge) -> str:
    """The fact whose values servers report as their product; "" if there is none."""
    return next(
        (
            fact
            for fact, values in knowledge.values.items()
            if any(report.kind == PRODUCT for value in values.values() for report in value.reported)
        ),
        "",
    )


def place_of_model(context: Context, knowledge: Knowledge) -> Span:
    """The place for findings about the server: where the policy states which it is."""
    fact = context.facts.get(model_fact(knowledge))
    return fact.span if fact is not None and fact.origin == "stated" else context.intent(knowledge)


def of_its_model(knowledge: Knowledge, context: Context, server: Server) -> tuple[Context, System]:
    """The context for the model that the registry names, and what the registry says of it.

    Raises SetpointError (E0506) if it names only other models than the policy is for, and E0204 if what follows from the model contradicts
    the policy. A name without a digit is that of a product line, and says nothing of the model.
    """
    systems = [each for each in server.registry.systems if any(c.isdigit() for c in each.product)]
    mine = next((each for each in identity(knowledge, context) if each.kind == PRODUCT), None)
    if mine is None:
        raise SetpointError(
            _other(server, "the policy does not say which model it is for", context, knowledge)
        )
    if not systems:
        return context, next(iter(server.registry.systems), System("", "", ""))
    if named := [each for each in systems if _is_named(knowledge, context, mine, each.product)]:
        return _described(knowledge, context, mine, named, server.file), named[0]
    for system in systems:
        if member := _member_within(knowledge, context, mine, system.product):
            return _restated(knowledge, context, {}, {mine.fact: (member,)}), system
    if not mine.names and not any(_is_foreign(knowledge, context, mine, each.product) for each in systems):
        return context, systems[0]
    products = " and ".join(dict.fromkeys(f"`{plain(each.product)}`" for each in systems))
    stated = next((f'"{each.text}"' for each in context.members.get(mine.fact, ())), mine.value)
    why = f"it is of {products}, and the policy is for {mine.fact} {stated}"
    raise SetpointError(_other(server, why, context, knowledge))


def _is_named(knowledge: Knowledge, context: Context, mine: Identity, product: str) -> bool:
    """Whether servers that the plan is for report this product, or the library has it as a name of the policy's value."""
    reported = product.strip().casefold()
    if any(is_product(name.casefold(), reported) for name in mine.names):
        return True
    values = () if mine.fact in context.members else printed_value(knowledge, mine.fact, product)
    return any(is_within(knowledge, mine.fact, value, mine.value) for value in values)


def _is_foreign(knowledge: Knowledge, context: Context, mine: Identity, product: str) -> bool:
    """Whether a product is known to be another one than the policy's model, of which no source shows the name."""
    if mine.fact in context.members:
        return True
    values = printed_value(knowledge, mine.fact, product)
    member = family_member(knowledge, mine.fact, product, place_of_model(context, knowledge))
    if member is not None and member.value:
        values = (member.value,)
    return bool(values) and not any(related(knowledge, mine.fact, value, mine.value) for value in values)


def _described(
    knowledge: Knowledge, context: Context, mine: Identity, systems: list[System], file: str
) -> Context:
    """The context for the one value that the products of these systems are of, if it is narrower than the policy's."""
    values = {value for each in systems for value in printed_value(knowledge, mine.fact, each.product)}
    value = values.pop() if len(values) == 1 else mine.value
    is_narrower = value != mine.value and is_within(knowledge, mine.fact, value, mine.value)
    if mine.fact in context.members or not is_narrower:
        return context
    at = place_of_model(context, knowledge)
    return _restated(
        knowledge, context, {mine.fact: FactEntry(mine.fact, value, value, "stated", file, at)}, {}
    )


def _member_within(
    knowledge: Knowledge, context: Context, mine: Identity, product: str
) -> FamilyMember | None:
    """The product as its family knows it, if it is what the policy states: the model without its brand, or what the model lies within."""
    member = family_member(knowledge, mine.fact, product, place_of_model(context, knowledge))
    if member is None:
        return None
    if named := context.members.get(mine.fact):
        lacks_brand = [each for each in named if not each.product]
        is_same = any(squashed(product).endswith(squashed(each.text)) for each in lacks_brand)
        return member if is_same else None
    is_mine = member.value and is_within(knowledge, mine.fact, member.value, mine.value)
    return member if is_mine else None


def _restated(
    knowledge: Knowledge,
    context: Context,
    facts: Mapping[str, FactEntry],
    members: Mapping[str, tuple[FamilyMember, ...]],
) -> Context:
    """The context if these facts are stated as well. Raises SetpointError (E0204) if they contradict it."""
    every = {**context.members, **members}
    given = {name: fact for name, fact in context.facts.items() if fact.origin == "stated"} | dict(facts)
    stated, unlike = with_families(knowledge, given, every)
    completed, contradictions = complete(knowledge, stated, named_only(every, stated))
    if unlike or contradictions:
        raise SetpointError(*unlike, *contradictions)
    before = tuple(only_by_family(context.members))
    kept = (each for each in context.findings if each not in before)
    return context._replace(
        facts={name: described(knowledge, completed[name]) for name in sorted(completed)},
        findings=(*kept, *only_by_family(every)),
        members=every,
    )


def _other(server: Server, why: str, context: Context, knowledge: Knowledge) -> Diagnostic:
    fact = model_fact(knowledge)
    at = place_of_model(context, knowledge)
    known: list[str] = []
    for product in dict.fromkeys(plain(each.product) for each in server.registry.systems):
        values = printed_value(knowledge, fact, product) if product else ()
        if not values and family_member(knowledge, fact, product, at):
            values = (f'"{product}"',)
        known += values
    states = " or ".join(f"`{fact} {value};`" for value in known)
    return Diagnostic(
        "E0506",
        f"`{server.file}` is not the registry of this server: {why}",
        at,
        "for another server",
        help=(
            f"state {states}, if that is the server" if states else f"state the server's {fact}",
            "or take the registry from the server that the policy is for",
        ),
        subject=server.file,
    )
