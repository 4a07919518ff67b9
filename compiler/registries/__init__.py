"""BIOS attribute registries: what one server's firmware offers, in the form of DMTF's AttributeRegistry.

A Redfish service publishes a registry of its BIOS attributes: names, types, values, bounds, and the dependencies
between them. Reading has two stages. `document` is the external form, and is only loaded to read a file; `read` makes
the typed, immutable registry of `model` from it. `expression` evaluates the conditions of a dependency, and `state`
says what the dependencies make of given values: which are forced, and what is locked or hidden.

The format is a standard, so this is mechanism. Vendors write it in dialects, which are recognised by the data: no
vendor is named here.
"""
