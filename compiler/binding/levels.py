"""Which statements apply, and which of them take precedence.

A file's own statements are the widest level. A policy narrows them, a policy that extends it narrows that; a group
narrows the policy, a host the group. Within a level, everything may be stated once; a narrower level may state it
again, and the plan reports the override.
"""

from collections.abc import Collection, Iterable, Iterator

from setpoint.compiler.binding.names import check_case, check_scope
from setpoint.compiler.diagnostics import Label, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE, Placed
from setpoint.compiler.knowledge.words import unknown
from setpoint.compiler.language.syntax import (
    Accept,
    Evidence,
    Expect,
    Fact,
    Manage,
    Name,
    Policy,
    Scope,
    Set,
    Statement,
)
from setpoint.compiler.record import NamedTuple

SCOPES = ("group", "host")
"""The kinds of scope, widest first."""

WITHOUT_BLOCK = {
    "group": "no block is for this group, so its policy applies: leave `--group` out",
    "host": "no block is for this host, so its group or policy applies: leave `--host` out",
}
"""The help for a requested scope that the policy does not have."""

Plain = Fact | Set | Accept | Manage | Evidence | Expect


class Level(NamedTuple):
    """Statements of equal precedence: those of the file itself, of a policy, or of a block for a group or host.

    `kind` is `file`, `policy` or one of SCOPES; `name` is "" for the file.
    """

    kind: str
    name: str
    statements: tuple[Plain, ...]

    @property
    def title(self) -> str:
        """Its name in messages: `the file`, `policy web`, `host c042`."""
        return f"{self.kind} {self.name}" if self.name else f"the {self.kind}"


class Subject(Placed):
    """One thing to plan: a policy, possibly narrowed to a group or a host. Levels are widest first."""

    policy: str
    levels: tuple[Level, ...]

    @property
    def name(self) -> str:
        """What its plan is called, and its bundle: `fleet-compute-c042`."""
        return "-".join([self.policy, *(level.name for level in self.levels if level.kind in SCOPES)])

    @property
    def base(self) -> str:
        """The name of what its host block narrows: `fleet-compute`; its own where it is for no single host."""
        return f"{self.policy}-{self.group}" if self.group else self.policy

    @property
    def group(self) -> str:
        """The group that it is narrowed to; "" for none."""
        return self._scope("group")

    @property
    def host(self) -> str:
        """The host that it is narrowed to; "" for none."""
        return self._scope("host")

    def _scope(self, kind: str) -> str:
        return next((level.name for level in self.levels if level.kind == kind), "")


class Candidate(Placed):
    """A policy, or a file without one, with the scopes that can narrow it, by kind and name."""

    name: str
    levels: tuple[Level, ...]
    scopes: dict[str, dict[str, list[Scope]]]

    def group_of(self, host: str) -> str:
        """The group that the policy says a host is in; "" where it does not say."""
        return next((scope.group.text for scope in self.scopes["host"][host] if scope.group), "")

    def groups_of(self, host: str) -> tuple[str, ...]:
        """The groups that a host can be in: its own if the policy states it, else any, and none ("")."""
        own = self.group_of(host)
        return (own,) if own else (*self.scopes["group"], "")

    def statements(self, kind: str, name: str) -> tuple[Plain, ...]:
        """The statements of all blocks for a group or a host."""
        return tuple(s for scope in self.scopes[kind][name] for s in _plain(scope.body))

    def hosts(self) -> Iterator[Subject]:
        """The policy narrowed to each host that has a block, in each group that the host can be in."""
        for host in self.scopes["host"]:
            for group in self.groups_of(host):
                yield self.narrowed(group, host)

    def with_each_group(self, required: frozenset[str]) -> Iterator[Subject]:
        """The policy itself, unless only its groups state the required facts; then narrowed to each group."""
        stated = {s.name.text for level in self.levels for s in level.statements if isinstance(s, Fact)}
        if required <= stated or not self.scopes["group"]:
            yield Subject(self.name, self.levels, span=self.span)
        yield from (self.narrowed(name) for name in self.scopes["group"])

    def narrowed(self, group: str = "", host: str = "") -> Subject:
        """The policy narrowed to a group and a host, "" for none. Raises SetpointError (E0210) for a wrong group."""
        own = self.group_of(host) if host else ""
        if own and group and own != group:
            message = f"host `{host}` is in group `{own}`, not in `{group}`"
            raise SetpointError.of("E0210", message, self.span, help=("leave `--group` out",))
        narrower = tuple(
            Level(kind, name, self.statements(kind, name))
            for kind, name in (("group", own or group), ("host", host))
            if name
        )
        return Subject(self.name, (*self.levels, *narrower), span=self.span)


