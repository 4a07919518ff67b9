#!/bin/sh
# BIOS settings of policy trading-edge for r710, set with Dell's syscfg.
#
#   apply.sh               set what differs; if anything fails, put back what this run has changed
#   apply.sh --dry-run     show what would be set, change nothing
#   apply.sh --verify      compare every setting with the policy; with --json, print that as JSON
#   apply.sh --rollback    put back what was there before the last plan that set something
#   ... --all              with --rollback: go back to before the first run
#   ... --dry-run          with --rollback: only say what would be put back
#   ... --state DIR        keep old values and notes in DIR instead of /var/lib/setpoint
#
# Before all of it but --rollback it looks whether this is a server that the policy is for. A run that is interrupted
# puts back what it has changed; one that is killed leaves a journal in DIR, and the next run puts that back first.
#
# Exit status:
#   0  all is as wanted, or has been set to it (--verify --json: and is in effect)
#   2  wrong usage
#   3  a setting differs (--verify --json: or takes effect at the next start only)
#   4  something failed, or a signal came: nothing was changed, or all of it was put back
#   5  this is another server: nothing was changed
#   6  something failed, or a signal came, and settings are changed or may be; or an earlier run did not finish
#   7  another run is at work: nothing was changed
#
# Environment: SETPOINT_IGNORE, checks of the server to pass over ("product sockets");
# SYSCFG, the tool (/opt/dell/toolkit/bin/syscfg); SETPOINT_SETUP_PASSWORD, the server's setup
# password if it has one; SETPOINT_PATIENCE, the seconds that a call of the tool gets to end after a signal (30).
# This script never restarts the server; what it sets takes effect when the server restarts.
#
# How far to trust it: the options are those of Appendix B of Dell's paper on HPC settings of the 11th generation (2010).
# How the setup password is handed over (--valsetuppwd) is taken from Dell's client tool of the same family. What was
# checked: shellcheck, and runs with a stand-in for syscfg, not with syscfg itself. Try it on one server first.

# A trace would show the password.
[ -z "${SETPOINT_SETUP_PASSWORD:+set}" ] || set +x
set -u
LC_ALL=C
export LC_ALL
password=${SETPOINT_SETUP_PASSWORD-}
unset SETPOINT_SETUP_PASSWORD
syscfg=${SYSCFG:-/opt/dell/toolkit/bin/syscfg}
state=/var/lib/setpoint
script=apply.sh prefix=syscfg label=''
patience=${SETPOINT_PATIENCE:-30}
policy='trading-edge'
boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null) || boot=

# ---------------------------------------------------------------------------------------------- what is wanted
# want SETTING OPTION VALUE [CONDITION]    to be set; the firmware takes it only while the condition holds
# held SETTING OPTION VALUE CONDITION      fixed by the system profile: compared, never set

settings() {
    want cpu-power-management power          maxperformance  # dell-11g-hpc, Table 6
    want node-interleaving    nodeinterleave disable         # dell-11g-hpc, Table 6
    want smt                  logicproc      disable         # dell-11g-hpc, Table 6
    want turbo                turbomode      disable         # set: frequency jitter on the feed handler, PERF-212
    want c-states             cstates        disable         # dell-11g-hpc, Figure 10
}

# The checks of the server that the policy is for.
identity() {
    must_report product platform r710 states 'PowerEdge R710'
    must_report sockets sockets 2 states '2'
    must_report system os rhel-6 states 'Linux'
    must_report distribution os rhel-6 states 'Red Hat Enterprise Linux Server release 6' 'CentOS release 6' 'Scientific Linux release 6'
    # nothing to compare: the kernel of os rhel-6
}
other_checks=''

# What this server reports as $1, in $reported; nothing if it does not.
report_of() {
    reported='' identity_root=${SETPOINT_ROOT:-}
    case $1 in
        product)
            { read -r reported <"$identity_root/sys/class/dmi/id/product_name"; } 2>/dev/null || :
            if [ -z "$reported$identity_root" ] && command -v dmidecode >/dev/null; then
                reported=$(dmidecode -s system-product-name 2>/dev/null | sed -n '/^[^#]/{s/ *$//p;q;}')
            fi
            ;;
        sockets)
            reported=$(
                set +f
                cat "$identity_root"/sys/devices/system/cpu/cpu[0-9]*/topology/physical_package_id 2>/dev/null |
                    sort -u | grep -c '^[0-9]'
            ) || reported=
            ;;
        system) { read -r reported <"$identity_root/proc/sys/kernel/ostype"; } 2>/dev/null || : ;;
        kernel) { read -r reported <"$identity_root/proc/sys/kernel/osrelease"; } 2>/dev/null || : ;;
        distribution)
            for release in etc/os-release usr/lib/os-release; do
                [ -s "$identity_root/$release" ] || continue
                reported="$(release_field ID) $(release_field VERSION_ID)"
                reported=${reported% }
                return
            done
            { read -r reported <"$identity_root/etc/redhat-release"; } 2>/dev/null || :
            ;;
    esac
}

# A field of the os-release file. The file is shell, and is not run.
release_field() {
    sed -n "s/^$1=//p" "$identity_root/$release" | tr -d "\"'" | head -n 1
}

# ------------------------------------------------------------------------------ is this a server that the policy is for?

