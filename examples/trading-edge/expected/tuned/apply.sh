#!/bin/sh
# Put the tuned profile of policy trading-edge in its place, and activate it (tuned 0.2 of Enterprise Linux 6).
#
#   sh apply.sh             change what differs; it takes effect at once
#   sh apply.sh --dry-run   say what would be changed
#   sh apply.sh --verify    compare the live values with the plan; with --json, print that as JSON
#   sh apply.sh --rollback  activate the profile that was active before, and put back the files
#   ... --all               with --rollback: go back to before the first run
#   ... --dry-run           with --rollback: only say what would be put back
#   ... --state DIR         keep the snapshots in DIR instead of /var/lib/setpoint
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
# SETPOINT_IGNORE names checks of the server to pass over ("product sockets"), SETPOINT_PATIENCE the seconds that tuned-adm
# gets to end after a signal (30), SETPOINT_TUNED_FOLDER the folder in which tuned looks for profiles.

set -u
LC_ALL=C
export LC_ALL
PATH=$PATH:/sbin:/usr/sbin

script=apply.sh prefix=tuned label='' policy='trading-edge' password=''
state=/var/lib/setpoint patience=${SETPOINT_PATIENCE:-30}
boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null) || boot=
profile=setpoint-trading-edge
# A system that is mounted elsewhere can be looked at through SETPOINT_ROOT.
root=${SETPOINT_ROOT:-}
home=$root/etc/tune-profiles
home=${SETPOINT_TUNED_FOLDER:-$home}
hint_at() { :; }

# The files of the profile, and the text of file $1, as they are in the folder setpoint-trading-edge of the bundle, too.
profile_files='tuned.conf ktune.sh ktune.sysconfig sysctl.ktune'
profile_text() {
    case $1 in
        tuned.conf)
            cat <<'END OF PROFILE'
# Policy trading-edge, for tuned 0.2. Copy the folder to /etc/tune-profiles, then: tuned-adm profile setpoint-trading-edge
# The daemon itself is to tune nothing: what the plan has is in ktune.sh and sysctl.ktune.

[main]

[DiskMonitor]
enabled=False

[DiskTuning]
enabled=False

[NetMonitor]
enabled=False

[NetTuning]
enabled=False

[CPUMonitor]
enabled=False

[CPUTuning]
enabled=False
END OF PROFILE
            ;;
        ktune.sh)
            set_ignored <<'END OF PROFILE'
#!/bin/sh
# Policy trading-edge, for tuned 0.2 of Enterprise Linux 6: goal latency, workload comm-bound. The ktune service calls it with start and stop.
#
# On a server that the policy is not for, start does nothing, and ends with 5. SETPOINT_IGNORE names checks of the server to
# pass over ("product sockets"). apply.sh compares the running system with the plan.
#
# What was checked: shellcheck, and a run under dash with stand-ins for the functions of tuned. It has not been run on
# Enterprise Linux 6 itself.

# Checks that apply.sh was told to pass over when it installed the profile.
ignored=''
SETPOINT_IGNORE=${SETPOINT_IGNORE-$ignored}

# A system that is mounted elsewhere can be looked at through SETPOINT_ROOT.
root=${SETPOINT_ROOT:-}

# tuned's functions: those that start and stop call, and `process`, which calls start or stop.
# shellcheck source=/dev/null
. "$root/etc/tune-profiles/functions"

# tuned's daemon for a latency request: it holds one until it ends. It is part of tuned 0.2.22 and later.
pmqos=$root/usr/libexec/tuned/pmqos-static.py

hold_latency() {
    if [ "$1" = none ]; then
        release_latency
    else
        "$pmqos" "cpu_dma_latency=$1"
    fi
}

release_latency() {
    "$pmqos" disable
}

# ------------------------------------------------------------------------------ is this a server that the policy is for?
# must_report WHAT FACT VALUE VERB ACCEPTED...     5.6+ is this version or a later one; without any, nothing can be compared
# SETPOINT_IGNORE names the checks to pass over, such as "product sockets"; SETPOINT_ROOT a system that is mounted elsewhere.

identity() {
    must_report product platform r710 states 'PowerEdge R710'
    must_report sockets sockets 2 states '2'
    must_report system os rhel-6 states 'Linux'
    must_report distribution os rhel-6 states 'Red Hat Enterprise Linux Server release 6' 'CentOS release 6' 'Scientific Linux release 6'
    # nothing to compare: the kernel of os rhel-6
}

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
        case $name in
            product | sockets | system | distribution | kernel) ;;
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

