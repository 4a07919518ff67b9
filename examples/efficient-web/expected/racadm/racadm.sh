#!/bin/sh
# BIOS settings of policy efficient-web for r720, set with Dell's racadm.
#
#   racadm.sh               stage what differs, and make a job that sets it when the server restarts
#   racadm.sh --dry-run     show what would be staged, change nothing; also --check
#   racadm.sh --verify      compare every setting with the policy; with --json, print that as JSON
#   racadm.sh --rollback    take back the last run: before the restart its job, after it the old values
#   ... --all               with --rollback: go back to before the first run
#   ... --dry-run           with --rollback: only say what would be put back
#
# Which server:
#   (no option)                      this one, with its local racadm
#   --ssh USER@HOST                  by the shell of the iDRAC HOST, with a key and no password
#   --host HOST --user USER          by racadm on this machine, with SETPOINT_IDRAC_PASSWORD from the environment
#   --insecure                       with --host: go on without a valid certificate
#
# More:
#   --restart graceful               restart the server, if its system shuts down; the job then runs
#   --restart forced                 the same, and cut the power of a system that does not shut down
#   --restart powercycle             cut the power at once
#   --accept-pending                 exit with 0 where only a restart is missing, for a program that runs this regularly
#   --state DIR                      keep old values and the journal in DIR instead of /var/lib/setpoint
#
# Without --restart nothing restarts. A server that is off is not started.
#
# Before all of it but --rollback it looks whether this is a server that the policy is for. Where somebody else has staged
# values, or a job for the BIOS is open, it changes nothing. What fails before there is a job is cleared.
#
# Exit status:
#   0  all is as wanted, or is staged and in a job (--verify: and is in effect)
#   2  wrong usage
#   3  a setting differs, or can be written after a restart only: run it again then (--verify: or waits for a restart)
#   4  something failed, or a signal came: nothing was changed, or all that was staged is cleared
#   5  this is another server: nothing was changed
#   6  something failed, or a signal came, and values may be staged; or an earlier run did not finish
#   7  another run is at work, or somebody else has staged values or a job: nothing was changed
#
# Environment: SETPOINT_IGNORE, checks to pass over ("product sockets staged"); RACADM, the tool, if it is not `racadm`;
# SETPOINT_IDRAC_PASSWORD, for --host; SETPOINT_PATIENCE, the seconds that a call gets to end after a signal (30).
#
# How far to trust it: the commands and their answers are those of Dell's RACADM guide and of published sessions. What was
# checked: shellcheck, and runs with a stand-in for racadm, not with racadm itself. Try it on one server first.

# A trace would show the password.
[ -z "${SETPOINT_IDRAC_PASSWORD:+set}" ] || set +x
set -u
LC_ALL=C
export LC_ALL
password=${SETPOINT_IDRAC_PASSWORD-}
unset SETPOINT_IDRAC_PASSWORD
racadm=${RACADM:-racadm}
state=/var/lib/setpoint
script=racadm.sh prefix=racadm label=''
patience=${SETPOINT_PATIENCE:-30}
policy='efficient-web'

# ---------------------------------------------------------------------------------------------- what is wanted
# want SETTING OPTION VALUE [CONDITION...]     to be set; the firmware takes it only while the conditions hold
# held SETTING OPTION VALUE CONDITION...       fixed by what the conditions are about: compared, never set
# first SETTING OPTION VALUE [CONDITION...]    to be right, after a restart, before the rest is set
# open - OPTION VALUE                          what lets that be written until then
# `keeps`: a profile that locks it may leave it as it is. `unless:CONDITION`: not where that is so already