# What the server reports, compared with what it must report: `is_the_server || exit`.
#
#   must_report WHAT FACT VALUE VERB ACCEPTED...
#                        a check; 5.6+ is this version or a later one, and without any nothing can be compared
#   is_the_server        whether this is such a server: 5 if not, 2 if SETPOINT_IGNORE has a check that there is not
#
# The script has `report_of WHAT` (server.sh has one), a function `identity` that makes the checks, and sets $other_checks, more words that
# SETPOINT_IGNORE may have, for checks of its own. SETPOINT_IGNORE names the checks to pass over, such as "product sockets"; SETPOINT_ROOT a system that is mounted elsewhere.

# Whether version $1 is $2 or later, number by number.
not_before() {
    is=$1 least=$2
    while [ -n "$least" ]; do
        number=${is%%.*}
        number=${number%%[!0-9]*}
        [ "${number:-0}" -eq "${least%%.*}" ] || break
        case $is in *.*) is=${is#*.} ;; *) is=0 ;; esac
        case $least in *.*) least=${least#*.} ;; *) return 0 ;; esac
    done
    [ "${number:-0}" -gt "${least%%.*}" ]
}

# Whether what is reported as $1 is $2: a release and a kernel may go on behind it, and so may a product behind `*`.
accepts() {
    case $1:$2 in
        kernel:*+) not_before "$reported" "${2%+}" ;;
        kernel:*) case $reported in "$2" | "$2".* | "$2"-*) ;; *) return 1 ;; esac ;;
        distribution:*) case $reported in "$2" | "$2".* | "$2 "*) ;; *) return 1 ;; esac ;;
        product:*"*") case $reported in "${2%?}"*) ;; *) return 1 ;; esac ;;
        *) [ "$reported" = "$2" ] ;;
    esac
}

must_report() {
    what=$1 fact=$2 value=$3 verb=$4
    shift 4
    case " ${SETPOINT_IGNORE-} " in *" $what "*) return 0 ;; esac
    if [ $# -eq 0 ]; then
        unlike="${unlike:+$unlike }$what"
        reported="no source shows which $what $fact $value reports, so that nothing can be compared"
        unlike_because="${unlike_because:+$unlike_because; }$reported"
        printf '%s: make sure yourself that this is one\n' "$reported" >&2
        return
    fi
    report_of "$what"
    wanted_reports=
    for name in "$@"; do
        if [ -n "$reported" ] && accepts "$what" "$name"; then return 0; fi
        case $name in *+) name="${name%+} or later" ;; esac
        wanted_reports="${wanted_reports:+$wanted_reports or }$name"
    done
    unlike="${unlike:+$unlike }$what"
    case $what in
        sockets)
            right="\"$fact ${reported:-N}\"" policy_says="$verb $value"
            if [ "$reported" = 1 ]; then it_reports="1 processor socket"; else it_reports="${reported:-no} processor sockets"; fi
            ;;
        *)
            right="the right $fact" policy_says="$verb $fact $value ($wanted_reports)"
            if [ -n "$reported" ]; then it_reports="the $what $reported"; else it_reports="no $what"; fi
            ;;
    esac
    unlike_because="${unlike_because:+$unlike_because; }this server reports $it_reports, and the policy $policy_says"
    printf 'this server reports %s, and the policy %s: state %s and compile again\n' \
        "$it_reports" "$policy_says" "$right" >&2
}

# Whether this is such a server; 5 if not, with the reason in $unlike_because, and 2 if a check is to be passed over that
# there is not.
is_the_server() {
    unlike='' unlike_because=''
    for name in ${SETPOINT_IGNORE-}; do
        case " product sockets system distribution kernel $other_checks " in
            *" $name "*) ;;
            *)
                printf 'SETPOINT_IGNORE: there is no check %s\n' "$name" >&2
                return 2
                ;;
        esac
    done
    identity
    [ -n "$unlike" ] || return 0
    printf 'Nothing was changed. If this is the server that was meant: SETPOINT_IGNORE="%s"\n' "$unlike" >&2
    return 5
}


# ---------------------------------------------------------------------------------------- what it says, and calls

# Output that nobody reads any more, signals, and calls of the tool that a signal does not cut off.
#
#   say TEXT, complain TEXT    on standard output; on standard error, as $script
#   die TEXT                   complain, and exit with 4
#   catch_signals              from here on a signal is noted in $caught; the script looks at it, and ends where it can
#   call PROGRAM ARG...        run the tool; its output is in $answer, and, if it failed (1), what went wrong
#
# The script sets $script, its name; $label, what each line on standard output begins with, or nothing; $patience, the seconds that a call gets to end after a signal; $password, text that
# is withheld from answers, or nothing; and a function `hint_at ANSWER` that prints what to add to the answer of a call that
# failed, or nothing. $phase is what the run is at: `looking`, `setting`, `finished`, `undoing` (after a failure) or
# `restoring` (an earlier state). After a signal a call is refused unless the phase is `undoing`. $unchanged is how a run
# that ends then says that it has changed nothing.

phase=looking unchanged='nothing was changed'
caught='' calling='' watch='' unread=''

# What nobody reads any more does not end the run, which would leave half a policy.
say() {
    [ -z "$unread" ] || return 0
    printf '%s%s\n' "$label" "$*" 2>/dev/null || {
        unread=yes
        exec >/dev/null
        complain "nobody reads the output any more; the run goes on, and its exit status says how it ends"
    }
}
complain() { printf '%s: %s\n' "$script" "$*" >&2 2>/dev/null || :; }
die() {
    complain "$@"
    exit 4
}

catch_signals() {
    trap '' PIPE
    for signal in HUP INT QUIT TERM; do
        # The name is put in now.
        # shellcheck disable=SC2064
        trap "on_signal $signal" "$signal"
    done
}

