"""What a change changes.

Two sides are planned (`sides`, at a git revision by way of `revisions`), read into one form (`seen`) and
compared policy by policy (`differences`), setting by setting (`settings`) and hazard by hazard
(`hazards`). Why a value is another is found by taking each part of the change back and planning again
(`triggers`); which artifacts come out otherwise, by emitting them (`artifacts`). `changes` has the forms
of what is found.
"""
