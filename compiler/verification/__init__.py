"""Verification: a capture of a server compared with a plan, setting by setting.

A plan becomes *questions* once (`questions`): what each setting's value is in each interface, and where it is observed.
Each capture is then asked all of them (`verdicts`). So thousands of captures of one class cost one plan, and each reads
what its questions name.

There are three readings, and a verdict says which of them it rests on: what the controller has *configured*, what is
*pending* until the next restart, and what is *in effect* on the host. A value that could not be read is never taken for
one that is off, and a processor's ability is never taken for its state.
"""