# Signal $1 came. The call that runs gets some time to end by itself: ended in the middle, it leaves more in doubt.
on_signal() {
    caught=${caught:-$1}
    [ -z "$calling" ] || limit_call
}

limit_call() {
    [ -z "$watch" ] || return 0
    (
        trap 'kill "$nap"; exit' TERM
        for action in TERM KILL; do
            sleep "$patience" &
            nap=$!
            wait "$nap"
            kill -"$action" "$calling"
        done
    ) >/dev/null 2>&1 6<&- 9>&- &
    watch=$!
}

# Run the tool; what it says is in $answer. It runs in the background, since a shell takes no notice of a signal while
# it waits for a program in the foreground, which a tool that hangs never ends.
call() {
    if [ -n "$caught" ] && [ "$phase" != undoing ]; then
        answer="interrupted by SIG$caught"
        return 1
    fi
    answers=$(umask 077 && mktemp "${TMPDIR:-/tmp}/setpoint.XXXXXX" 2>&1) || {
        answer="cannot make a file for its answer: $answers"
        return 1
    }
    exec 7>"$answers"
    exec 6<"$answers"
    rm -f "$answers"
    (
        trap - PIPE
        exec "$@" </dev/null 6<&- 7>&-
    ) >&7 2>&1 &
    calling=$!
    exec 7>&-
    [ -z "$caught" ] || limit_call
    while :; do
        wait "$calling" 2>/dev/null
        ended=$?
        kill -0 "$calling" 2>/dev/null || break
    done
    calling=
    if [ -n "$watch" ]; then
        kill "$watch" 2>/dev/null
        wait "$watch" 2>/dev/null
        watch=
    fi
    answer=$(cat <&6)
    exec 6<&-
    [ "$ended" -ne 0 ] || return 0
    answer="$answer$(hint_at "$answer")"
    if [ -n "$password" ]; then
        case $answer in
            *"$password"*) answer='its answer shows the setup password, and is withheld' ;;
        esac
    fi
    if [ -n "$caught" ]; then answer="interrupted by SIG$caught${answer:+; $answer}"; fi
    answer=${answer:-"it said nothing, and its exit status was $ended"}
    return 1
}

# --------------------------------------------------------------------------------------------------- the tool

tool() { call "$syscfg" "$@"; }

hint_at() {
    case $1 in
        *"data manager"*) printf ' (start it: /opt/dell/srvadmin/sbin/srvadmin-services.sh start)' ;;
    esac
}

# What the tool shows for option $1, in $value.
read_option() {
    case $1 in
        power) tool power || return 1 ;;
        *) tool "--$1" || return 1 ;;
    esac
    value=$(printf '%s\n' "$answer" | awk -F= -v name="$1" '
        { gsub(/[ \t\r]*=[ \t\r]*/, "="); gsub(/^[ \t\r]+|[ \t\r]+$/, ""); key = tolower($1) }
        key == tolower(name) || (name == "power" && key == "profile") { print $2; exit }')
    case $value in
        '' | *[!A-Za-z0-9._-]*)
            answer="no value in its answer: $answer"
            return 1
            ;;
    esac
}

# What option $1 is set to, in $value. The tool shows the power profile that is in effect; what was set since the
# server started is known from the note that was made of it.
setting_of() {
    read_option "$1" || return 1
    if [ "$1" = power ] && noted power; then value=$note; fi
}

# Set option $1 to $2, and see that it is, where that can be seen.
write_option() {
    case $1 in
        power) tool power "--profile=$2" --setuppwdoverride || return 1 ;;
        *) tool "--$1=$2" ${password:+"--valsetuppwd=$password"} || return 1 ;;
    esac
    note_down "$1" "$2"
    [ "$1" != power ] || return 0
    read_option "$1" || return 1
    same "$value" "$2" && return 0
    answer="the tool reported success, but shows $value" unshown="$unshown $1"
    return 1
}

# ---------------------------------------------------------------------- what was set since the start, and conditions

# A tool that shows a value as soon as it is set does not tell whether it is in effect. What was set since the server
# started is noted in $state/$prefix.set, with the boot id in front.
#
#   note_down OPTION VALUE, noted OPTION    write a note; whether there is one, with its value in $note
#   same VALUE VALUE                        whether a tool means the same by both
#   hold CONDITION...                       whether OPTION=VALUE and OPTION!=VALUE are so now; needs setting_of
#
# The script sets $boot, the boot id, or nothing where there is none; $state and $prefix.

# The options that were set since the server started: its boot id, then OPTION VALUE.
note_down() {
    [ -n "$boot" ] || return 0
    if [ "$(head -n 1 "$state/$prefix.set" 2>/dev/null)" != "$boot" ]; then
        printf '%s\n' "$boot" >"$state/$prefix.set"
    fi
    printf '%s %s\n' "$1" "$2" >>"$state/$prefix.set" || complain "could not note in $state that $1 was set"
}

