"""`setpoint check`: all errors and warnings of policies and knowledge files."""

import os
import sys

from setpoint.compiler.cli.common import add_root, add_today, parser, status_of, text_source, today_of
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.policies.check import check_files
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.render.reports import FORMATS, report


def run(arguments: list[str]) -> int:
    """Check files; the findings go to standard output in the chosen form."""
    options_parser = parser("check", "Find the errors and warnings of policies and knowledge files.")
    options_parser.add_argument("paths", nargs="+", metavar="PATH", help="files, or folders of .tune files")
    options_parser.add_argument("--format", choices=sorted(FORMATS), default="text")
    options_parser.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="FORM=FILE",
        help="write the findings in this form, too, into a file; may be repeated",
    )
    options_parser.add_argument(
        "--may-be-gone",
        action="store_true",
        help="a path that is not there, or holds no .tune file, has no findings",
    )
    add_root(options_parser)
    add_today(options_parser)
    options = options_parser.parse_args(arguments)
    also = [word.partition("=")[::2] for word in options.also]
    for form, path in also:
        if form not in FORMATS or not path:
            options_parser.error(
                f"--also {form}={path}: not one of {', '.join(sorted(FORMATS))}, `=` and a file"
            )
    paths = [p for p in options.paths if os.path.lexists(p)] if options.may_be_gone else options.paths
    files = rooted_files(paths, options.root)
    if not files and not options.may_be_gone:
        options_parser.error(f"there is no .tune file in {', '.join(options.paths)}")
    checked = check_files(files, today_of(options, options_parser))
    source = text_source(checked.sources)
    for form, path in also:
        write_text(path, report(form, checked.findings, source, len(checked.files)))
    sys.stdout.write(report(options.format, checked.findings, source, len(checked.files)))
    return status_of(checked.findings)