start() {
    is_the_server || return
    # Longest exit latency of an idle state: c1 (tuned-el6, ktune.sh: pmqos-static.py cpu_dma_latency=1)
    hold_latency 1
    # Transparent huge pages: never (tuned-el6, ktune.sh: set_transparent_hugepages never)
    set_transparent_hugepages never
    return 0
}

stop() {
    restore_transparent_hugepages
    release_latency
    return 0
}

process "$@"
END OF PROFILE
            ;;
        ktune.sysconfig)
            cat <<'END OF PROFILE'
# Policy trading-edge: the ktune service reads this as /etc/sysconfig/ktune.
# No SYSCTL_POST: /etc/sysctl.conf would be applied after the profile and could undo it. No ELEVATOR: the I/O scheduler
# is left as it is.

# Have sysctls as before when the profile ends. tuned of 2015 and later does so only on request, older releases always.
KTUNE_REVERT_SYSCTL=1

# Apply sysctl.ktune and ktune.sh, which tuned-adm links into /etc/ktune.d.
USE_KTUNE_D="yes"
END OF PROFILE
            ;;
        sysctl.ktune)
            cat <<'END OF PROFILE'
# Policy trading-edge. ktune calls ktune.sh only where this file is, even if it sets nothing.
END OF PROFILE
            ;;
    esac
}

settings() {
    :
    # Longest exit latency of an idle state: c1 (tuned-el6, ktune.sh: pmqos-static.py cpu_dma_latency=1)
    expect_held force-latency '1'
    # Transparent huge pages: never (tuned-el6, ktune.sh: set_transparent_hugepages never)
    expect transparent-hugepages 'never' "$root"/sys/kernel/mm/redhat_transparent_hugepage/enabled
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
    printf 'process %s, --%s of policy %s, since %s\n' "$$" "$mode" "$policy" "$(date '+%Y-%m-%d %H:%M:%S')" >"$state/$lock_file"
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

# ------------------------------------------------------------------------------------------- files as they were

# A run that changes files saves them first, byte by byte, and --rollback puts them back.
#
#   open_snapshot      save the files before the first change, in the folder $state/$prefix.journal
#   changed_all        the run has made its changes: note what the files are now
#   undo REASON        the run has failed: put back what the snapshot has, and exit with 4; with 6 if that fails
#
# The rest is in rollback.sh. The script has calls.sh, lock.sh, and these functions:
#
#   each_file DO       calls DO own PATH for files that Setpoint alone writes, DO link PATH for such that may be symbolic
#                      links, which are then kept and put back as links, and DO shared PATH for others; DO made PATH for
#                      a shared file that the tool makes if there is none
#   is_ours OLD NEW    whether a shared file NEW is OLD but for what Setpoint changes in it
#   is_made NEW        for DO made: whether the tool can have made file NEW
#   save_more FOLDER   saves what else `put_back_rest` needs in the snapshot
#   put_back_rest FOLDER LEFT
#                      what is to be done when the files of the snapshot are back; it may put_back_files again. LEFT has the files, a line each, that
#                      somebody else has changed since: they are not put back, as that would undo his change too
#
# It may set $put_back_first, a function that is called before the files come back.
#
# A file is exchanged by a rename, so that it is the old one or the new one whenever the run is killed.

put_back_first=:

open_snapshot() {
    snapshot=$state/$prefix.journal
    rm -rf "$snapshot.new"
    saved_files=0
    {
        mkdir "$snapshot.new" &&
            this_run >"$snapshot.new/about" &&
            : >"$snapshot.new/files" && each_file save_file && save_more "$snapshot.new" && sync &&
            mv "$snapshot.new" "$snapshot"
    } 2>/dev/null || {
        rm -rf "$snapshot.new" "$snapshot"
        die "cannot save in $state what is there: $unchanged"
    }
    sync
}

# Whether there is a file $2 of kind $1.
is_there() { [ -e "$2" ] || { [ "$1" = link ] && [ -L "$2" ]; }; }

# Copy file $2 of kind $1 to $3.
copy_file() {
    case $1 in
        link) cp -pP "$2" "$3" ;;
        *) cp -p "$2" "$3" ;;
    esac
}

# Whether file $2 of kind $1 is the same as $3.
is_same_file() {
    if [ "$1" = link ] && { [ -L "$2" ] || [ -L "$3" ]; }; then
        [ "$(readlink "$2")" = "$(readlink "$3")" ]
    else
        cmp -s "$2" "$3"
    fi
}