# Whether option $1 was set since the server started; to what, in $note.
noted() {
    note=
    [ -r "$state/$prefix.set" ] || return 1
    note=$(awk -v boot="$boot" -v option="$1" '
        NR == 1 && (boot == "" || $0 != boot) { exit }
        $1 == option { last = $2 }
        END { print last }' "$state/$prefix.set")
    [ -n "$note" ]
}

# Enabled, enabled and enable are the same value.
same() { [ "$1" = "$2" ] || [ "$(plain "$1")" = "$(plain "$2")" ]; }
plain() {
    printf '%s\n' "$1" | tr '[:upper:]' '[:lower:]' | sed -e 's/^enabled$/enable/' -e 's/^disabled$/disable/'
}

# Whether conditions OPTION=VALUE and OPTION!=VALUE hold just now: 0 they do, 1 they do not, 2 that cannot be read.
hold() {
    for condition in "$@"; do
        case $condition in
            *!=*)
                setting_of "${condition%%!=*}" || return 2
                same "$value" "${condition#*!=}" && return 1
                ;;
            *)
                setting_of "${condition%%=*}" || return 2
                same "$value" "${condition#*=}" || return 1
                ;;
        esac
    done
    return 0
}

# --------------------------------------------------------------------------------------------------- the lock

# Runs that change settings exclude each other and runs that compare. The kernel holds the lock (flock, on file
# descriptor 9), so that it ends with the processes that have it, however they end. What the script calls has it too: what
# a run that was killed left running is waited for.
#
#   lock_for_change     make $state, and take the lock; exits with 7 if another run has it, naming its process
#   lock_for_reading    the same beside other runs that only compare
#
# The script sets $state, an absolute path; $prefix, what the names of its files in there begin with; $mode; $policy. It has
# complain, die and $unchanged of calls.sh. In a mode that prints JSON it may set $on_busy, a function that is called with
# the reason before the exit.

lock_file=$prefix.lock on_busy=:

lock_for_change() {
    command -v flock >/dev/null || die "there is no flock on this server (util-linux has it): nothing was changed"
    umask 077
    if ! mkdir -p "$state" 2>/dev/null || ! true 2>/dev/null >>"$state/$lock_file"; then
        die "cannot write to $state: nothing was changed"
    fi
    exec 9>>"$state/$lock_file"
    take_lock -x
    printf 'process %s, %s of policy %s, since %s\n' "$$" "${run_verb:---$mode}" "$policy" "$(date '+%Y-%m-%d %H:%M:%S')" >"$state/$lock_file"
}

# A run that only compares makes no file: without one nothing was changed here yet.
lock_for_reading() {
    if [ ! -r "$state/$lock_file" ] || ! command -v flock >/dev/null; then return 0; fi
    exec 9<"$state/$lock_file"
    take_lock -s
}

take_lock() {
    flock -n "$1" 9
    case $? in
        0) ;;
        1) busy ;;
        *) die "cannot lock $state/$lock_file: nothing was changed" ;;
    esac
}

# The lock is held: say by whom, and end.
busy() {
    exec 9>&-
    lock=$(cd "$state" && pwd -P)/$lock_file
    # The names that matter have digits only.
    # shellcheck disable=SC2012
    holders=$(ls -l /proc/[0-9]*/fd/9 2>/dev/null | LOCK=$lock awk '
        (at = index($0, "/proc/")) && (arrow = index($0, "/fd/9 -> ")) {
            process = substr($0, at + 6, arrow - at - 6)
            if (substr($0, arrow + 9) == ENVIRON["LOCK"]) print process
        }')
    owner=$(sed -n '1s/^process \([0-9]*\),.*/\1/p' "$lock")
    who=
    for process in $holders; do
        if [ "$process" = "$owner" ]; then
            who=$(cat "$lock")
            break
        fi
        name=$(sed 's/.*(\(.*\)).*/\1/' "/proc/$process/stat" 2>/dev/null)
        [ -z "$name" ] || who="${who:+$who and }process $process ($name)" # else it has ended by now
    done
    "$on_busy" "$lock is held by ${who:-another process}"
    complain "nothing was changed: $lock is held by ${who:-another process}. Run this again when that has ended"
    exit 7
}

# ------------------------------------------------------------------------------------------------ the journal

# open_journal, note; the rest is in rollback.sh
#
# A run keeps a journal while it changes settings. First the old values, in reverse order, since what a profile or
# another setting locks goes back before that does:
#
#   OPTION VALUE CONDITION...
#
# then, before each change and after it:
#
#   # try OPTION VALUE
#   # set OPTION
#
# A `try` without its `set` has an unknown outcome.
#
# For tools that set one option at a time. The script has lock.sh, calls.sh and notes.sh with what they need; $found, the
# lines of old values; and for its tool setting_of and write_option: see steps.sh.

open_journal() {
    journal=$state/$prefix.journal
    if ! { this_run | sed 's/^/# /' && printf '%s' "$found"; } 2>/dev/null >"$journal.new" || ! mv "$journal.new" "$journal"; then
        die "cannot save the old values in $state: $unchanged"
    fi
    sync
}

note() { printf '# %s\n' "$*" 2>/dev/null >>"$journal"; }

about() { sed -n 's/^# //p' "$1"; }
discard() { rm -f "$1"; }

# Whether a run has not finished; what is known of it, in $unfinished.
is_unfinished() {
    [ -e "$state/$prefix.journal" ] || return 1
    unfinished=$(awk '
        NR == 1 { policy = substr($0, 3) }
        $1 == "#" && $2 == "run" { by = substr($0, 7) }
        $1 == "#" && $2 == "try" { value[$3] = $4; if (!($3 in known)) order[++n] = $3; known[$3] = 0 }
        $1 == "#" && $2 == "set" { known[$3] = 1 }
        END {
            for (i = 1; i <= n; i++) {
                text = order[i] "=" value[order[i]]
                if (known[order[i]]) set = set " " text; else unknown = unknown " " text
            }
            printf "the run of policy %s%s did not finish", policy, by ? " (" by ")" : ""
            if (set) printf "; it has set%s", set
            if (unknown) printf "; whether it has set this is not known:%s", unknown
            print ""
        }' "$state/$prefix.journal")
}

# Whether what the tool shows for option $1 proves nothing: the run of journal $saved has set it, or tried to, and the
# server has not started since.
in_doubt() {
    grep -q "^# try $1 " "$saved" || return 1
    [ -z "$boot" ] || ! grep -q '^# boot .' "$saved" || grep -qxF "# boot $boot" "$saved"
}

# Put back the settings of journal $1. What is locked just now gets another turn; what a profile holds to the end, it
# brings back itself.
put_back() {
    saved=$1
    if [ ! -r "$saved" ]; then
        complain "cannot read the old values in $saved"
        return 1
    fi
    round=0 settled=' '
    while [ "$round" -lt 3 ]; do
        round=$((round + 1))
        moved='' waiting='' trouble=''
        while read -r option old conditions <&3; do
            [ "$option" != '#' ] || continue
            if [ -n "$caught" ] && [ "$phase" != undoing ]; then
                trouble=yes
                break
            fi
            doubt=
            case $settled in
                *" $option "*) ;;
                *) if in_doubt "$option"; then doubt=yes; fi ;;
            esac
            if [ -z "$doubt" ] && setting_of "$option" && same "$value" "$old"; then continue; fi
            # The conditions are words of their own.
            # shellcheck disable=SC2086
            hold $conditions
            case $? in
                0) ;;
                1)
                    waiting="$waiting $option"
                    case $conditions in *!=*) trouble=yes ;; esac
                    continue
                    ;;
                2)
                    complain "could not put back $option to $old: $answer"
                    trouble=yes
                    continue
                    ;;
            esac
            if write_option "$option" "$old"; then
                say "put back $option: $old"
                moved=yes settled="$settled$option "
            else
                complain "could not put back $option to $old: $answer"
                trouble=yes
            fi
        done 3<"$saved"
        if [ -z "$moved" ] || [ -z "$waiting" ]; then break; fi
    done
    [ -z "$waiting" ] || complain "left to the firmware, which has them locked:$waiting"
    [ -z "$trouble" ]
}