settings() {
    want system-profile               BIOS.SysProfileSettings.SysProfile               Custom                          # dell-12g-tuning, Table 1
    want cpu-power-management         BIOS.SysProfileSettings.ProcPwrPerf              SysDbpm       SysProfile=Custom # dell-12g-tuning, Table 2
    want memory-frequency             BIOS.SysProfileSettings.MemFrequency             MaxPerf       SysProfile=Custom # dell-12g-tuning, Table 2
    want turbo                        BIOS.SysProfileSettings.ProcTurboMode            Disabled      SysProfile=Custom # dell-12g-tuning, Figures 18, 19 and 20
    want c1e                          BIOS.SysProfileSettings.ProcC1E                  Enabled       SysProfile=Custom # dell-12g-tuning, C-States and C1E options; Figure 21
    want c-states                     BIOS.SysProfileSettings.ProcCStates              Enabled       SysProfile=Custom # dell-12g-tuning, C-States and C1E options; Figure 21
    want monitor-mwait                BIOS.SysProfileSettings.MonitorMwait             Enabled       SysProfile=Custom # dell-12g-tuning, Table 2
    want collaborative-cpu-control    BIOS.SysProfileSettings.CollaborativeCpuPerfCtrl Disabled      SysProfile=Custom # dell-12g-tuning, Collaborative CPU Performance Control
    want memory-patrol-scrub          BIOS.SysProfileSettings.MemPatrolScrub           Standard      SysProfile=Custom # dell-12g-tuning, Table 2, by way of system-profile dapc
    want memory-refresh-rate          BIOS.SysProfileSettings.MemRefreshRate           1x            SysProfile=Custom # dell-12g-tuning, Table 2, by way of system-profile dapc
    want memory-voltage               BIOS.SysProfileSettings.MemVolt                  AutoVolt      SysProfile=Custom # dell-12g-tuning, Table 2, by way of system-profile dapc
    want smt                          BIOS.ProcSettings.LogicalProc                    Enabled                         # dell-12g-tuning, Table 2
    want logical-processor-idling     BIOS.ProcSettings.DynamicCoreAllocation          Disabled                        # dell-12g-tuning, Logical processor idling
    want qpi-speed                    BIOS.ProcSettings.QpiSpeed                       MaxDataRate                     # dell-12g-tuning, Table 2
    want alternate-rtid               BIOS.ProcSettings.RtidSetting                    Disabled                        # dell-12g-tuning, Alternate RTID setting
    want virtualization               BIOS.ProcSettings.ProcVirtualization             Enabled                         # dell-12g-tuning, Virtualization technology
    want adjacent-cache-line-prefetch BIOS.ProcSettings.ProcAdjCacheLine               Enabled                         # dell-12g-tuning, Processor prefetchers
    want hardware-prefetcher          BIOS.ProcSettings.ProcHwPrefetcher               Enabled                         # dell-12g-tuning, Processor prefetchers
    want dcu-streamer-prefetcher      BIOS.ProcSettings.DcuStreamerPrefetcher          Enabled                         # dell-12g-tuning, Processor prefetchers
    want dcu-ip-prefetcher            BIOS.ProcSettings.DcuIpPrefetcher                Enabled                         # dell-12g-tuning, Processor prefetchers
    want execute-disable              BIOS.ProcSettings.ProcExecuteDisable             Enabled                         # dell-12g-tuning, Execute disable
    want cores-per-processor          BIOS.ProcSettings.ProcCores                      All                             # dell-12g-tuning, Number of cores per processor
    want memory-mode                  BIOS.MemSettings.MemOpMode                       OptimizerMode                   # dell-12g-tuning, Table 2
    want node-interleaving            BIOS.MemSettings.NodeInterleave                  Disabled                        # dell-12g-tuning, Table 2
}
groups='MemSettings ProcSettings SysProfileSettings'
attributes='CollaborativeCpuPerfCtrl DcuIpPrefetcher DcuStreamerPrefetcher DynamicCoreAllocation LogicalProc MemFrequency MemOpMode MemPatrolScrub MemRefreshRate MemVolt MonitorMwait NodeInterleave Proc1Id Proc2Id Proc3Id Proc4Id Proc5Id Proc6Id Proc7Id Proc8Id ProcAdjCacheLine ProcC1E ProcCStates ProcCores ProcExecuteDisable ProcHwPrefetcher ProcPwrPerf ProcTurboMode ProcVirtualization QpiSpeed RtidSetting SysProfile SystemModelName'

# The checks of the server that the policy is for.
identity() {
    must_report product platform r720 states 'PowerEdge R720'
    must_report sockets sockets 2 states '2'
}
other_checks='staged'

# What the server reports as $1, in $reported; nothing if it does not. A socket without a processor has no ID.
report_of() {
    reported=
    case $1 in
        product) ! look SystemModelName || reported=$current ;;
        sockets)
            for socket in 1 2 3 4 5 6 7 8; do
                look "Proc${socket}Id" || continue
                case $current in *[0-9]*) reported=$((${reported:-0} + 1)) ;; esac
            done
            ;;
    esac
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

# racadm on this server, on this machine for another server (--host), or in an iDRAC's own shell (--ssh). Its answers:
#
#   [Key=BIOS.Setup.1-1#ProcSettings]                 of `get BIOS.ProcSettings`
#   LogicalProc=Enabled (Pending Value=Disabled)      staged, and not in effect
#   #ProcCores=All                                    a value that cannot be written now
#
#   read_groups GROUP...    what these groups show of $attributes, and all that is staged, into $shown
#   look ATTRIBUTE          one of them: $current, $pending (or nothing), $locked (`#` or nothing); 1 if it is not there
#   read_jobs               the open jobs that configure the BIOS, into $jobs: JID, status and name, a line each

tool() {
    # With --ssh, nothing but words that no shell reads as more goes to the other side.
    case $way in
        local) call "$racadm" "$@" || return 1 ;;
        host) call "$racadm" -r "$host" -u "$user" -p "$password" ${certificate:+"$certificate"} "$@" || return 1 ;;
        ssh) call ssh -o BatchMode=yes -o ConnectTimeout=30 "$user@$host" racadm "$@" || return 1 ;;
    esac
    case $answer in *ERROR:*) return 1 ;; esac
}

hint_at() {
    case $1 in
        *"ertificate"*) [ "$way" != host ] || printf ' (--insecure goes on without a valid certificate)' ;;
    esac
}

tab=$(printf '\t')
newline='
'
shown=$newline