# Save a file $2 of kind $1, or that it is not there.
save_file() {
    saved_files=$((saved_files + 1))
    if is_there "$1" "$2"; then
        copy_file "$1" "$2" "$snapshot.new/$saved_files" || return 1
        there=present
    else
        there=absent
    fi
    printf '%s %s %s %s\n' "$saved_files" "$1" "$there" "$2" >>"$snapshot.new/files"
}

changed_all() {
    while read -r number kind there path; do
        if [ -e "$path" ]; then
            cksum <"$path" >"$snapshot/$number.after" || return 1
        elif [ "$kind" = made ]; then
            echo absent >"$snapshot/$number.after" || return 1
        fi
    done <"$snapshot/files"
    sync
}

about() { cat "$1/about"; }

# Whether a run has not finished; what is known of it, in $unfinished.
is_unfinished() {
    [ -e "$state/$prefix.journal" ] || return 1
    unfinished=$(awk '
        NR == 1 { policy = $0 }
        $1 == "run" { by = " (" substr($0, 5) ")" }
        END { printf "the run of policy %s%s did not finish", policy, by }' "$state/$prefix.journal/about")
}

# Put file $1 in the place of $2.
exchange() {
    if copy_file "$kind" "$1" "$2.setpoint" 2>/dev/null; then
        if [ ! -L "$2.setpoint" ] && command -v chcon >/dev/null; then
            chcon --reference="$2" "$2.setpoint" 2>/dev/null
        fi
        if mv -f "$2.setpoint" "$2"; then return 0; fi
    fi
    rm -f "$2.setpoint"
    return 1
}

# Whether $path is another file than the run left.
is_changed_since() { [ "$(cksum <"$path")" != "$(cat "$old.after")" ]; }

leave() {
    left="$left$path
"
}

# Remove what the tool made where there was no file: what the run left, or what the tool can have made in a run that did not
# finish. The tool may make it again when it puts back the rest. A file of somebody else stays.
remove_made() {
    if [ -e "$path" ]; then
        if [ ! -e "$old.removed" ] && [ -s "$old.after" ]; then
            ! is_changed_since
        else
            is_made "$path"
        fi || {
            leave
            return 0
        }
        say "removed $path"
    fi
    : >"$old.removed" && rm -f "$path"
}

# Put back one file of snapshot $saved.
put_back_file() {
    old=$saved/$number
    ! is_there "$kind" "$path.setpoint" || rm -f "$path.setpoint" || return 1
    case $kind:$there in
        own:absent | link:absent)
            is_there "$kind" "$path" || return 0
            rm -f "$path" || return 1
            say "removed $path"
            return 0
            ;;
        made:absent)
            remove_made
            return
            ;;
        *:absent) return 0 ;; # whoever has made it since, keeps it
    esac
    case $kind in shared | made) is_shared=yes ;; *) is_shared='' ;; esac
    if [ ! -e "$path" ] && [ -n "$is_shared" ]; then return 0; fi # its kernel is gone, say
    if is_same_file "$kind" "$old" "$path"; then return 0; fi
    if [ -n "$is_shared" ] && ! is_ours "$old" "$path"; then
        if [ ! -e "$old.after" ] || is_changed_since; then
            leave
            return 0
        fi
    fi
    exchange "$old" "$path" || return 1
    say "put back $path"
}

# Put back the files of snapshot $saved.
put_back_files() {
    left='' trouble=''
    while read -r number kind there path <&3; do
        if [ -n "$caught" ] && [ "$phase" != undoing ]; then
            trouble=yes
            break
        fi
        put_back_file || {
            complain "could not put back $path"
            trouble=yes
        }
    done 3<"$saved/files"
    sync
    [ -z "$trouble" ]
}

# Put back snapshot $1.
put_back() {
    saved=$1
    if [ ! -r "$saved/files" ]; then
        complain "cannot read the snapshot $saved"
        return 1
    fi
    "$put_back_first" && put_back_files && put_back_rest "$saved" "$left"
}

# By a rename first, since half a snapshot must not pass for one.
discard() {
    rm -rf "$1.old"
    mv "$1" "$1.old"
    rm -rf "$1.old"
}