# ------------------------------------------------------------------------------------------------- the way back

# What a run that changes something has found becomes $state/$prefix.rollback.N when the run is complete. Until then it
# is $state/$prefix.journal: one that is there when another run begins belongs to a run that was ended.
#
#   close_saved        the run is complete
#   recover            put back what a run that did not finish had found
#   would_recover      whether it would, said in words
#   set_mode OPTION    note the mode in $mode, for the options --dry-run, --verify and --rollback and those of the script;
#                      --rollback may come with --dry-run, and with --all
#   rollback           put back what was there before the last plan that changed something, however many runs that
#                      plan took; if that was done, and no run has changed anything since, say so and exit with 0. With
#                      --all, put back what was there before the first run; with --dry-run, say what would be put back
#   stay_changed WHY   exit with 6: something failed, and not all could be put back
#
# The script has lock.sh, calls.sh, a function `usage` that ends it, and files.sh or journal.sh with is_unfinished, put_back
# SAVED, and
#
#   about SAVED        what is known of the run: its policy, then lines of its boot, its plan, and its process
#   discard SAVED      remove it
#
# A plan is known by the checksum of its text, $plan_text, or of the script that has it. $state/$prefix.rolled-back has that of the plan that was taken back last.
# Whoever rolls out to a fleet names the roll-out in SETPOINT_ROLLOUT: then --rollback takes back the runs of that name and
# no others, so that a server on which the roll-out has changed nothing keeps what it has.

plan=${SETPOINT_ROLLOUT:-}
[ -n "$plan" ] || plan=$({ if [ -n "${plan_text-}" ]; then printf '%s\n' "$plan_text" | cksum; else cksum <"$0"; fi; } 2>/dev/null) ||
    plan="of process $$, $(date '+%Y-%m-%d %H:%M:%S')"

# What a run notes of itself.
this_run() {
    printf '%s\nboot %s\nplan %s\nrun by process %s, begun %s\n' "$policy" "$boot" "$plan" "$$" "$(date '+%Y-%m-%d %H:%M:%S')"
}

# The last that was kept, in $saved, and its number in $number; 0 if there is none.
last_saved() {
    number=0
    while [ -e "$state/$prefix.rollback.$((number + 1))" ]; do number=$((number + 1)); done
    saved=$state/$prefix.rollback.$number
}

close_saved() {
    last_saved
    rm -f "$state/$prefix.rolled-back" && mv "$state/$prefix.journal" "$state/$prefix.rollback.$((number + 1))"
    [ ! -e "$state/$prefix.journal" ]
}

recover() {
    is_unfinished || return 0
    complain "$unfinished"
    phase=restoring
    put_back "$state/$prefix.journal" || stay_changed "it is NOT all as before that run"
    discard "$state/$prefix.journal"
    phase=looking unchanged='nothing else was changed'
    say "put back what the unfinished run had found"
}

# Say in a dry run that `recover` would put something back; 1 if not. What differs after that is not known yet.
would_recover() {
    is_unfinished || return 1
    say "$unfinished: that would be taken back first, and then what differs would be changed"
}

mode=apply rolls_all='' would_roll=''

set_mode() {
    case $mode:$1 in
        rollback:--all) rolls_all=yes ;;
        *:--all) usage ;;
        apply:*) mode=${1#--} ;;
        rollback:--dry-run | dry-run:--rollback) mode=rollback would_roll=yes ;;
        *) usage ;;
    esac
}