read_groups() {
    shown=$newline
    for group in "$@"; do
        tool get "BIOS.$group" || {
            answer="BIOS.$group: $answer"
            return 1
        }
        lines=$(printf '%s\n' "$answer" | awk -v attributes=" $attributes " '
            { sub(/[ \t\r]+$/, "") }
            /^#?[A-Za-z][A-Za-z0-9]*=/ {
                locked = sub(/^#/, "") ? "#" : ""
                name = value = $0
                sub(/=.*/, "", name)
                sub(/^[^=]*=/, "", value)
                pending = ""
                if (match(value, / *\(Pending Value=.*\)$/)) {
                    pending = substr(value, RSTART, RLENGTH - 1)
                    sub(/^ *\(Pending Value=/, "", pending)
                    value = substr(value, 1, RSTART - 1)
                }
                gsub(/\t/, " ", value)
                gsub(/\t/, " ", pending)
                some = 1
                if (pending != "" || index(attributes, " " name " "))
                    printf "%s\t%s\t%s\t%s\n", name, locked, value, pending
            }
            END { if (some) print "end" }')
        if [ -z "$lines" ]; then
            answer="BIOS.$group: no value in its answer: $answer"
            return 1
        fi
        shown="$newline${lines%end}$shown"
    done
}

# Newer lines stand before older ones.
look() {
    case $shown in *"$newline$1$tab"*) ;; *) return 1 ;; esac
    rest=${shown#*"$newline$1$tab"}
    rest=${rest%%"$newline"*}
    locked=${rest%%"$tab"*} rest=${rest#*"$tab"}
    current=${rest%%"$tab"*} pending=${rest#*"$tab"}
}

# All that is staged, as ATTRIBUTE=VALUE.
staged_values() {
    printf '%s' "$shown" | awk -F '\t' '$1 != "" && !seen[$1]++ && $4 != "" { printf "%s=%s\n", $1, $4 }'
}

# The groups that there are, for what somebody else may have staged in one that the policy does not touch.
read_all_groups() {
    tool get BIOS || return 1
    every_group=$(printf '%s\n' "$answer" | awk '
        match($0, /BIOS\.[A-Za-z][A-Za-z0-9]*/) {
            name = substr($0, RSTART + 5, RLENGTH - 5)
            if (name != "Setup" && !seen[name]++) print name
        }')
    if [ -z "$every_group" ]; then
        answer="no group of settings in its answer: $answer"
        return 1
    fi
    # The groups are words.
    # shellcheck disable=SC2086
    read_groups $every_group
}

# All that somebody may have staged; or, where that does not matter, what the policy is about.
read_everything() {
    # The groups are words.
    # shellcheck disable=SC2086
    case " ${SETPOINT_IGNORE-} " in
        *" staged "*) read_groups $groups ;;
        *) read_all_groups ;;
    esac
}

# What has ended, in whatever way, is not open; an unknown status is.
read_jobs() {
    tool jobqueue view || return 1
    queue=$answer
    jobs=$(printf '%s\n' "$queue" | awk '
        { sub(/[ \t\r]+$/, "") }
        /^\[Job ID=/ { id = $0; sub(/^\[Job ID=/, "", id); sub(/\].*/, "", id) }
        /^Job Name=/ { name = substr($0, 10) }
        /^Status=/ {
            status = substr($0, 8)
            if (name ~ /BIOS\.Setup|[Ii]mport.*[Cc]onfiguration/ && status !~ /^(Completed|Failed|Reboot Completed|Reboot Failed)/)
                printf "%s\t%s\t%s\n", id, status, name
        }')
    job=${jobs%%"$tab"*}
}

# What the queue says of job $1, in $outcome: its status and message; nothing where it is not listed.
outcome_of() {
    outcome=$(printf '%s\n' "$queue" | awk -v id="$1" '
        { sub(/[ \t\r]+$/, "") }
        /^\[Job ID=/ { found = $0 == "[Job ID=" id "]" }
        found && /^Status=/ { status = substr($0, 8) }
        found && /^Message=/ { message = substr($0, 9); print status ": " message; exit }')
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

# ----------------------------------------------------------------------------------- the journal, staging, the job

# What is set is staged only: until a job is made of it, `clearpending` takes all of it back. A run that stages keeps a
# journal in $state/$prefix.journal:
#
#   # POLICY                              for which policy
#   # run by process …                    which run
#   SETTING OPTION VALUE KEEPS CONDITION… the old values; KEEPS is `keeps` where a profile may leave the value as it is
#   # try OPTION VALUE OLD                before each value that is staged
#   # try job                             before the job is made
#   # job JID                             after it
#   # refused ATTRIBUTE…                  what could not be staged before the restart
#   # delete JID                          before a rollback deletes the job
#   # back JID                            the job of a rollback that goes on after the restart
#
# At the end of the run it becomes $prefix.rollback.N, which --rollback puts back. A journal that is there when another run
# begins belongs to a run that was ended.

bios=BIOS.Setup.1-1

open_journal() {
    journal=$state/$prefix.journal
    if ! printf '# %s\n# run by process %s, begun %s\n%s' "$policy" "$$" "$(date '+%Y-%m-%d %H:%M:%S')" "$old_values" \
        2>/dev/null >"$journal.new" || ! mv "$journal.new" "$journal"; then
        die "cannot save the old values in $state: $unchanged"
    fi
    sync
}

note() { printf '# %s\n' "$*" 2>/dev/null >>"$journal"; }

close_journal() {
    last_saved
    mv "$journal" "$state/$prefix.rollback.$((number + 1))"
}

# The last file of old values, in $saved, and its number in $number; 0 if there is none.
last_saved() {
    number=0
    while [ -e "$state/$prefix.rollback.$((number + 1))" ]; do number=$((number + 1)); done
    saved=$state/$prefix.rollback.$number
}

job_of() { sed -n 's/^# job //p' "$1" 2>/dev/null | tail -n 1; }

is_unfinished() {
    unfinished=
    [ -e "$state/$prefix.journal" ] || return 1
    unfinished="the run of policy $(sed -n '1s/^# //p' "$state/$prefix.journal") ($(sed -n '2s/^# run //p' "$state/$prefix.journal")) did not finish"
}

# Whether CONDITION... hold in what is staged: ATTRIBUTE=VALUE, ATTRIBUTE!=VALUE.
hold() {
    for condition in "$@"; do
        look "${condition%%[=!]*}" || return 1
        is=${pending:-$current}
        case $condition in
            *!=*) [ "$is" != "${condition#*!=}" ] || return 1 ;;
            *) [ "$is" = "${condition#*=}" ] || return 1 ;;
        esac
    done
}

# Stage a value: OPTION VALUE CONDITION... What cannot be written before a restart is in $waiting.
stage() {
    [ -z "$caught" ] || failed
    option=$1 wanted=$2 attribute=${1##*.}
    shift 2
    look "$attribute" || failed "the server does not show $attribute"
    from=${pending:-$current}
    [ "$from" != "$wanted" ] || return 0
    if ! hold "$@"; then
        waiting="$waiting $attribute"
        return 0
    fi
    look "$attribute"
    note try "$option" "$wanted" "$current" || failed "cannot write to $journal"
    tried=$((tried + 1))
    if ! tool set "$option" "$wanted"; then
        # Some firmware looks at what is in effect, and not at what is staged.
        if [ $# -gt 0 ] && [ -z "$caught" ]; then
            case $answer in
                *RAC1025* | *read-only* | *"read only"* | *dependen*)
                    waiting="$waiting $attribute"
                    return 0
                    ;;
            esac
        fi
        failed "could not stage $attribute=$wanted: $answer"
    fi
    shown="$newline$attribute$tab$locked$tab$current$tab$wanted$shown"
    staged="$staged $attribute=$wanted"
    say "staged $attribute: $from -> $wanted"
}

# See that what was staged is there, and nothing of somebody else's beside it.
check_staged() {
    read_everything || failed "cannot read what was staged: $answer"
    for each in $staged; do
        look "${each%%=*}" || failed "${each%%=*} is not shown any more"
        [ "${pending:-$current}" = "${each#*=}" ] || failed "racadm reported success, but shows ${each%%=*}=${pending:-$current}"
    done
    foreign=
    for each in $(staged_values | tr ' ' '_'); do
        case " $staged $ignored " in *" $each "*) ;; *) foreign="$foreign $each" ;; esac
    done
    [ -z "$foreign" ] || failed "somebody else has staged meanwhile:$foreign"
}

# Make the job of all that is staged. An answer that got lost is looked up in the queue.
make_job() {
    note try job || failed "cannot write to $journal"
    made=yes
    case $restart in
        none) tool jobqueue create "$bios" -r none || made= ;;
        *) tool jobqueue create "$bios" -r "$restart" -s TIME_NOW -e TIME_NA || made= ;;
    esac
    why=$answer
    job=$(printf '%s\n' "$why" | sed -n 's/.*\(JID_[0-9][0-9]*\).*/\1/p' | tail -n 1)
    if [ -z "$made" ] || [ -z "$job" ]; then
        phase=undoing
        read_jobs || stay_staged "whether there is a job is not known: $why; and the queue cannot be read: $answer"
        [ -n "$job" ] || failed "no job was made: $why"
        complain "the answer was: $why. Job $job is there all the same"
    fi
    note job "$job" || complain "could not note job $job in $journal"
}

# The run has failed for reason $1, or is interrupted: take back what it has staged.
failed() {
    if [ -n "$caught" ]; then complain "interrupted by SIG$caught"; else complain "$1"; fi
    phase=undoing
    if [ "$tried" -eq 0 ]; then
        rm -f "$journal"
        die "$unchanged"
    fi
    clear_staged || stay_staged "$answer"
    rm -f "$journal"
    die "what this run had staged is cleared: all settings are as they were before this run"
}

# Take back all that is staged, which must be what the journal has and nothing else.
clear_staged() {
    if [ -n "$ignored" ]; then
        answer="values of somebody else are staged, too, and would be cleared: $ignored"
        return 1
    fi
    read_everything || return 1
    find_others
    if [ -n "$others" ]; then
        answer="somebody else has staged, too:$others"
        return 1
    fi
    # It fails where nothing is staged, and some firmware does not show what is.
    cleared=
    tool clearpending "$bios" || cleared=$answer
    # The groups are words.
    # shellcheck disable=SC2086
    read_groups $groups || return 1
    [ -z "$(staged_values)" ] || {
        answer="what was staged could not be cleared: $cleared"
        return 1
    }
    while read -r hash try option wanted from <&4; do
        if [ "$hash $try" != '# try' ] || [ -z "$from" ]; then continue; fi
        if ! look "${option##*.}" || [ "$current" != "$from" ]; then
            answer="${option##*.} was $from, and shows $current"
            return 1
        fi
    done 4<"$journal"
}

# What is staged and is not in the journal, into $others.
find_others() {
    others=
    for each in $(staged_values | tr ' ' '_'); do
        grep -q "^# try BIOS\.[A-Za-z0-9]*\.${each%%=*} ${each#*=} " "$journal" || others="$others $each"
    done
}

# Whether what is staged was left by a rollback that was ended after it had deleted the job.
is_leftover() {
    if [ -n "$job" ] || [ -z "$(staged_values)" ]; then return 1; fi
    last_saved
    grep -q '^# delete ' "$saved" 2>/dev/null || return 1
    journal=$saved
    find_others
    [ -z "$others" ]
}

# Take back what a run or a rollback that did not finish has left.
clean_up() {
    look_around
    if is_unfinished; then
        recover
        look_around
    fi
    if is_leftover; then
        phase=restoring ignored=''
        clear_staged || stay_staged "$answer"
        phase=looking unchanged='nothing else was changed'
        say "cleared what an unfinished rollback had left"
        look_around
    fi
}

stay_staged() {
    complain "$1"
    complain "values may be STAGED, and a job may be open. Look at both: racadm jobqueue view, --verify. Then run this again, or --rollback"
    exit 6
}

# What a run that did not finish has left: take it back, or keep the job that it made.
recover() {
    complain "$unfinished"
    journal=$state/$prefix.journal phase=restoring ignored=''
    last=$(job_of "$journal")
    if [ -n "$job" ]; then
        if [ -z "$last" ] && ! grep -q '^# try job$' "$journal"; then
            stay_staged "somebody has made job $job of what it had staged"
        fi
        [ -n "$last" ] || note job "$job"
        complain "it had made job $job, which is kept"
        close_journal || die "cannot write to $state: nothing was changed"
    elif [ -n "$last" ] || { grep -q '^# try job$' "$journal" && tries_are_current; }; then
        complain "it had made a job, which has ended"
        close_journal || die "cannot write to $state: nothing was changed"
    else
        clear_staged || stay_staged "$answer"
        rm -f "$journal"
        say "cleared what the unfinished run had staged"
    fi
    phase=looking unchanged='nothing else was changed'
}

tries_are_current() {
    while read -r hash try option wanted from; do
        if [ "$hash $try" != '# try' ] || [ -z "$from" ]; then continue; fi
        if ! look "${option##*.}" || [ "$current" != "$wanted" ]; then return 1; fi
    done <"$journal"
}

# -------------------------------------------------------------------------------------------------- the modes

# Each goes through the table `settings` with a function for each kind of line. `first` lines must be right, after a
# restart, before the rest is staged; `open` lines let them be written until then.

open() { "$step" open "$@"; }
first() { "$step" first "$@"; }
want() { "$step" want "$@"; }
held() { "$step" held "$@"; }

# The words of a line of the table.
take() {
    kind=$1 setting=$2 option=$3 wanted=$4 attribute=${3##*.}
    shift 4
    keeps=- conditions='' exceptions=''
    for each in "$@"; do
        case $each in
            keeps) keeps=keeps ;;
            unless:*) exceptions="$exceptions ${each#unless:}" ;;
            *) conditions="$conditions${conditions:+ }$each" ;;
        esac
    done
}

