"""A release: everything that users install, made from one tag.

    TAG --source--> files --packages--> wheel, sdist --single--> one file --image--> OCI image
                      |                    |
                      +--notes--> notes    +--papers--> manual page, completions, SBOM, provenance, check sums

`make release TAG=v0.2.0` runs it, and so does the workflow `release.yml`. It lies beside what pipelines run, and not in
`compiler/`, since no user of Setpoint runs it, and what `compiler/` contains is in the wheel.

INVARIANT: the same tag gives the same bytes, in any folder. Only files of the tag's commit are read, every time is that
of the commit, and what others made has the releases and check sums of `locked.txt` and `tools.txt`. The system inside
the image has no lock: it has the packages that Debian serves on that day, and the provenance names them.
"""
