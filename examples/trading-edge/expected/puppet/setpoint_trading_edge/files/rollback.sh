#!/bin/sh
# Restore what this server had before the first run of a script of Setpoint.
#
#   sh rollback.sh LAYER STATE SCRIPT
#
# Each run of SCRIPT that changed something left a snapshot in the folder STATE: LAYER.rollback.1, LAYER.rollback.2 and so on. A
# run that was killed left LAYER.journal. SCRIPT --rollback goes back to what was there before the last plan; this repeats it
# until no snapshot is left.
#
# Exit status: 0 done, or nothing to restore; 2 wrong usage; else that of SCRIPT.

set -u

if [ $# -ne 3 ]; then
    echo 'usage: sh rollback.sh LAYER STATE SCRIPT' >&2
    exit 2
fi
layer=$1 state=$2 script=$3

# The number of snapshots, in $count.
count_snapshots() {
    count=0
    for snapshot in "$state/$layer.journal" "$state/$layer.rollback."*; do
        [ ! -e "$snapshot" ] || count=$((count + 1))
    done
}

count_snapshots
while [ "$count" -gt 0 ]; do
    before=$count
    # With this note, the script does not go back further than one plan.
    rm -f "$state/$layer.rolled-back"
    sh "$script" --rollback --state "$state" || exit
    count_snapshots
    if [ "$count" -ge "$before" ]; then
        echo "rollback.sh: $script --rollback reported success, and its snapshot is still in $state" >&2
        exit 4
    fi
done