# A step: compare a setting with the server; count, and say it in the way of the mode.
compare() {
    [ "$1" != open ] || return 0
    take "$@"
    governor=${conditions%%[=!]*}
    verdict=ok reason='' text=''
    if ! look "$attribute"; then
        verdict=unreadable current='' pending='' reason="the server does not show $attribute"
    elif [ "$current" = "$wanted" ] && [ -n "$pending" ] && [ "$pending" != "$wanted" ]; then
        verdict=differs reason="$attribute becomes $pending when the server restarts"
    elif [ "$current" = "$wanted" ]; then
        # Some firmware shows what is staged as if it were in effect, and no value as pending.
        if [ -n "$job" ] && [ -z "$visible" ]; then
            verdict=pending reason="$attribute is shown so, and job $job has not run"
        fi
    elif [ "$pending" = "$wanted" ]; then
        verdict=pending reason="$attribute is staged${job:+ in job $job}"
        [ -n "$job" ] || reason="$attribute is staged, and no job is there to set it"
    else
        seen=$current seen_staged=$pending verdict=differs
        # The conditions are words of their own.
        # shellcheck disable=SC2086
        if [ "$kind" = held ] && ! hold $conditions && look "$governor" && [ -n "$pending" ]; then
            verdict=pending reason="$attribute comes with $governor=$pending"
        elif [ "$kind" = held ]; then
            verdict=locked reason="$attribute is fixed by $governor"
        fi
        current=$seen pending=$seen_staged
    fi
    case $verdict in
        ok) ;;
        pending) pending_count=$((pending_count + 1)) ;;
        unreadable) unreadable=$((unreadable + 1)) ;;
        *) differing=$((differing + 1)) ;;
    esac
    case $mode$json in
        verifyyes) report "$setting" firmware "$verdict" "$wanted" "$current" "$pending" "${reason:-$attribute}${trouble:+; $trouble}" ;;
        verify)
            text="$attribute=$current"
            [ -z "$pending" ] || text="$text (staged: $pending)"
            [ "$verdict" = unreadable ] && text=$reason
            case $verdict in ok | unreadable) ;; *) text="$text, wanted $wanted${reason:+; $reason}" ;; esac
            printf '%-10s %s\n' "$verdict" "$text"
            ;;
        *) [ "$verdict" != unreadable ] || complain "$reason" ;;
    esac
}