def subjects(
    body: tuple[Statement, ...],
    stem: str,
    required: frozenset[str],
    policy: str = "",
    group: str = "",
    host: str = "",
) -> tuple[Subject, ...]:
    """The subjects of a file; `required` are the facts that a policy must state to be planned.

    `policy`, `group` and `host` select among them. Without a selection, every policy is a subject of its own; a file
    (or policy) with groups yields one subject for each group, and one for itself if it states the required facts
    outside of them. A selected group or host keeps the policies that have it. A host that a policy puts into a group is
    narrowed to that group as well.

    Raises SetpointError (E0206, E0207, E0208, E0210, E0211, E0616) if a selection, a name, a group or an `extends` is
    wrong.
    """
    named = candidates(body, stem, policy)
    chosen = {kind: name for kind, name in zip(SCOPES, (group, host), strict=True) if name}
    for kind, wanted in chosen.items():
        having = [candidate for candidate in named if wanted in candidate.scopes[kind]]
        if not having:
            known = {name for candidate in named for name in candidate.scopes[kind]}
            missing = unknown(kind, Name(wanted, span=NOWHERE), known, "E0206")
            raise SetpointError(missing._replace(help=(*missing.help, WITHOUT_BLOCK[kind])))
        named = having
    if not chosen:
        return all_subjects(named, required)
    selection = [candidate.narrowed(group, host) for candidate in named]
    _check_names_differ(selection)
    return tuple(selection)


def all_subjects(named: Iterable[Candidate], required: frozenset[str]) -> tuple[Subject, ...]:
    """Every policy and group of these. Raises SetpointError (E0207, E0211) if two have the same name."""
    every_subject = [subject for candidate in named for subject in candidate.with_each_group(required)]
    _check_names_differ(every_subject)
    return tuple(every_subject)


def candidates(body: tuple[Statement, ...], stem: str, policy: str = "") -> list[Candidate]:
    """The policies of a file, or the selected one; the file itself if it has none. Raises as `subjects` does."""
    policies = _policies(body)
    names = policies or (stem,)
    if policy and policy not in names:
        raise SetpointError(unknown("policy", Name(policy, span=NOWHERE), names, "E0206"))
    top = Level("file", "", _plain(body))
    if not policies:
        return [Candidate(stem, (top,), _scopes(body), span=body[0].span if body else NOWHERE)]
    shared = tuple(statement for statement in body if isinstance(statement, Scope))
    named = []
    for name in [policy] if policy else policies:
        chain = _chain(policies[name], policies)
        levels = (top, *(Level("policy", p.name.text, _plain(p.body)) for p in chain))
        scopes = _scopes((*shared, *(statement for p in chain for statement in p.body)))
        named.append(Candidate(name, levels, scopes, span=policies[name].name.span))
    return named