rollback() {
    if [ ! -e "$state/$prefix.lock" ]; then
        [ -n "${SETPOINT_ROLLOUT:-}$rolls_all" ] || die "nothing was changed: no script of Setpoint has run with $state"
        end_unchanged "no script of Setpoint has run with $state"
    fi
    [ -n "$would_roll" ] || lock_for_change
    rolled_back=$state/$prefix.rolled-back restored='' taken_back=${SETPOINT_ROLLOUT:-}
    if is_unfinished; then
        [ -n "$taken_back$rolls_all" ] || note_rollback "$state/$prefix.journal"
        if [ -n "$would_roll" ]; then say "$unfinished: that would be taken back"; else recover; fi
        restored=yes
    elif [ ! -e "$rolled_back" ] && [ -z "$taken_back$rolls_all" ]; then
        last_saved
        [ "$number" -gt 0 ] || end_unchanged "no run has changed anything, going by $state"
        note_rollback "$saved"
    fi
    [ -n "$taken_back$rolls_all" ] || taken_back=$(cat "$rolled_back")
    last_saved
    while [ "$number" -gt 0 ] && is_to_roll "$saved"; do
        put_back_saved
        restored=yes
    done
    if [ -n "$restored" ]; then
        [ -z "$would_roll" ] || exit 0
        return 0
    fi
    [ -z "$rolls_all" ] || end_unchanged "no run has changed anything, or that was taken back, going by $state"
    [ -n "${SETPOINT_ROLLOUT:-}" ] || end_unchanged "that was done. To go back further, remove $rolled_back first"
    while [ "$number" -gt 0 ]; do
        [ "$(plan_of "$state/$prefix.rollback.$number")" != "$taken_back" ] ||
            die "nothing was changed: another run has changed something since. Roll that back first"
        number=$((number - 1))
    done
    end_unchanged "this roll-out has changed nothing here, or that was done"
}

# Whether run $1 is one of those that are taken back.
is_to_roll() { [ -n "$rolls_all" ] || [ "$(plan_of "$1")" = "$taken_back" ]; }

# Put back the last that was kept, $saved, and find the one before.
put_back_saved() {
    of=$(about "$saved" | head -n 1)
    if [ -n "$would_roll" ]; then
        say "would put back what the run of policy $of had found"
        number=$((number - 1))
        saved=$state/$prefix.rollback.$number
        return
    fi
    say "putting back what the run of policy $of had found"
    # From now on this is what the next run completes, if something ends this one.
    mv "$saved" "$state/$prefix.journal" || die "cannot write to $state: nothing was changed"
    sync
    phase=restoring
    put_back "$state/$prefix.journal" || stay_changed "NOT all could be put back"
    discard "$state/$prefix.journal"
    last_saved
}

end_unchanged() {
    say "nothing to roll back: $1"
    exit 0
}

plan_of() { about "$1" | sed -n 's/^plan //p'; }

# The plan of run $1 is the one that is taken back.
note_rollback() {
    taken_back=$(plan_of "$1")
    [ -z "$would_roll" ] || return 0
    if ! printf '%s\n' "$taken_back" >"$rolled_back.new" || ! mv "$rolled_back.new" "$rolled_back"; then
        die "cannot write to $state: nothing was changed"
    fi
    sync
}

stay_changed() {
    [ -z "$caught" ] || complain "interrupted by SIG$caught"
    complain "$1: see above. Remove the cause, then put the rest back: ${way_back:-run this script with --rollback --state $state}"
    exit 6
}

# ------------------------------------------------------------------------------------------- the report as JSON

# `--verify --json` collects a result for each setting while the script compares, and prints all of them at its end in
# form setpoint.verify/1.
#
#   report SETTING LAYER STATE WANTED FOUND PENDING REASON
#                          collect a result; an empty FOUND or PENDING is null
#   print_report POLICY    print what was collected, a line for each result; 4 if that cannot be
#   report_status          0 all is as wanted; 3 something differs, is pending or locked; else 4, something is unreadable
#
# STATE is ok, pending, differs, locked, unreadable or not-applicable. Any text may hold any byte but NUL: what is no
# UTF-8 becomes U+FFFD. SETPOINT_HOST names the host, if not `uname -n`. Needs od and awk.

report_bytes='' report_worst=0

# The arguments as hexadecimal numbers, a byte each; a zero ends each argument.
report_hex() { printf '%s\000' "$@" | od -An -v -tx1; }

report() {
    case $3 in
        differs | pending | locked) report_worst=3 ;;
        unreadable) [ "$report_worst" -ne 0 ] || report_worst=4 ;;
    esac
    report_bytes="$report_bytes
$(report_hex "$1" "$2" "$4" "$5" "$6" "$3" "$7")"
}

report_status() { return "$report_worst"; }

