"""The programs that Setpoint's artifacts are for, as its tests see them.

A compiler that is tested against its author's idea of the consumer proves that author consistent, and no more. What
lies here therefore stands as near to the consumer as a test can get:

* `kernel` boots a real Linux with the argument line and asks it what it understood and what came of it;
* `tuned_lint` has the real tuned load a profile, and apply it to a machine made of files;
* `syscfg` runs a script with a real dash against a stand-in for Dell's `syscfg`, which is not to be had: it does what
  Dell's papers and public scripts show, and nothing more lenient;
* `shells` types a line in a real bash, zsh or fish and asks for what can follow;
* `registry` reads the attribute registries of real servers and refuses what their firmware would refuse.

Nothing here imports the compiler: everything takes text, paths and plain dicts. `tests/install-consumers` fetches the
programs; `requirement` decides what happens where one is missing.
"""
