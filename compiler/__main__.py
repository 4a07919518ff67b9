"""`python -m setpoint.compiler` is the command `setpoint`.

Python puts the folder in which it is run before all others where it looks for modules. Whoever works in a repository
that has a folder called `setpoint` would run what is in it, so that folder is left out here, as it is for the command.
Before it is, Python looks for `setpoint` itself: there a wheel is preferred to a folder that is no package. Only the
command, or `python -P`, keeps Python from a module `setpoint.py`, and from a folder that has an `__init__.py`.
"""

import sys

if not sys.flags.safe_path:
    del sys.path[0]

from setpoint.compiler.cli import main

raise SystemExit(main())