compare_all() {
    pending_count=0 differing=0 unreadable=0 step=compare visible=$(staged_values)
    settings
}

# Where nothing can be compared, for reason $1: every setting is unreadable.
report_unreadable() {
    [ -n "$json" ] || return 0
    unread_reason=$1 step=report_unread
    settings
    print_report "$policy"
}
report_unread() { [ "$1" = open ] || report "$2" firmware unreadable "$4" '' '' "${3##*.}: $unread_reason"; }

unreachable() {
    report_unreadable "$answer"
    die "cannot read $1: $answer: $unchanged"
}

# A step: what must be right before the rest, and is not, into $due. Where what brings it is right already and it is not,
# the firmware has chosen otherwise, and another restart would change nothing.
find_due() {
    [ "$1" = first ] || return 0
    take "$@"
    # The exceptions are words of their own.
    # shellcheck disable=SC2086
    if [ -n "$exceptions" ] && hold $exceptions; then return 0; fi
    if look "$attribute" && [ "$current" != "$wanted" ]; then due="$due $attribute"; fi
}

# A step: the old value of a setting, for the journal.
old_value() {
    take "$@"
    look "$attribute" || return 0
    case $old_values in *" $option "*) return 0 ;; esac
    # The journal has words.
    case $current in '' | *' '*) die "$unchanged: the old value of $attribute could not be put back: it is '$current', which is not one word" ;; esac
    old_values="$old_values$setting $option $current $keeps $conditions$newline"
}