undo() {
    if [ -n "$caught" ]; then complain "interrupted by SIG$caught"; else complain "$1"; fi
    phase=undoing
    put_back "$snapshot" || stay_changed "it is NOT known whether all is as it was before this run"
    discard "$snapshot"
    die "all is as it was before this run"
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
# A plan is known by the checksum of its script. $state/$prefix.rolled-back has that of the plan that was taken back last.
# Whoever rolls out to a fleet names the roll-out in SETPOINT_ROLLOUT: then --rollback takes back the runs of that name and
# no others, so that a server on which the roll-out has changed nothing keeps what it has.

plan=${SETPOINT_ROLLOUT:-}
[ -n "$plan" ] || plan=$({ cksum <"$0"; } 2>/dev/null) || plan="of process $$, $(date '+%Y-%m-%d %H:%M:%S')"

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
    complain "$1: see above. Remove the cause, then put the rest back: run this script with --rollback --state $state"
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

# ------------------------------------------------------------------------------------------------- files of /sys

# What a file of the kernel has and what it takes.
#
#   read_live FILE                  its text, in $text; of several words the one in brackets, which is in force; blanks for tabs
#   choose FILE ALTERNATIVES        the first of a|b that the file takes, in $choice; the last if it takes none
#   latency_of ALTERNATIVES         print the exit latency in us that is asked for: a number, or that of an idle state
#
# The script sets $root, a folder in front of all files, or nothing.

read_live() {
    # Not with read: it takes a byte at a time, and a sysctl has only one for it.
    text=$(tr '\t' ' ' 2>/dev/null <"$1") || return 1
    case $text in
        *"["*"]"*)
            text=${text#*"["}
            text=${text%%"]"*}
            ;;
    esac
}

# A governor is offered in a file beside it, a scheduler of disks in the file itself.
choose() {
    offered=$(cat "${1%/*}/scaling_available_governors" 2>/dev/null) || offered=$(tr -d '[]' <"$1" 2>/dev/null)
    for choice in $(printf '%s' "$2" | tr '|' ' '); do
        case " $offered " in *" $choice "*) break ;; esac
    done
}

# As tuned resolves it: the first alternative that this server has.
latency_of() {
    for choice in $(printf '%s' "$1" | tr '|' ' '); do
        latency=$choice
        case $choice in
            cstate.id*:*) latency=$(cat "$root/sys/devices/system/cpu/cpu0/cpuidle/state${choice##*:}/latency" 2>/dev/null) ;;
            cstate.name*:*)
                latency=
                for name_file in "$root"/sys/devices/system/cpu/cpu0/cpuidle/state*/name; do
                    [ "$(cat "$name_file" 2>/dev/null)" = "${choice##*:}" ] || continue
                    latency=$(cat "${name_file%/*}/latency")
                    break
                done
                ;;
        esac
        case $choice:$latency in *_no_zero:*:0) latency= ;; esac
        [ -z "$latency" ] || break
    done
    printf '%s\n' "$latency"
}

# --------------------------------------------------------------------------------------------------- live values

# The settings of a plan, compared with the files in which the running system shows them.
#
#   expect SETTING WANTED FILE...          the text of each file that exists
#   expect_least SETTING WANTED FILE...    with `>` in front of WANTED, a number that may be higher
#   expect_offered SETTING WANTED FILE...  of alternatives, a|b, the first that the system offers
#   expect_bias SETTING WANTED FILE...     the processor's energy/performance bias, a name where the kernel has a number
#   expect_latency SETTING WANTED FILE     the exit latency that is asked for in /dev/cpu_dma_latency
#   expect_resume SETTING WANTED FILE...   the same in a file of each CPU
#
# They count in $differing and $unreadable. The script has calls.sh, report.sh and sysfs.sh, and sets $mode, $json and $root, a
# folder in front of all files; $unread_reason, why nothing can be compared at all; $not_in_force, why values are not the plan's although
# they are right; and $unknown, why that cannot be told.

# A setting $1 is $3, for reason $5, where it is to be $2; its state is $4.
result() {
    state_of=$4 why=$5
    if [ -n "$unknown" ] && [ "$state_of" = ok ]; then state_of=unreadable why=$unknown; fi
    if [ -n "$not_in_force" ] && [ "$state_of" = ok ]; then state_of=differs why="it is so by chance: $not_in_force"; fi
    if [ -n "$not_in_force" ] && [ "$4" = differs ]; then why=$not_in_force${5:+; $5}; fi
    case $state_of in
        differs) differing=$((differing + 1)) ;;
        unreadable) unreadable=$((unreadable + 1)) ;;
    esac
    if [ -n "$json" ]; then
        report "$1" os "$state_of" "$2" "$3" '' "$why"
    elif [ "$mode" != apply ] || [ "$state_of" = differs ] || [ "$state_of" = unreadable ]; then
        say "$(printf '%-14s %s: %s, wanted %s%s' "$state_of" "$1" "${3:-nothing found}" "$2" "${why:+ ($why)}")"
    fi
}