print_report() {
    for program in od awk; do
        command -v "$program" >/dev/null && continue
        echo "there is no $program on this server: JSON cannot be printed" >&2
        return 4
    done
    {
        report_hex "${SETPOINT_HOST:-$(uname -n)}" "$1"
        printf '%s\n' "$report_bytes"
    } | LC_ALL=C awk '
        # A code point as JSON, in ASCII.
        function put(code) {
            if (code == 34) text = text "\\\""
            else if (code == 92) text = text "\\\\"
            else if (code >= 32 && code < 127) text = text sprintf("%c", code)
            else if (code < 65536) text = text sprintf("\\u%04x", code)
            else {
                code -= 65536
                text = text sprintf("\\u%04x\\u%04x", 55296 + int(code / 1024), 56320 + code % 1024)
            }
        }

        # A byte that begins a character, or none.
        function begin(byte) {
            low = 128
            high = 191
            if (byte < 128) put(byte)
            else if (byte >= 194 && byte <= 223) { missing = 1; point = byte - 192 }
            else if (byte >= 224 && byte <= 239) {
                missing = 2
                point = byte - 224
                if (byte == 224) low = 160
                if (byte == 237) high = 159
            } else if (byte >= 240 && byte <= 244) {
                missing = 3
                point = byte - 240
                if (byte == 240) low = 144
                if (byte == 244) high = 143
            } else put(65533)
        }

        function take(byte) {
            if (missing && byte >= low && byte <= high) {
                low = 128
                high = 191
                point = point * 64 + byte - 128
                if (--missing == 0) put(point)
                return
            }
            if (missing) put(65533)
            missing = 0
            if (byte) begin(byte)
        }

        BEGIN { for (i = 0; i < 256; i++) number[sprintf("%02x", i)] = i }

        {
            for (i = 1; i <= NF; i++) {
                take(number[$i])
                if (number[$i] == 0) {
                    field[++fields] = text
                    text = ""
                }
            }
        }

        function value(at) { return "\"" field[at] "\"" }
        function value_or_null(at) { return field[at] == "" ? "null" : value(at) }

        END {
            printf "{\"schema\": \"setpoint.verify/1\", \"host\": %s, \"policy\": %s, \"results\": [", value(1), value(2)
            for (at = 3; at + 6 <= fields; at += 7) {
                printf "%s\n{\"setting\": %s, \"layer\": %s, ", at == 3 ? "" : ",", value(at), value(at + 1)
                printf "\"wanted\": %s, \"found\": %s, ", value(at + 2), value_or_null(at + 3)
                printf "\"pending\": %s, \"state\": %s, ", value_or_null(at + 4), value(at + 5)
                printf "\"reason\": %s}", value(at + 6)
            }
            print "\n]}"
        }'
}

# -------------------------------------------------------------------------------------------------- the steps

# Runs over a table of options: compare, set what differs, compare again.
#
#   apply, dry_run, verify    the modes, each ends the script
#
# The script has the table as a function `settings` with a line for each option, in the order of writing:
#
#   want SETTING OPTION VALUE [CONDITION...]    to be set; the firmware takes it only while the conditions hold
#   held SETTING OPTION VALUE CONDITION         fixed by the option of the condition: compared, never set
#
# and, for its tool, two functions. Both return 1 when they fail, with a sentence in $answer:
#
#   setting_of OPTION           what it is set to, in $value
#   write_option OPTION VALUE   set it, note_down, and read it back where that can be; a tool that reports success
#                               and shows something else is named in $unshown
#
# $json is `yes` where `verify` is to print JSON; `report_unreadable REASON` does so where nothing can be compared. The other files of this folder have the rest: calls, lock, notes,
# journal, report.

unshown='' unfinished=''

want() { "$step" want "$@"; }
held() { "$step" held "$@"; }

# A step: compare a setting with the server; count, and say it in the way of the mode.
compare() {
    [ -z "$caught" ] || return 0
    kind=$1 setting=$2 option=$3 wanted=$4
    shift 4
    if ! setting_of "$option"; then
        [ -z "$caught" ] || return 0
        verdict=unreadable text="$option: $answer"
    else
        found="$option $value $*
$found"
        verdict=ok text="$option=$value"
        if same "$value" "$wanted"; then
            if noted "$option"; then verdict=pending text="$text, in effect from the next start on"; fi
        elif [ "$kind" = held ] && noted "${1%%=*}"; then
            verdict=pending text="$text, from the next start on $wanted, which ${1%%=*} brings"
        elif [ "$kind" = held ]; then
            verdict=differs text="$text, wanted $wanted, which ${1%%=*} is to bring"
        else
            verdict=differs text="$text, wanted $wanted" to_set=$((to_set + 1))
        fi
    fi
    case $verdict in
        pending) pending=$((pending + 1)) ;;
        differs) differing=$((differing + 1)) ;;
        unreadable) unreadable=$((unreadable + 1)) ;;
    esac
    case $mode$json/$verdict in
        verifyyes/*) report_option "$@" ;;
        verify/*) printf '%-10s %s\n' "$verdict" "$text" ;;
        dry-run/differs)
            if [ "$kind" = want ]; then say "would set $option: $value -> $wanted"; else say "differs: $text"; fi
            ;;
        */unreadable) complain "cannot read $text" ;;
    esac
}

# The result of a comparison, for the report. What a profile fixes is locked.
report_option() {
    case $verdict in
        ok) report "$setting" firmware ok "$wanted" "$value" '' "$option${unfinished:+; $unfinished}" ;;
        pending)
            # What the tool shows is not in effect yet, and it does not show what is.
            report "$setting" firmware pending "$wanted" '' "$wanted" \
                "$option was set since the server started, and takes effect when it restarts${unfinished:+; $unfinished}"
            ;;
        differs)
            if [ "$kind" = held ]; then
                report "$setting" firmware locked "$wanted" "$value" '' "$option is fixed by ${1%%=*}${unfinished:+; $unfinished}"
            else
                report "$setting" firmware differs "$wanted" "$value" '' "$option${unfinished:+; $unfinished}"
            fi
            ;;
        unreadable) report "$setting" firmware unreadable "$wanted" '' '' "$option: $answer" ;;
    esac
}