# What is to be staged now, into $to_stage: OPTION VALUE CONDITION... a line each; and what only a later run can set, into
# $later. While the job of the last run is open, that includes what the firmware refused to that run.
plan_changes() {
    due='' later='' to_stage='' refused='' step=find_due
    last_saved
    [ "$job" != "$(job_of "$saved")" ] || refused=$(sed -n 's/^# refused //p' "$saved" 2>/dev/null)
    settings
    step=collect
    settings
}

# A step of plan_changes.
collect() {
    take "$@"
    look "$attribute" || return 0
    now=${pending:-$current}
    case $kind in
        held) return 0 ;;
        open) [ -n "$due" ] || return 0 ;;
        first) case " $due " in *" $attribute "*) ;; *) return 0 ;; esac ;;
        want)
            case " $refused " in
                *" $attribute "*) is_late=yes ;;
                *) is_late=$due ;;
            esac
            if [ -n "$is_late" ]; then
                [ "$now" = "$wanted" ] || later="$later $attribute"
                return 0
            fi
            ;;
    esac
    [ "$now" = "$wanted" ] || to_stage="$to_stage$option $wanted $conditions$newline"
}

# Everything about the server that a change depends on. What somebody else has at work stops it.
look_around() {
    read_jobs || unreachable "the job queue"
    read_everything || unreachable "the settings"
}

nothing_foreign() {
    ignored=$(staged_values | tr ' \n' '_ ')
    ignored=${ignored% }
    [ -n "$ignored" ] || return 0
    case " ${SETPOINT_IGNORE-} " in *" staged "*) return 0 ;; esac
    complain "somebody else has staged values, and no job: $ignored"
    complain "nothing was changed. Find out whose they are: racadm clearpending $bios clears them. To have them set with this policy: SETPOINT_IGNORE=staged"
    exit 7
}

foreign_job() {
    complain "$unchanged: a job for the BIOS is open, and there can be only one: $(printf '%s' "$jobs" | head -n 1 | tr '\t' ' ')"
    complain "${1:-it was not made by this script. Wait until it has run, or find out whose it is}"
    exit 7
}

# Carry out $to_stage: stage it, look at it, make a job of it.
carry_out() {
    tried=0 waiting='' staged=''
    open_journal
    phase=setting
    # The lines are words; the table has nothing else.
    while read -r option wanted conditions <&3; do
        # shellcheck disable=SC2086
        stage "$option" "$wanted" $conditions
    done 3<<END
$(printf '%s' "$to_stage")
END
    [ -z "$caught" ] || failed
    if [ -z "$staged$ignored" ]; then
        rm -f "$journal"
        return 0
    fi
    check_staged
    [ -z "$caught" ] || failed
    make_job
    phase=finished
}

apply() {
    lock_for_change
    clean_up
    compare_all
    [ "$unreadable" -eq 0 ] || die "$unchanged; settings that cannot be read: $unreadable"
    plan_changes
    old_values=''
    if [ -n "$job" ]; then
        [ -z "$to_stage" ] || foreign_job "it does not set: $(printf '%s' "$to_stage" | awk '{ printf "%s%s=%s", sep, $1, $2; sep = " " }')"
        say "nothing to stage: job $job waits for the restart"
        finish
    fi
    nothing_foreign
    if [ -z "$to_stage" ] && { [ -z "$ignored" ] || [ "$pending_count" -eq 0 ]; }; then
        say "nothing to stage"
        finish
    fi
    if [ "$restart" != none ]; then
        tool serveraction powerstatus || unreachable "whether the server runs"
        case $answer in *[Oo][Ff][Ff]*) die "the server is off, and this script does not start it: $unchanged" ;; esac
    fi
    step=old_value
    settings
    # The second of two runs that belong together: the old values are those of the first.
    last_saved
    continued=
    if [ -z "$due" ] && [ "$number" -gt 0 ] && grep -q '^# to be continued$' "$saved" && [ "$(sed -n '1s/^# //p' "$saved")" = "$policy" ]; then
        continued=$saved old_values="$(sed '/^#/d' "$saved")$newline"
    fi
    carry_out
    if [ -e "$journal" ]; then
        [ -z "$waiting" ] || note "refused$waiting"
        [ -z "$later$waiting" ] || note to be continued
        [ -z "$continued" ] || rm -f "$continued"
        close_journal || complain "cannot keep the old values in $state"
        say "made job $job, which sets them $when"
        say "to take them back: $0 --rollback --state $state"
    fi
    [ -z "$caught" ] || {
        complain "interrupted by SIG$caught; job $job is complete"
        exit 6
    }
    later="$later$waiting"
    [ -z "$later" ] || continue_later "that restart"
    exit 0
}

# The end of a run that leaves $later to the next one, which follows restart $1.
continue_later() {
    if [ -n "$accepts_pending" ] && [ -n "$job" ]; then
        say "these can be written only after $1:$later"
        exit 0
    fi
    complain "these can be written only after $1:$later. Run this again then"
    exit 3
}

# The end of a run that staged nothing.
finish() {
    [ -z "$later" ] || continue_later "the restart"
    [ "$differing" -eq 0 ] || {
        complain "settings that differ: $differing (--verify shows which)"
        exit 3
    }
    exit 0
}

