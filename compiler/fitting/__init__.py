"""A policy for one server: what the library offers, intersected with what that server's registry allows.

The library says what a kind of server offers; the registry of BIOS attributes is what one server with one BIOS version
takes. So the registry is used like a type system: names, values and bounds that it does not have are not offered in
this run, and what it does not let anybody write stays as it is. Between binding and resolving, the knowledge base is
replaced by one that is fitted to the server; all that follows is as always, and cannot choose what the server would
refuse.

    Context, Knowledge, Server --fitted--> Context, Knowledge --resolve--> Plan --in_place--> Plan

`server` reads the files, `offers` narrows what is offered, `dependencies` compares profiles and locks, and `in_place`
finds the attributes that have the plan's values already.
"""