# Compare setting $1, wanted $2, in the files from $3 on, by function $fits: FILE WANTED, with the live value in $text.
each_live() {
    setting=$1 wanted=$2 found='' unfit='' hidden='' why=''
    shift 2
    if [ -n "$unread_reason" ]; then
        report "$setting" os unreadable "$wanted" '' '' "$unread_reason"
        return
    fi
    for file in "$@"; do
        [ -e "$file" ] || continue
        if ! read_live "$file"; then
            hidden=$file
            continue
        fi
        case ", $found, " in *", $text, "*) ;; *) found="${found:+$found, }$text" ;; esac
        "$fits" "$file" "$wanted" || unfit=${unfit:-${file#"$root"} is $text}
    done
    if [ -n "$hidden" ]; then
        result "$setting" "$wanted" "$found" unreadable "cannot read ${hidden#"$root"}"
    elif [ -z "$found" ]; then
        result "$setting" "$wanted" '' not-applicable "this server has no ${1#"$root"}"
    elif [ -n "$unfit" ]; then
        result "$setting" "$wanted" "$found" differs "$unfit"
    else
        result "$setting" "$wanted" "$found" ok ''
    fi
}

is_same() { [ "$text" = "$2" ]; }
is_least() { case $2 in ">"*) [ "$text" -ge "${2#>}" ] ;; *) [ "$text" = "$2" ] ;; esac; }

is_offered() {
    choose "$1" "$2"
    [ "$text" = "$choice" ]
}

# The kernel has the bias as a number: Documentation/admin-guide/pm/intel_epb.rst.
is_bias() {
    for bias in $(printf '%s' "$2" | tr '|' ' '); do
        case $bias:$text in
            performance:0 | balance-performance:4 | normal:6 | balance-power:8 | power:15 | powersave:15 | "$text":*) return 0 ;;
        esac
    done
    return 1
}

expect() { fits=is_same && each_live "$@"; }
expect_least() { fits=is_least && each_live "$@"; }
expect_offered() { fits=is_offered && each_live "$@"; }
expect_bias() { fits=is_bias && each_live "$@"; }

# The least latency that any process asks for is in force: the kernel shows it as 32 bits. Nobody asks: 2000 s.
expect_latency() {
    if [ -n "$unread_reason" ]; then
        report "$1" os unreadable "$2" '' '' "$unread_reason"
        return
    fi
    asked=$(latency_of "$2")
    if [ -z "$asked" ]; then
        result "$1" "$2" '' not-applicable "this server has no such idle state"
        return
    fi
    case $asked in none) asked=2000000000 ;; esac
    text=$(od -An -td4 -N4 "$3" 2>/dev/null | tr -d ' \n')
    if [ -z "$text" ]; then
        result "$1" "$2" '' unreadable "cannot read ${3#"$root"} (root can)"
    elif [ "$text" = "$asked" ]; then
        result "$1" "$2" "$text us" ok ''
    elif [ "$text" -lt "$asked" ]; then
        result "$1" "$2" "$text us" differs "some process asks for $text us, where $asked are planned"
    else
        result "$1" "$2" "$text us" differs "nobody asks for $asked us"
    fi
}

# A limit of each CPU: 0 is none.
expect_resume() {
    setting=$1 asked=$(latency_of "$2")
    shift 2
    if [ -z "$asked" ] && [ -z "$unread_reason" ]; then
        result "$setting" '' '' not-applicable "this server has no such idle state"
        return
    fi
    expect "$setting" "$asked" "$@"
}

# ------------------------------------------------------------------------------------------ the active profile

# tuned 0.2 links the files of a profile, and renames what was there, in `tuned-adm profile` (tuned_adm.py, Tuned_adm.profile).
# The ktune service applies the links, and reverts them; the tuned service is a daemon that our profile keeps idle.

# ------------------------------------------------------------------------------------------- services of System V init

# The state of a service, as chkconfig and service of Enterprise Linux 5 and 6 know it, and its way back.
#
#   look_at_service NAME       the runlevels in which it is on, in $levels, and whether it runs, in $running (yes, no); if
#                              that cannot be told, why not, in $answer (1)
#   order_service NAME ORDER   have it start or stop; 1 if it did not, with the reason in $answer
#   save_service NAME          print a line: its name and state
#   put_back_service NAME LEVELS RUNNING
#                              set what differs from that state; 1 if it cannot be, after a complaint
#   call_apart PROGRAM ARG...  as `call`, for a program that may start daemons
#
# $levels is `345` (say), `none`, `unlisted` if chkconfig does not know the service (chkconfig --add), or `missing` if it is not
# installed. The script has calls.sh, and an environment with LC_ALL=C: chkconfig's words are translated.

