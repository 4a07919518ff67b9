#!/bin/sh
# setpoint-host brings a server to a plan of Setpoint, and back. It is the same file in every bundle. What a plan wants is in its
# data file, which is read and never run.
#
#   sh setpoint-host VERB PLAN [OPTION...]
#
#   identify say whether this is a server that the plan is for
#   status   say which runs can be undone, then compare as `verify` does
#   try      say what would be changed
#   apply    change what differs
#   verify   compare the running system with the plan; with --json, print that as JSON
#   next     compare what the next start will have (plans of kernel arguments)
#   undo     put back what was there before the last plan that changed something
#     --all        back to before the first run
#     --dry-run    only say what would be put back
#
#   --state DIR    keep what was found in DIR instead of /var/lib/setpoint
#   --by WAY       of the ways that a plan of kernel arguments names (grubby, drop-in, pbl, bls, rpm-ostree), this one
#
# PLAN is a file, such as kernel-args/kernel-args.plan of a bundle, or `-` for the text in the variable SETPOINT_PLAN.
#
# Exit status:
#   0  as planned or done
#   2  wrong usage
#   3  a value differs
#   4  something failed or cannot be read, or a signal came: nothing was changed, or all of it was put back
#   5  this is not a server that the policy is for: nothing was changed
#   6  something failed, or a signal came, and something is changed or may be
#   7  another run is at work: nothing was changed
#
# SETPOINT_IGNORE names checks of the server to pass over ("product sockets"); SETPOINT_ROOT a system that is mounted elsewhere;
# SETPOINT_PATIENCE the seconds that a program gets to end after a signal (30); SETPOINT_GRUB_CFG a grub.cfg to look into in any case, or
# that update-grub or pbl writes; SETPOINT_GRUB_FOLDER the folder of GRUB's drop-in files; SETPOINT_TUNED_FOLDER the folder in which
# tuned looks for profiles.
#
# What was checked: shellcheck, and runs under dash, bash and busybox. It has not been run on Enterprise Linux 5 or 6 itself.

# Functions are called by the names of parts and ways.
# shellcheck disable=SC2317
set -u
LC_ALL=C
export LC_ALL
PATH=$PATH:/sbin:/usr/sbin

version=1
script=setpoint-host label='' password='' json='' unread_reason='' other_checks=''
state=/var/lib/setpoint patience=${SETPOINT_PATIENCE:-30}
boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null) || boot=
root=${SETPOINT_ROOT:-}
hint_at() { :; }

