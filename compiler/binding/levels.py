"""Which statements count, and which outrank which.

A file's own statements are the widest level. A policy narrows them, a policy that extends it narrows
that; a group narrows the policy, a host the group. Within a level a thing may be said once; a narrower
level may say it anew, and the plan reports that it did.
"""

from typing import NamedTuple

from setpoint.compiler.diagnostics import Diagnostic, Label, SetpointError
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.source import NOWHERE, Span
from setpoint.compiler.language.syntax import Accept, Fact, Manage, Name, Policy, Scope, Set, Statement

SCOPES = ("group", "host")
"""The kinds of scope, wider first."""

Plain = Fact | Set | Accept | Manage


class Level(NamedTuple):
    """Statements of one rank, and what messages call them: `the file`, `policy web`, `host c042`."""

    title: str
    statements: tuple[Plain, ...]


class Subject(NamedTuple):
    """One thing to plan: a policy, perhaps narrowed to a group or a host. Levels are widest first."""

    name: str
    levels: tuple[Level, ...]
    span: Span


def subjects(
    body: tuple[Statement, ...], stem: str, policy: str = "", group: str = "", host: str = ""
) -> tuple[Subject, ...]:
    """What a file asks to plan.

    `policy`, `group` and `host` choose among it. Without a choice every policy is a subject of its own;
    a file (or policy) with groups yields one subject a group, and one for itself if it states anything
    that no group states. A group that is chosen leaves the policies that have it.
    Raises SetpointError (E0206, E0207, E0208) for what cannot be chosen, told apart or extended.
    """
    policies = _policies(body)
    top = Level("the file", _plain(body))
    candidates = []
    if policies:
        chosen = [policies[policy]] if policy in policies else list(policies.values())
        if policy and policy not in policies:
            raise SetpointError(unknown("policy", Name(policy, NOWHERE), policies, "E0206"))
        for each in chosen:
            chain = _chain(each, policies)
            levels = (top, *(Level(f"policy {p.name.text}", _plain(p.body)) for p in chain))
            scoped = tuple(s for s in (*body, *(x for p in chain for x in p.body)) if isinstance(s, Scope))
            candidates.append((each.name.text, levels, scoped, each.name.span))
    else:
        if policy and policy != stem:
            raise SetpointError(unknown("policy", Name(policy, NOWHERE), [stem], "E0206"))
        scoped = tuple(s for s in body if isinstance(s, Scope))
        span = body[0].span if body else NOWHERE
        candidates.append((stem, (top,), scoped, span))
    groups = {s.name.text for _, _, scoped, _ in candidates for s in scoped if s.kind.text == "group"}
    if group and group not in groups:
        raise SetpointError(unknown("group", Name(group, NOWHERE), groups, "E0206"))
    found = [
        subject
        for name, levels, scoped, span in candidates
        for subject in _narrowed(name, levels, scoped, group, host, span)
    ]
    _told_apart(found)
    return tuple(found)


def _told_apart(found: list[Subject]) -> None:
    """Raises SetpointError (E0207) where two are called the same: policy `a-b`, and group `b` of policy `a`."""
    named: dict[str, Subject] = {}
    for subject in found:
        if subject.name in named:
            first, again = named[subject.name], subject
            raise SetpointError(
                Diagnostic(
                    "E0207",
                    f"{_called(first)} and {_called(again)} are both called `{subject.name}`",
                    again.span,
                    "one of them",
                    (Label(first.span, "the other"),),
                    help=("give one of them another name: bundles are told apart by it",),
                )
            )
        named[subject.name] = subject


def _called(subject: Subject) -> str:
    """What a subject is, in words: `policy a-b`, `group b of policy a`."""
    titles = [level.title for level in subject.levels]
    narrow = [title for title in titles if title.startswith(SCOPES)]
    policy = next((title for title in reversed(titles) if title not in narrow), "the file")
    return " of ".join([*reversed(narrow), policy])


def _plain(body: tuple[Statement, ...]) -> tuple[Plain, ...]:
    return tuple(s for s in body if isinstance(s, Fact | Set | Accept | Manage))


def _policies(body: tuple[Statement, ...]) -> dict[str, Policy]:
    policies: dict[str, Policy] = {}
    for statement in body:
        if isinstance(statement, Policy):
            name = statement.name.text
            if name in policies:
                raise SetpointError(
                    Diagnostic(
                        "E0207",
                        f"there are two policies named `{name}`",
                        statement.name.span,
                        "again here",
                        (Label(policies[name].name.span, "first here"),),
                        help=("give one of them another name",),
                    )
                )
            policies[name] = statement
    return policies


def _chain(policy: Policy, policies: dict[str, Policy]) -> tuple[Policy, ...]:
    """The policy and all that it extends, the widest first."""
    chain = [policy]
    while (base := chain[0].extends) is not None:
        if base.text not in policies:
            raise SetpointError(unknown("policy", base, policies, "E0206"))
        if policies[base.text] in chain:
            between = [f"`{p.name.text}`" for p in chain[: chain.index(policies[base.text])]]
            way = f", by way of {' and '.join(reversed(between))}" if between else ""
            raise SetpointError(
                Diagnostic(
                    "E0208",
                    f"policy `{base.text}` extends itself{way}",
                    base.span,
                    "the circle closes here",
                    help=("let one of them extend nothing",) if between else ("drop this `extends`",),
                )
            )
        chain.insert(0, policies[base.text])
    return tuple(chain)


def _narrowed(
    name: str, levels: tuple[Level, ...], scopes: tuple[Scope, ...], group: str, host: str, span: Span
) -> list[Subject]:
    by_kind: dict[str, dict[str, list[Scope]]] = {kind: {} for kind in SCOPES}
    for scope in scopes:
        if scope.kind.text not in by_kind:
            raise SetpointError(unknown("scope", scope.kind, SCOPES, "E0201"))
        by_kind[scope.kind.text].setdefault(scope.name.text, []).append(scope)
    if group and group not in by_kind["group"]:
        return []
    chosen = [(kind, wanted) for kind, wanted in zip(SCOPES, (group, host), strict=True) if wanted]
    if chosen:
        return [_with_scopes(name, levels, chosen, by_kind, span)]
    if not by_kind["group"]:
        return [Subject(name, levels, span)]
    found = []
    if any(isinstance(s, Fact) and s.name.text == "goal" for level in levels for s in level.statements):
        found.append(Subject(name, levels, span))
    found.extend(_with_scopes(name, levels, [("group", g)], by_kind, span) for g in by_kind["group"])
    return found


def _with_scopes(
    name: str,
    levels: tuple[Level, ...],
    chosen: list[tuple[str, str]],
    by_kind: dict[str, dict[str, list[Scope]]],
    span: Span,
) -> Subject:
    narrower = tuple(
        Level(
            f"{kind} {wanted}",
            tuple(s for scope in by_kind[kind].get(wanted, ()) for s in _plain(scope.body)),
        )
        for kind, wanted in chosen
    )
    return Subject("-".join([name, *(wanted for _, wanted in chosen)]), (*levels, *narrower), span)