look_at_service() {
    levels='' running=no
    listed=$(chkconfig --list "$1" 2>&1)
    case $listed in
        *'No such file or directory'*)
            levels=missing
            return 0
            ;;
        *'not referenced in any runlevel'*) levels=unlisted ;;
        *6:o*)
            for word in $listed; do
                case $word in [0-6]:on) levels=$levels${word%:on} ;; esac
            done
            levels=${levels:-none}
            ;;
        *)
            answer="chkconfig says: $listed"
            return 1
            ;;
    esac
    service "$1" status >/dev/null 2>&1
    case $? in
        0) running=yes ;;
        4 | 126 | 127)
            answer="service $1 status fails"
            return 1
            ;;
    esac
}

# A daemon gets no lock, which it would hold until it ends, and what it writes is not for root alone. The shell between has it while the program runs.
call_apart() {
    # shellcheck disable=SC2016
    call sh -c '
        umask 022
        "$@" 9>&- &
        program=$!
        trap "kill $program" TERM
        while :; do
            wait "$program"
            ended=$?
            kill -0 "$program" 2>/dev/null || exit "$ended"
        done' sh "$@"
}

# The exit status of a service says little: ktune fails where one value of many could not be set. What counts is its state.
order_service() {
    call_apart service "$1" "$2"
    said=$answer
    look_at_service "$1" || return 1
    case $2:$running in
        start:yes | stop:no) return 0 ;;
    esac
    answer="service $1 $2 had no effect${said:+: $said}"
    return 1
}

save_service() { look_at_service "$1" && printf '%s %s %s\n' "$1" "$levels" "$running"; }

# Have service $1, which is on in $levels, on in the runlevels $2 only.
set_levels() {
    case $levels:$2 in
        *:missing) return 0 ;;
        *:unlisted)
            call chkconfig --del "$1"
            return
            ;;
        unlisted:*) call chkconfig --add "$1" && look_at_service "$1" || return 1 ;;
    esac
    on='' off=''
    for level in 0 1 2 3 4 5 6; do
        case $2:$levels in
            *"$level"*:*"$level"*) ;;
            *"$level"*:*) on=$on$level ;;
            *:*"$level"*) off=$off$level ;;
        esac
    done
    if [ -n "$on" ]; then call chkconfig --level "$on" "$1" on || return 1; fi
    [ -z "$off" ] || call chkconfig --level "$off" "$1" off
}

put_back_service() {
    if ! look_at_service "$1"; then
        complain "$answer"
        return 1
    fi
    [ "$levels" != "$2" ] || [ "$running" != "$3" ] || return 0
    # A service that was removed since stays removed.
    [ "$levels" != missing ] || return 0
    [ "$levels" = "$2" ] || set_levels "$1" "$2" || {
        complain "chkconfig failed for $1: $answer"
        return 1
    }
    case $running:$3 in
        yes:no) needed=stop ;;
        no:yes) needed=start ;;
        *) needed= ;;
    esac
    [ -z "$needed" ] || order_service "$1" "$needed" || {
        complain "$answer"
        return 1
    }
    case $3 in
        yes) say "service $1: runs again" ;;
        *) say "service $1: is stopped again" ;;
    esac
}

# tuned-adm itself switches the services on.
service_orders=

# The checks of the server that this run passes over, ktune.sh passes over at each start: the ktune service has an
# environment of its own.
set_ignored() {
    # They are words of letters: see is_the_server.
    # shellcheck disable=SC2086
    set -- ${SETPOINT_IGNORE-}
    sed "s/^ignored=.*/ignored='$*'/"
}

# What the link $1 of tuned-adm leads to, in the folder of the profile.
links="etc/tuned.conf:tuned.conf
etc/sysconfig/ktune:ktune.sysconfig
etc/ktune.d/tunedadm.conf:sysctl.ktune
etc/ktune.d/tunedadm.sh:ktune.sh"