dry_run() {
    lock_for_reading
    look_around
    compare_all
    [ "$unreadable" -eq 0 ] || die "settings that cannot be read: $unreadable"
    if is_unfinished; then say "$unfinished: what it has staged would be cleared first"; fi
    plan_changes
    [ -z "$job" ] || say "job $job is open"
    if is_leftover; then
        say "an unfinished rollback has left staged values: they would be cleared first"
    else
        is_unfinished || [ -n "$job" ] || nothing_foreign
    fi
    while read -r option wanted conditions; do
        [ -n "$option" ] || continue
        look "${option##*.}"
        say "would stage ${option##*.}: ${pending:-$current} -> $wanted"
    done <<END
$(printf '%s' "$to_stage")
END
    [ -z "$later" ] || say "only after that restart, in a second run:$later"
    exit 0
}

verify() {
    lock_for_reading
    read_jobs || unreachable "the job queue"
    trouble=
    if is_unfinished; then trouble=$unfinished; fi
    last_saved
    if [ "$number" -gt 0 ]; then
        last=$(job_of "$saved")
        [ -z "$last" ] || outcome_of "$last"
        case ${outcome-} in Failed* | *[Ee]rrors*) trouble="${trouble:+$trouble; }job $last: $outcome" ;; esac
    fi
    compare_all
    [ -z "$json" ] || print_report "$policy" || exit
    [ -z "$trouble" ] || complain "$trouble"
    ! is_unfinished || exit 6
    if [ -n "$accepts_pending" ] && [ -n "$job" ] && [ "$unreadable" -eq 0 ]; then
        plan_changes
        [ -n "$to_stage" ] || { [ -z "$later" ] && [ "$differing" -gt 0 ]; } || exit 0
    fi
    if [ "$((differing + pending_count))" -gt 0 ]; then
        complain "settings that differ: $differing; that wait for a restart: $pending_count"
        exit 3
    fi
    [ "$unreadable" -eq 0 ] || die "settings that cannot be read: $unreadable"
    exit 0
}

# ------------------------------------------------------------------------------------------------ the rollback

# A job that has not run is deleted, and what was staged is cleared. After the restart the old values are staged, in the
# order of the table: a profile before its members, and members only where the profile lets them be written; others it
# brings back itself. What it would leave as it is goes first, with a restart of its own.

rollback() {
    if [ -n "$would_roll" ]; then
        lock_for_reading
        look_around
        [ -z "$job" ] || say "job $job is open"
        if is_unfinished || is_leftover; then
            say "${unfinished:-an unfinished rollback has left staged values}: what is staged would be cleared first"
            exit 0
        fi
    else
        lock_for_change
        clean_up
    fi
    last_saved
    if [ "$number" -eq 0 ]; then
        [ -n "$rolls_all$would_roll" ] || die "no old values in $state"
        say "nothing to change: no old values in $state"
        exit 0
    fi
    old_lines=$(lines_to_put_back)
    deleted=
    if [ -n "$job" ] && [ "$job" = "$(sed -n 's/^# back //p' "$saved" | tail -n 1)" ]; then put_back_later; fi
    case $rolls_all in yes) of="the first run" ;; *) of="the run of policy $(sed -n '1s/^# //p' "$saved")" ;; esac
    [ -n "$would_roll" ] || say "putting back what $of had found"
    if [ -n "$job" ]; then
        [ "$job" = "$(job_of "$saved")" ] || foreign_job
        if [ -n "$would_roll" ]; then
            deleted="would delete the job, and clear what is staged"
            say "$deleted"
        else
            delete_job
            look_around
        fi
    fi
    [ -n "$job" ] || nothing_foreign
    later='' to_stage='' old_values='' due=''
    plan_back keeps
    [ -n "$to_stage" ] || plan_back all
    [ -z "$would_roll" ] || would_put_back
    if [ -z "$to_stage" ]; then
        discard_saved
        say "${deleted:-nothing to put back}"
        exit 0
    fi
    carry_out
    if [ -n "$due" ]; then
        [ -z "$staged" ] || printf '# back %s\n' "$job" >>"$saved"
        rm -f "$journal"
        say "made job $job, which sets them $when"
        put_back_later
    fi
    rm -f "$journal"
    discard_saved
    [ -z "$waiting" ] || say "left to the firmware, which has them locked:$waiting"
    [ -z "$staged" ] || say "made job $job, which sets them $when"
    exit 0
}

# The old values: those of the last run or, with --all, of each option the first that was found.
lines_to_put_back() {
    first=$number
    [ -z "$rolls_all" ] || first=1
    while [ "$first" -le "$number" ]; do
        sed '/^#/d' "$state/$prefix.rollback.$first"
        first=$((first + 1))
    done | awk '!seen[$2]++'
}

# Remove what has been put back, the last one first.
discard_saved() {
    rm -f "$saved"
    while [ -n "$rolls_all" ] && [ "$number" -gt 0 ]; do
        rm -f "$state/$prefix.rollback.$number"
        number=$((number - 1))
    done
}

# The end of a rollback whose job brings only what goes first.
put_back_later() {
    if [ -n "$would_roll" ]; then
        say "nothing to change: the rest can be put back only after that restart"
        exit 0
    fi
    if [ -n "$accepts_pending" ]; then
        say "the rest can be put back only after that restart"
        exit 0
    fi
    complain "the rest can be put back only after that restart: run --rollback again then"
    exit 3
}