def _scopes(body: tuple[Statement, ...]) -> dict[str, dict[str, list[Scope]]]:
    by_kind: dict[str, dict[str, list[Scope]]] = {kind: {} for kind in SCOPES}
    for scope in body:
        if isinstance(scope, Scope):
            if scope.kind.text not in by_kind:
                raise SetpointError(unknown("scope", scope.kind, SCOPES, "E0201"))
            by_kind[scope.kind.text].setdefault(scope.name.text, []).append(scope)
    for kind, scopes in by_kind.items():
        check_case((f"{kind} {name}", blocks[0].name.span) for name, blocks in scopes.items())
        for blocks in scopes.values():
            check_scope(blocks[0], by_kind["group"])
        for blocks in scopes.values():
            _check_group(blocks, by_kind["group"])
    return by_kind


def _check_group(blocks: list[Scope], groups: Collection[str]) -> None:
    """Raises SetpointError where the blocks for one group or host put it into no group of the policy, or into two
    (E0206, E0210)."""
    named = [(block, block.group) for block in blocks if block.group]
    for block, group in named:
        if block.kind.text != "host":
            raise SetpointError.of(
                "E0210",
                f"`{block.kind.text} {block.name.text}` cannot be in another group",
                group.span,
                "only a host can",
                help=(f"remove `in {group.text}`",),
            )
        if group.text not in groups:
            raise SetpointError(unknown("group", group, groups, "E0206"))
        first = named[0][1]
        if group.text != first.text:
            raise SetpointError.of(
                "E0210",
                f"host `{block.name.text}` is in two groups, `{first.text}` and `{group.text}`",
                group.span,
                "another here",
                (Label(first.span, "first here"),),
                help=("name one of them: a host has one plan, and so is in one group of a policy",),
            )


def _check_names_differ(selection: list[Subject]) -> None:
    """Raises SetpointError if two subjects have the same name: policy `a-b`, and group `b` of policy `a`.

    The code is E0207, or E0211 if the names differ in case.
    """
    named: dict[str, Subject] = {}
    for subject in selection:
        if subject.name in named:
            first, again = named[subject.name], subject
            raise SetpointError.of(
                "E0207",
                f"{_called(first)} and {_called(again)} have the same name `{subject.name}`",
                again.span,
                "one of them",
                (Label(first.span, "the other"),),
                help=("rename one of them: bundles are named after it",),
            )
        named[subject.name] = subject
    check_case((subject.name, subject.span) for subject in selection)


def _called(subject: Subject) -> str:
    """A subject in words: `policy a-b`, `group b of policy a`."""
    narrow = [level.title for level in subject.levels if level.kind in SCOPES]
    policy = next(level.title for level in reversed(subject.levels) if level.kind not in SCOPES)
    return " of ".join([*reversed(narrow), policy])


def _plain(body: tuple[Statement, ...]) -> tuple[Plain, ...]:
    return tuple(s for s in body if isinstance(s, Plain))


def _policies(body: tuple[Statement, ...]) -> dict[str, Policy]:
    policies: dict[str, Policy] = {}
    for statement in body:
        if isinstance(statement, Policy):
            name = statement.name.text
            if name in policies:
                raise SetpointError.of(
                    "E0207",
                    f"there are two policies named `{name}`",
                    statement.name.span,
                    "again here",
                    (Label(policies[name].name.span, "first here"),),
                    help=("give one of them another name",),
                )
            policies[name] = statement
    check_case((f"policy {name}", policy.name.span) for name, policy in policies.items())
    return policies


def _chain(policy: Policy, policies: dict[str, Policy]) -> tuple[Policy, ...]:
    """The policy and all those that it extends, widest first."""
    chain = [policy]
    while (base := chain[0].extends) is not None:
        if base.text not in policies:
            raise SetpointError(unknown("policy", base, policies, "E0206"))
        if policies[base.text] in chain:
            between = [f"`{p.name.text}`" for p in chain[: chain.index(policies[base.text])]]
            way = f", through {' and '.join(reversed(between))}" if between else ""
            raise SetpointError.of(
                "E0208",
                f"policy `{base.text}` extends itself{way}",
                base.span,
                "the cycle ends here",
                help=("remove one of these `extends`",) if between else ("remove this `extends`",),
            )
        chain.insert(0, policies[base.text])
    return tuple(chain)