# The profile that is active, in $active; nothing if there is none. Why it is not the plan's, in $not_in_force; that it cannot
# be told, in $unknown. The lock of the ktune service is looked at, since only root may ask for its status.
find_active() {
    not_in_force='' unknown='' active=''
    command -v tuned-adm >/dev/null || {
        not_in_force="tuned is not installed"
        return
    }
    adm_says=$(tuned-adm active 2>&1)
    case $adm_says in
        *'Current active profile: '*)
            active=$(printf '%s\n' "$adm_says" | sed -n 's/^Current active profile: //p')
            case $active in
                "$profile") find_in_force ;;
                off | '') active='' not_in_force="tuned has no active profile" ;;
                *) not_in_force="tuned's active profile is $active" ;;
            esac
            ;;
        *) unknown="tuned-adm does not tell which profile is active: $adm_says" not_in_force=$unknown ;;
    esac
}

# Why the profile is not in force, though it is active.
find_in_force() {
    for link in $links; do
        [ "$(readlink "$root/${link%%:*}")" = "$home/$profile/${link#*:}" ] || {
            not_in_force="/${link%%:*} is not the profile's"
            return
        }
    done
    case $adm_says in
        *'Service ktune: enabled'*) ;;
        *) not_in_force="the ktune service does not start with the server" ;;
    esac
    [ -e "$root/var/lock/subsys/ktune" ] || not_in_force="the ktune service has not been started"
}

# A daemon of tuned's (pmqos-static.py) holds the latency request: its number is in a file, its request in its arguments.
find_latency() {
    found=none holder=''
    { read -r holder <"$root/var/run/tuned/pmqos-static.pid"; } 2>/dev/null || :
    if [ -n "$holder" ] && [ -r "$root/proc/$holder/cmdline" ]; then
        found=$(tr '\0' '\n' <"$root/proc/$holder/cmdline" | sed -n 's/^cpu_dma_latency=//p')
        found=${found:-none}
    fi
}

expect_held() {
    if [ -n "$unread_reason" ]; then
        report "$1" os unreadable "$2" '' '' "$unread_reason"
        return
    fi
    find_latency
    # It writes its number only after it has become a daemon.
    if [ "$found" != "$2" ] && [ "$phase" = finished ]; then
        sleep 1
        find_latency
    fi
    if [ "$found" = "$2" ]; then
        result "$1" "$2" "$found" ok ''
    elif [ "$2" != none ] && [ ! -x "$root/usr/libexec/tuned/pmqos-static.py" ]; then
        result "$1" "$2" "$found" differs "this tuned has no pmqos-static.py; 0.2.22 and later have"
    else
        result "$1" "$2" "$found" differs "pmqos-static.py holds cpu_dma_latency $found"
    fi
}

# What the services start with and apply, before the files change: ktune reverts with what the profile of now has.
stop_services() {
    for service in ktune tuned; do
        look_at_service "$service" || return 1
        [ "$running" = no ] || order_service "$service" stop || return 1
    done
}

# The profile, the files that tuned-adm writes or renames, and its links.
each_file() {
    for name in $profile_files; do "$1" own "$home/$profile/$name" || return 1; done
    "$1" own "$root/etc/tune-profiles/active-profile" || return 1
    for name in tuned.conf tuned.conf.bckp sysconfig/ktune sysconfig/ktune.bckp ktune.d/tunedadm.conf ktune.d/tunedadm.sh; do
        "$1" link "$root/etc/$name" || return 1
    done
}

save_more() { { save_service ktune && save_service tuned; } >"$1/services"; }

is_ours() { return 1; }

put_back_first=stop_before
stop_before() {
    stop_services || {
        complain "$answer"
        return 1
    }
}

put_back_rest() {
    while read -r service_name service_levels service_running <&4; do
        put_back_service "$service_name" "$service_levels" "$service_running" || return 1
    done 4<"$1/services"
    rmdir "$home/$profile" 2>/dev/null || :
    find_active
    say "active again: ${active:-no profile}"
}
compare_all() {
    differing=0 unreadable=0
    find_active
    settings
}

verify() {
    command -v tuned-adm >/dev/null || {
        report_unreadable "tuned is not installed"
        die "tuned is not installed"
    }
    compare_all
    if [ -n "$json" ]; then
        print_report "$policy" || exit
        report_status
        exit
    fi
    [ -z "$not_in_force" ] || complain "$not_in_force, wanted $profile"
    if [ "$differing" -gt 0 ]; then exit 3; fi
    [ "$unreadable" -eq 0 ] || exit 4
    [ -z "$not_in_force" ] || exit 3
    exit 0
}

# Where nothing can be compared, for reason $1: every setting is unreadable.
report_unreadable() {
    [ -n "$json" ] || return 0
    unread_reason=$1
    settings
    print_report "$policy"
}

# -------------------------------------------------------------------------------------------------- the change

