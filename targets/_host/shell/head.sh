#!/bin/sh
# setpoint-host brings a server to a plan of Setpoint, and back. It is the same file in every bundle. What a plan wants is in its
# data file, which is read and never run.
#
#   sh setpoint-host VERB PLAN [OPTION...]
#
#   verb      changes   what it does
#   identify  nothing   says whether this is a server that the plan is for
#   try       nothing   says what `apply` would change
#   apply     values    changes what differs
#   verify    nothing   compares what is in effect with the plan; with --json, prints that as JSON
#   next      nothing   compares what the next start will have (plans of kernel arguments and of the BIOS)
#   pending   nothing   says whether a restart is pending (plans of kernel arguments and of the BIOS)
#   status    nothing   says which runs can be undone, then compares as `verify` does
#   undo      values    puts back what runs have changed; with --dry-run, changes nothing and says what it would put back
#   undone    nothing   says whether `undo --all` has anything left
#
# `verify`, `pending` and `undone` also take a plan of parts, which stands for the plans that lie beside it.
#
# A run that changes something keeps the old values, in /var/lib/setpoint. `undo` puts back those of all runs of the last plan that changed
# something: what was there before that plan (racadm: before the last run). `undo --all` puts back those of all runs: what was there before
# the first. PLAN says of which part: keep a bundle until it is undone. What this program has not changed stays as it is.
#
# Each part is a run of its own. Where one fails, the parts before it stay set, and what they have for the next start takes effect then,
# whoever restarts the server: mend the part that failed and apply it again, or undo the others before that.
#
# Plans of racadm are carried out by the server's controller. What is set is staged, in a job that sets it when the server restarts:
#
#     --ssh USER@HOST             by the shell of the controller HOST, with a key and no password
#     --host HOST --user USER     by racadm on this machine, with SETPOINT_IDRAC_PASSWORD from the environment
#     --insecure                  with --host: go on without a valid certificate
#     --restart graceful          with apply and undo: restart the server, if its system shuts down
#     --restart forced            the same, and cut the power of a system that does not shut down
#     --restart powercycle        cut the power at once
#     --accept-pending            exit with 0 where only a restart is missing, for a program that runs this regularly
#
#   --state DIR    keep what was found in DIR instead of /var/lib/setpoint
#   --by WAY       of the ways that a plan of kernel arguments names (grubby, drop-in, pbl, bls, rpm-ostree), this one
#
# PLAN is a file, such as kernel-args/kernel-args.plan of a bundle, or `-` for the text in the variable SETPOINT_PLAN.
#
# Exit status:
#   0  as planned, set, put back, or nothing to change. `apply` and `undo`: also where only a restart is missing; they say so
#   2  wrong usage
#   3  `verify`, `status`: a value differs, or waits for a restart. `try`, `undo --dry-run`: something would be changed. `next`: the next
#      start will not have it. `pending`: a restart is pending. `apply`: a value differs still. `apply`, `undo`: the rest can be set or put
#      back only after a restart: run it again then. `undone`: something is left to put back
#   4  something failed or cannot be read, or a signal came: nothing was changed, or all of it was put back
#   5  this is not a server that the policy is for: nothing was changed
#   6  something failed, or a signal came, and something is changed or may be
#   7  another run is at work, or somebody else has staged values or a job for the BIOS: nothing was changed
#
# Nothing restarts a server but --restart, and nothing starts one that is off.
#
# SETPOINT_IGNORE names checks that this run passes over, of product, processor, sockets, system, distribution, kernel and (racadm) staged:
# SETPOINT_IGNORE="product sockets" goes on where the server reports another product or number of sockets than the plan is for. It is for a
# server that is known to be the right one, where what it reports has another spelling or cannot be read. Do not use it to try a plan on
# another server: the values were chosen for what the plan states, and the BIOS of another may refuse them or mean something else by them.
# Compile a plan for that server instead. `identify`, `status` and `verify --json` say what differs and is passed over. "staged" has the values
# that somebody else has staged set with the plan's.
#
# RACADM and SYSCFG name the tools, if they are not `racadm` and /opt/dell/toolkit/bin/syscfg; SETPOINT_SETUP_PASSWORD the password of the server's
# setup, for syscfg; SETPOINT_ROOT a system that is mounted elsewhere;
# SETPOINT_PATIENCE the seconds that a program gets to end after a signal (30); SETPOINT_GRUB_CFG a grub.cfg to look into in any case, or
# that update-grub or pbl writes; SETPOINT_GRUB_FOLDER the folder of GRUB's drop-in files; SETPOINT_TUNED_FOLDER the folder in which
# tuned looks for profiles.
#
# README.md of a bundle says for which of its tools the tests had stand-ins alone. This was run under dash, bash and busybox.

# Functions are called by the names of parts and ways.
# shellcheck disable=SC2317
# A trace would show the password.
[ -z "${SETPOINT_IDRAC_PASSWORD:+set}${SETPOINT_SETUP_PASSWORD:+set}" ] || set +x
set -u
LC_ALL=C
export LC_ALL
PATH=$PATH:/sbin:/usr/sbin

version=4
script=setpoint-host label='' password='' json='' unread_reason='' other_checks=''
state=/var/lib/setpoint patience=${SETPOINT_PATIENCE:-30}
idrac_password=${SETPOINT_IDRAC_PASSWORD-} setup_password=${SETPOINT_SETUP_PASSWORD-}
unset SETPOINT_IDRAC_PASSWORD SETPOINT_SETUP_PASSWORD
root=${SETPOINT_ROOT:-}
boot=$(cat "$root/proc/sys/kernel/random/boot_id" 2>/dev/null) || boot=
hint=: report_of=server_reports kept=snapshot
hint_at() { "$hint" "$1"; }