# The end of a dry run.
would_put_back() {
    while read -r option old conditions; do
        [ -n "$option" ] || continue
        look "${option##*.}"
        [ "$current" != "$old" ] || continue
        say "would put back ${option##*.}: $current -> $old"
    done <<END
$(printf '%s' "$to_stage")
END
    [ -z "$due" ] || say "the rest only after that restart, in a second run"
    [ -n "$to_stage$deleted" ] || say "nothing to put back: the old values would only be removed"
    exit 0
}

# What is to be staged. First what a profile of the old state locks and leaves as it is, with the values that let it be
# written; then all.
plan_back() {
    while read -r setting option old keeps conditions <&3; do
        [ -n "$old" ] || continue
        look "${option##*.}" || continue
        [ "$1" = all ] || old_values="$old_values$setting $option $current $keeps $conditions$newline"
        [ "$current" != "$old" ] || continue
        if [ "$1" = all ]; then
            to_stage="$to_stage$option $old $conditions$newline"
            continue
        fi
        [ "$keeps" = keeps ] || continue
        for condition in $conditions; do
            # A condition that held before lets it be written in the end.
            if printf '%s\n' "$old_lines" | grep -q "\.${condition%%[=!]*} ${condition#*=} "; then continue; fi
            due=yes
            opener=$(printf '%s\n' "$old_lines" | awk -v name=".${condition%%[=!]*}" 'index($2 " ", name " ") { print $2 }')
            case $condition in
                *!=*) ;;
                *) [ -z "$opener" ] || to_stage="$to_stage$opener ${condition#*=}$newline" ;;
            esac
            to_stage="$to_stage$option $old $condition$newline"
        done
    done 3<<END
$old_lines
END
}

# The job has not run: without it, and with nothing staged, all is as before.
delete_job() {
    case $jobs in *"$tab"Running*) foreign_job "it runs just now: run --rollback again when it has ended" ;; esac
    phase=undoing journal=$saved ignored=''
    note delete "$job" || die "cannot write to $saved: nothing was changed"
    tool jobqueue delete -i "$job"
    why=$answer
    read_jobs || stay_staged "whether job $job is deleted is not known: $answer"
    [ -z "$job" ] || stay_staged "could not delete job $job: $why"
    clear_staged || stay_staged "$answer"
    phase=looking deleted="deleted the job, and cleared what was staged: nothing changes at the next restart"
}

usage() {
    complain "usage: racadm.sh [--dry-run | --verify [--json] | --rollback [--all] [--dry-run]] [--ssh USER@HOST | --host HOST --user USER [--insecure]] [--restart graceful | forced | powercycle] [--accept-pending] [--state DIR]"
    exit 2
}

mode=apply json='' rolls_all='' would_roll='' accepts_pending='' way=local host='' user='' certificate=-S restart=none
when='when the server restarts (this script does not restart it)'
while [ $# -gt 0 ]; do
    case $1 in
        --dry-run | --check | --verify | --rollback)
            case $mode:$1 in
                rollback:--dry-run | rollback:--check) would_roll=yes ;;
                dry-run:--rollback) mode=rollback would_roll=yes ;;
                apply:--check) mode=dry-run ;;
                apply:*) mode=${1#--} ;;
                *) usage ;;
            esac
            ;;
        --all) rolls_all=yes ;;
        --accept-pending) accepts_pending=yes ;;
        --json) json=yes ;;
        --insecure) certificate= ;;
        --ssh | --host | --user | --restart | --state)
            [ -n "${2-}" ] || usage
            case $1 in
                --ssh)
                    case $2 in *@*) way=ssh user=${2%@*} host=${2##*@} ;; *) usage ;; esac
                    ;;
                --host) way=host host=$2 ;;
                --user) user=$2 ;;
                --restart) restart=$2 ;;
                --state) state=$2 ;;
            esac
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
[ -z "$rolls_all" ] || [ "$mode" = rollback ] || usage
[ -z "$accepts_pending" ] || [ "$mode" != dry-run ] || usage
case $restart in
    none) ;;
    graceful | forced | powercycle)
        case $mode:$would_roll in apply: | rollback:) ;; *) usage ;; esac
        when='in the restart that follows now'
        [ "$restart" != powercycle ] || restart=pwrcycle
        ;;
    *) usage ;;
esac
case $host$user in -* | *[!A-Za-z0-9._:@-]*) usage ;; esac
case $way:$user:$host in local::) ;; ssh:?*:?* | host:?*:?*) ;; *) usage ;; esac
if [ "$way" = host ]; then
    [ -n "$password" ] || die "--host needs SETPOINT_IDRAC_PASSWORD. racadm takes it as an argument, which others on this machine can see: --ssh needs none"
fi
case $state in /*) ;; *) state=$PWD/$state ;; esac
case $patience in *[!0-9]*) usage ;; esac
prefix=racadm${host:+.$host}
lock_file=$prefix.lock
[ -z "$host" ] || SETPOINT_HOST=${SETPOINT_HOST:-$host}
[ -z "$json" ] || on_busy=report_unreadable
case $way in
    ssh) program=ssh ;;
    *) program=$racadm ;;
esac
command -v "$program" >/dev/null || {
    report_unreadable "no $program here"
    die "no $program here (RACADM names another racadm)"
}
catch_signals
if [ "$mode" != rollback ]; then
    # The groups are words.
    # shellcheck disable=SC2086
    read_groups SysInformation $groups || unreachable "which server this is"
    is_the_server || {
        status=$?
        [ "$status" -ne 5 ] || report_unreadable "$unlike_because"
        exit "$status"
    }
fi

case $mode in
    apply) apply ;;
    dry-run) dry_run ;;
    verify) verify ;;
    rollback) rollback ;;
esac