is_put() {
    for name in $profile_files; do
        profile_text "$name" 2>/dev/null | cmp -s - "$home/$profile/$name" || return 1
        case $name in *.sh) [ -x "$home/$profile/$name" ] || return 1 ;; esac
    done
}

put_profile() {
    # The lock has set a umask for the folder of snapshots.
    (umask 022 && mkdir -p "$home/$profile") || return 1
    for name in $profile_files; do
        case $name in
            *.sh) mode_of_file=755 ;;
            *) mode_of_file=644 ;;
        esac
        profile_text "$name" >"$home/$profile/$name.setpoint" && chmod "$mode_of_file" "$home/$profile/$name.setpoint" &&
            mv -f "$home/$profile/$name.setpoint" "$home/$profile/$name" || return 1
    done
}

apply() {
    command -v tuned-adm >/dev/null || die "tuned is not installed"
    if [ "$mode" = apply ]; then
        lock_for_change
        recover
    elif would_recover; then
        return
    fi
    put=
    is_put || put=yes
    compare_all
    if [ -z "$put$not_in_force$service_orders" ] && [ "$differing" -eq 0 ]; then
        say "nothing to change"
        return
    fi
    if [ "$mode" = dry-run ]; then
        [ -z "$put" ] || say "would write the profile $home/$profile"
        [ -z "$not_in_force" ] || say "not in force: $not_in_force"
        for order in $service_orders; do say "would run: systemctl $order tuned"; done
        say "would run: tuned-adm profile $profile"
        return
    fi
    # Where only live values have drifted, the files and the profile stay, and there is nothing to go back to.
    drifted=
    [ -n "$put$not_in_force$service_orders" ] || drifted=yes
    open_snapshot
    [ -z "$caught" ] || undo
    phase=setting
    stop_services || undo "$answer"
    put_profile || undo "cannot write the profile $home/$profile"
    call_apart tuned-adm profile "$profile" || undo "tuned-adm failed: $answer"
    find_active
    [ -z "$not_in_force" ] || undo "tuned-adm reported success, but $not_in_force"
    changed_all || undo "cannot write to $state"
    [ -z "$caught" ] || undo
    if [ -n "$drifted" ]; then
        discard "$snapshot"
        say "activated again: $profile"
    else
        close_saved || undo "cannot keep the snapshot in $state"
        say "changed. To take it back: run this script with --rollback --state $state"
    fi
    phase=finished
    compare_all
    if [ "$unreadable" -gt 0 ]; then
        complain "what was set stays set; settings that cannot be read again to compare them: $unreadable"
        exit 6
    fi
    [ "$differing" -eq 0 ] || exit 3
}

usage() {
    complain "usage: sh apply.sh [--dry-run | --verify [--json] | --rollback [--all] [--dry-run]] [--state DIR]"
    exit 2
}

# ------------------------------------------------------------------------------ is this a server that the policy is for?
# must_report WHAT FACT VALUE VERB ACCEPTED...     5.6+ is this version or a later one; without any, nothing can be compared
# SETPOINT_IGNORE names the checks to pass over, such as "product sockets"; SETPOINT_ROOT a system that is mounted elsewhere.

identity() {
    must_report product platform r710 states 'PowerEdge R710'
    must_report sockets sockets 2 states '2'
    must_report system os rhel-6 states 'Linux'
    must_report distribution os rhel-6 states 'Red Hat Enterprise Linux Server release 6' 'CentOS release 6' 'Scientific Linux release 6'
    # nothing to compare: the kernel of os rhel-6
}

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
        case $name in
            product | sockets | system | distribution | kernel) ;;
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

json='' unread_reason=''
while [ $# -gt 0 ]; do
    case $1 in
        --dry-run | --verify | --rollback | --all) set_mode "$1" ;;
        --json) json=yes ;;
        --state)
            [ -n "${2-}" ] || usage
            state=$2
            shift
            ;;
        *) usage ;;
    esac
    shift
done
[ -z "$json" ] || [ "$mode" = verify ] || usage
case $state in /*) ;; *) state=$PWD/$state ;; esac
case $patience in *[!0-9]*) usage ;; esac
if [ "$mode" != rollback ]; then
    is_the_server || {
        status=$?
        [ "$status" -ne 5 ] || report_unreadable "$unlike_because"
        exit "$status"
    }
fi
case $mode in
    verify) verify ;;
    dry-run) apply ;;
    apply)
        catch_signals
        apply
        ;;
    rollback)
        catch_signals
        rollback
        say "done"
        ;;
esac