# Where nothing can be compared, for reason $1: every setting is unreadable.
report_unreadable() {
    [ -n "$json" ] || return 0
    unread_reason=$1 step=report_unread_option
    settings
    print_report "$policy"
}
report_unread_option() { report "$2" firmware unreadable "$4" '' '' "$3: $unread_reason"; }

compare_all() {
    found='' to_set=0 pending=0 differing=0 unreadable=0 step=compare
    settings
    if [ -z "$caught" ]; then return; fi
    [ "$phase" = finished ] || die "interrupted by SIG$caught; $unchanged"
    complain "interrupted by SIG$caught; what was set stays set, and was not compared again"
    exit 6
}

# A step: set a setting that differs.
set_one() {
    [ -z "$caught" ] || failed
    kind=$1 option=$3 wanted=$4
    shift 4
    [ "$kind" = want ] || return 0
    setting_of "$option" || failed "cannot read $option: $answer"
    ! same "$value" "$wanted" || return 0
    old=$value
    hold "$@"
    case $? in
        1)
            complain "$option stays $old: the firmware takes a value only while $*"
            return 0
            ;;
        2) failed "cannot read whether $*: $answer" ;;
    esac
    [ -z "$caught" ] || failed
    note try "$option" "$wanted" || failed "cannot write to $journal"
    tried=$((tried + 1))
    write_option "$option" "$wanted" || failed "could not set $option to $wanted: $answer"
    note set "$option" || failed "cannot write to $journal"
    changed=$((changed + 1))
    say "set $option: $old -> $wanted"
}

# The run has failed for reason $1, or is interrupted: put back what it has changed, and what it may have changed.
failed() {
    if [ -n "$caught" ]; then complain "interrupted by SIG$caught"; else complain "$1"; fi
    if [ "$tried" -eq 0 ]; then
        rm -f "$journal"
        die "$unchanged"
    fi
    complain "putting back what this run has set or tried to set: $tried"
    phase=undoing untrue=$unshown unshown=''
    put_back "$journal" || stay_changed "it is NOT known whether all settings are as they were before this run"
    rm -f "$journal"
    [ -z "$untrue" ] || die "all settings were set back to what they were before this run. syscfg did not show what was set, so what it shows proves nothing: compare after the next start:$untrue"
    die "all settings are as they were before this run"
}

remind() {
    [ "$pending" -eq 0 ] || say "settings that wait for the next start: $pending (this script does not restart the server)"
}

apply() {
    lock_for_change
    recover
    compare_all
    [ "$unreadable" -eq 0 ] || die "$unchanged; settings that cannot be read: $unreadable"
    if [ "$to_set" -gt 0 ]; then
        changed=0 tried=0
        open_journal
        phase=setting step=set_one
        settings
        [ -z "$caught" ] || failed
        if [ "$tried" -eq 0 ]; then
            rm -f "$journal"
        else
            close_saved || failed "cannot keep the old values in $state"
        fi
        phase=finished
        say "settings changed: $changed; to take them back: run this script with --rollback --state $state"
        compare_all
        if [ "$unreadable" -gt 0 ]; then
            complain "what was set stays set; settings that cannot be read again to compare them: $unreadable"
            exit 6
        fi
    else
        say "nothing to change"
    fi
    finish
}

dry_run() {
    lock_for_reading
    compare_all
    [ "$unreadable" -eq 0 ] || die "settings that cannot be read: $unreadable"
    if would_recover; then
        :
    elif [ "$to_set" -eq 0 ]; then
        say "nothing to change"
    else
        say "settings that would be set: $to_set"
    fi
}

verify() {
    lock_for_reading
    is_unfinished || unfinished=''
    compare_all
    [ -z "$json" ] || print_report "$policy" || exit
    if is_unfinished; then
        complain "$unfinished. To take it back: run this script with --rollback --state $state"
        exit 6
    fi
    if [ -n "$json" ]; then
        report_status
        exit
    fi
    finish
}

# The end of what compared all settings.
finish() {
    remind
    if [ "$differing" -gt 0 ]; then
        complain "settings that differ: $differing (--verify shows which)"
        exit 3
    fi
    [ "$unreadable" -eq 0 ] || die "settings that cannot be read: $unreadable"
    exit 0
}


usage() {
    complain "usage: apply.sh [--dry-run | --verify [--json] | --rollback [--all] [--dry-run]] [--state DIR]"
    exit 2
}

json=''
while [ $# -gt 0 ]; do
    case $1 in
        --dry-run | --verify | --rollback | --all) set_mode "$1" ;;
        --json) json=yes ;;
        --state)
            [ -n "${2-}" ] || usage
            state=$2
            shift
            ;;
        -h | --help)
            sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
            exit 0
            ;;
        *) usage ;;
    esac
    shift
done
[ -z "$json" ] || [ "$mode" = verify ] || usage
case $state in /*) ;; *) state=$PWD/$state ;; esac
case $patience in *[!0-9]*) usage ;; esac
[ -z "$json" ] || on_busy=report_unreadable
if [ "$mode" != rollback ]; then
    is_the_server || {
        status=$?
        [ "$status" -ne 5 ] || report_unreadable "$unlike_because"
        exit "$status"
    }
fi
command -v "$syscfg" >/dev/null || {
    report_unreadable "no syscfg at $syscfg"
    die "no syscfg at $syscfg (SYSCFG names another)"
}
catch_signals

case $mode in
    apply) apply ;;
    dry-run) dry_run ;;
    verify) verify ;;
    rollback)
        rollback
        say "done; what was put back takes effect when the server restarts"
        ;;
esac
