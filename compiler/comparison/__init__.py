"""What a change changes.

Two sides are planned (`sides`; `revisions` provides git revisions) and compared policy by policy (`differences`),
setting by setting (`settings`) and hazard by hazard (`hazards`). `triggers` finds the cause of a changed value: it
undoes each part of the change and plans again. `artifacts` finds the artifacts that differ, by emitting them. The
results are records of `plan.difference`; `fleet.difference` has the plans of hosts compared in the same way. `pins`
compares what sources were read at with what their repositories publish now.
"""
