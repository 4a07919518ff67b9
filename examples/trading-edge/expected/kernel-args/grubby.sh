#!/bin/sh
# Set the kernel arguments of policy trading-edge for every kernel that the boot loader knows, with grubby.
#
#   sh grubby.sh             change what differs; the next start has it, and is left to you
#   sh grubby.sh --dry-run   say what would be changed
#   sh grubby.sh --verify    compare the running kernel with the plan; with --json, print that as JSON
#   sh grubby.sh --next      compare what the next start will have; of grub.cfg, where there is no grubby
#   sh grubby.sh --rollback  put back what was there before the last plan that changed something
#   ... --all                with --rollback: go back to before the first run
#   ... --dry-run            with --rollback: only say what would be put back
#   ... --state DIR          keep the snapshots in DIR instead of /var/lib/setpoint
#
# Exit status:
#   0  as planned or done
#   2  wrong usage
#   3  --verify or --next found a difference
#   4  something failed or cannot be read, or a signal came: nothing was changed, or all of it was put back
#   5  this is not a server that the policy is for: nothing was changed
#   6  something failed, or a signal came, and something is changed or may be
#   7  another run is at work: nothing was changed
#
# SETPOINT_IGNORE names checks of the server to pass over ("product sockets"), SETPOINT_GRUB_CFG a grub.cfg to look into in
# any case, SETPOINT_PATIENCE the seconds that grubby gets to end after a signal (30).
#
# Where grub2-mkconfig is run by hand (Enterprise Linux 7), the same words belong in GRUB_CMDLINE_LINUX of
# /etc/default/grub: it makes the kernels' lines anew from there.
#
# What is to be there (+) and gone (-), and why:
#   + processor.max_cstate=1: Deepest C-state of acpi_idle: c1; with intel_idle out of the way acpi_idle takes over, and the solution limits it as well (redhat-202743, Resolution: kernel 2.6.32-431.el6)
#   - idle=poll: Polling idle loop: off (vendor default [linux-cpuidle, Idle States Control Via Kernel Command Line])
#   + intel_idle.max_cstate=0: intel_idle driver: off; with deep C-states off in the BIOS, this argument and processor.max_cstate=1 cured the hangs most widely (redhat-60365, Resolution)

set -fu
PATH=$PATH:/sbin:/usr/sbin

wanted='processor.max_cstate=1 intel_idle.max_cstate=0'
gone='idle=poll'

# Each argument with the setting that it is of.
arguments() {
    :
    must_have acpi-idle-limit processor.max_cstate=1
    must_lack idle-poll idle=poll
    must_have intel-idle intel_idle.max_cstate=0
}

# A system that is mounted elsewhere can be looked at through SETPOINT_ROOT.
root=${SETPOINT_ROOT:-} of_menu=''
# Entries of a grub.cfg that are not this system's, by a pattern for the first line of each.
other_entries=osprober

# The word of the command line $2 that counts for the argument named $1: the last.
counts() {
    last=
    for word in $2; do
        case $word in "$1" | "$1"=*) last=$word ;; esac
    done
    printf '%s\n' "$last"
}

# How the command line $1 differs from the plan, one line a difference.
differences() {
    for argument in $wanted; do
        found=$(counts "${argument%%=*}" "$1")
        [ "$found" = "$argument" ] || say "$argument is to be there, found: ${found:-nothing}"
    done
    for argument in $gone; do leftover "$argument" "$1"; done
}

# What the command line $2 has of $1, which is to be gone.
leftover() {
    found=$(counts "${1%%=*}" "$2")
    case $found in "$1" | "$1"=*) say "$1 is to be gone, found: $found" ;; esac
}

# Whether the kernel shows for setting $1 the text $4 in the file $2; $3 is `is` or `is-not`.
shows() {
    [ "${only:-$1}" = "$1" ] || return 0
    shift
    if ! { read -r text <"$root$1"; } 2>/dev/null; then
        say "this kernel does not show $1 (to this user)" >&2
        return
    fi
    case $2 in
        is) [ "$text" = "$3" ] || say "$1 is to be $3, found: $text" ;;
        is-not) [ "$text" != "$3" ] || say "$1 is not to be $3" ;;
    esac
}

effects() {
    :
    shows acpi-idle-limit /sys/module/processor/parameters/max_cstate is 1
    shows intel-idle /sys/module/intel_idle/parameters/max_cstate is 0
    shows intel-idle /sys/devices/system/cpu/cpuidle/current_driver is-not intel_idle
}

# What the boot loader's variables hold, a `name=value` each: of its environment, then of grub.cfg, which comes later. Where
# there is no environment, grub-editenv would make one to list it.
variables() {
    for environment in "$root/boot/grub/grubenv" "$root/boot/grub2/grubenv"; do
        [ ! -r "$environment" ] || sed -n '/^[A-Za-z_][A-Za-z0-9_]*=/p' "$environment"
    done
    [ -z "$config" ] || sed -n 's/^[[:space:]]*set[[:space:]]\{1,\}\([A-Za-z_][A-Za-z0-9_]*=\)/\1/p' "$config"
}

# The command lines $1 as the kernels will get them: a word that is a variable of the boot loader is what that holds.
expanded() {
    {
        variables
        printf '%s\n' -- "$1"
    } | awk '
        !held_all && $0 == "--" { held_all = 1; next }
        !held_all {
            name = value = $0
            sub(/=.*/, "", name)
            sub(/[^=]*=/, "", value)
            gsub(/^["\047]|["\047]$/, "", value)
            held[name] = value
            next
        }
        {
            line = ""
            for (i = 1; i <= NF; i++) {
                word = $i
                if (word ~ /^[$][{]?[A-Za-z_][A-Za-z0-9_]*[}]?$/) {
                    gsub(/[${}]/, "", word)
                    word = held[word]
                }
                line = line (i > 1 ? " " : "") word
            }
            print line
        }'
}

# The command lines that the boot loader has for this system's kernels, one a line; other systems have theirs. With
# $of_menu they are those of grub.cfg, even where there is grubby.
entries() {
    if [ -z "${SETPOINT_GRUB_CFG:-}$of_menu" ] && command -v grubby >/dev/null; then
        info=$(grubby --info=ALL) || return
        printf '%s\n' "$info" | sed -n 's/^args="\(.*\)"$/\1/p'
    elif [ -n "$config" ]; then
        awk -v others="$other_entries" '
            $1 == "menuentry" { other = $0 ~ others }
            !other && $1 ~ /^linux(16|efi)?$/ && / root=/ {
                $1 = $2 = ""
                print
            }' "$config"
    fi
}

# Find the boot loader's configuration, and read what the next start will have: `next_lines`, with variables expanded.
find_entries() {
    config=
    for file in "${SETPOINT_GRUB_CFG:-}" "$root/boot/grub/grub.cfg" "$root/boot/grub2/grub.cfg"; do
        if [ -r "$file" ]; then
            config=$file
            break
        fi
    done
    raw=$(entries) || return 1
    next_lines=$(expanded "$raw")
}

read_entries() {
    find_entries || {
        say "grubby --info=ALL failed${unchanged:+: $unchanged}" >&2
        exit 4
    }
}

# How the next start differs from the plan, one line a difference.
pending() {
    printf '%s\n' "$next_lines" | while IFS= read -r line; do differences "$line"; done | sort -u
}

verify_next() {
    read_entries
    if [ -z "$raw" ]; then
        say "no entry of a kernel of this system was found with grubby or in ${config:-a grub.cfg}" >&2
        exit 4
    fi
    found=$(pending)
    if [ -n "$found" ]; then
        printf '%s\n' "$found"
        say "the next start differs from the plan: the last word of a name counts, whichever file or variable it is from"
        exit 3
    fi
    say "the next start is as planned"
}

verify() {
    line=$(cat "$root/proc/cmdline") || exit 4
    found=$(
        differences "$line"
        effects
    )
    if [ -n "$found" ]; then
        printf '%s\n' "$found"
        say "the running kernel differs from the plan; what has been changed since it started counts from the next start on"
        exit 3
    fi
    say "the running kernel is as planned"
}

# ------------------------------------------------------------------------------------------------ as JSON

# The word that counts on the command line $1 for the argument named $name.
word_on() {
    word=$(counts "$name" "$1")
    printf '%s\n' "${word:-absent}"
}

# Whether the word $1 is as the plan has the argument.
complies() {
    case $rule in
        have) [ "$1" = "$argument" ] ;;
        lack) case $1 in "$argument" | "$argument"=*) return 1 ;; esac ;;
    esac
}

# What the next start will have of it: the first word that is not as planned; without one, the last.
next_word() {
    printf '%s\n' "$next_lines" | {
        while IFS= read -r next_line; do
            word=$(word_on "$next_line")
            complies "$word" || break
        done
        printf '%s\n' "$word"
    }
}

must_have() { compare_argument have "$1" "$2" "$2"; }
must_lack() { compare_argument lack "$1" "$2" absent; }

compare_argument() {
    rule=$1 setting=$2 argument=$3 name=${3%%=*} goal=$4
    if [ -n "$unreadable" ]; then
        report "$setting" boot unreadable "$goal" '' '' "$unreadable"
        return
    fi
    running=$(word_on "$line")
    unseen=$(only=$setting effects 2>&1 >/dev/null | tr '\n' ';')
    effect=$(only=$setting effects 2>/dev/null | tr '\n' ';')
    [ "$rule" = have ] || ! complies "$running" || goal=$running
    next='' reason=$unseen
    if [ -n "$next_lines" ]; then next=$(next_word); else reason="$reason${reason:+ }$next_unknown"; fi
    if [ -n "$next" ] && ! complies "$next"; then
        [ "$next" != "$running" ] || next=''
        report "$setting" boot differs "$goal" "$running" "$next" "the next start does not have it: some file or variable overrides it, or nothing sets it${effect:+; $effect}"
    elif ! complies "$running"; then
        if [ -n "$next" ]; then
            report "$setting" boot pending "$goal" "$running" "$next" "in force from the next start on"
        else
            report "$setting" boot differs "$goal" "$running" '' "$reason"
        fi
    elif [ -n "$effect" ]; then
        report "$setting" boot differs "$goal" "$running" '' "it is on the command line, and has no effect: $effect"
    else
        report "$setting" boot ok "$goal" "$running" '' "$reason"
    fi
}

verify_json() {
    label='' unreadable='' next_unknown=''
    line=$(cat "$root/proc/cmdline" 2>/dev/null) || unreadable="cannot read $root/proc/cmdline"
    find_entries 2>/dev/null || next_lines=''
    [ -n "$next_lines" ] || next_unknown="no entry of a kernel of this system was found, so what the next start has is not known"
    arguments
    print_report "$policy" || exit
    report_status
    exit
}

# Where nothing can be compared, for reason $1: every argument is unreadable.
report_unreadable() {
    [ -n "$json" ] || return 0
    unreadable=$1
    arguments
    print_report "$policy"
}

compare_running() { if [ -n "$json" ]; then verify_json; else verify; fi; }

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

# ----------------------------------------------------------------------------------------------- before a change

script=grubby.sh prefix=kernel-args label='kernel-args: ' policy='trading-edge' password=''
state=/var/lib/setpoint patience=${SETPOINT_PATIENCE:-30}
boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null) || boot=
hint_at() { :; }

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

names='processor.max_cstate
idle
intel_idle.max_cstate'

# Whether file $2 is file $1 but for the arguments of the run whose snapshot it is. The environment of GRUB is filled up
# with #.
is_ours() { [ "$(others "$1")" = "$(others "$2")" ]; }
others() {
    awk -v names=" $(tr '\n' ' ' <"$saved/names")" '{
        sub(/#+$/, "")
        line = ""
        count = split($0, words, /[ \t"\047]+/)
        for (i = 1; i <= count; i++) {
            name = words[i]
            sub(/=.*/, "", name)
            if (words[i] != "" && !index(names, " " name " ")) line = line " " words[i]
        }
        print line
    }' "$1"
}

# Linux does not start with a line that is too long; what the boot loader puts before the arguments is not counted here.
check_length() {
    printf '%s\n' "$1" | while IFS= read -r each; do
        [ "$(printf '%s %s' "$each" "$wanted" | wc -c)" -le 2047 ] || die "too long for 2047 bytes with the plan's words: $each"
    done || exit 4
}

# ------------------------------------------------------------------------------------------------ the modes
usage() {
    complain "usage: sh grubby.sh [--dry-run | --verify [--json] | --next | --rollback [--all] [--dry-run]] [--state DIR]"
    exit 2
}

json='' dry=''
read_options() {
    while [ $# -gt 0 ]; do
        case $1 in
            --dry-run | --verify | --next | --rollback | --all) set_mode "$1" ;;
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
}

run_mode() {
    read_options "$@"
    if [ "$mode" != rollback ]; then
        is_the_server || {
            status=$?
            [ "$status" -ne 5 ] || report_unreadable "$unlike_because"
            exit "$status"
        }
    fi
    case $mode in
        verify) compare_running ;;
        next) verify_next ;;
        dry-run)
            dry=yes
            apply
            ;;
        apply)
            catch_signals
            apply
            ;;
        rollback)
            catch_signals
            rollback
            say "done; in force from the next start on"
            ;;
    esac
}

# ------------------------------------------------------------------------------------------------ the change

# Where releases keep the kernels' command lines: the entries of the boot loader specification, the environment and the
# menus of GRUB, and what new kernels get theirs from.
each_file() {
    set +f
    set -- "$1" "$root"/boot/loader/entries/*.conf "$root"/boot/grub2/grubenv "$root"/boot/grub2/grub.cfg "$root"/boot/efi/EFI/*/grubenv "$root"/boot/efi/EFI/*/grub.cfg "$root"/boot/efi/EFI/*/grub.conf "$root"/boot/grub/grub.conf "$root"/boot/grub/menu.lst "$root"/boot/extlinux/extlinux.conf "$root"/etc/default/grub
    set -f
    with=$1 seen=' '
    shift
    for path in "$@"; do
        [ -f "$path" ] || continue
        path=$(readlink -f "$path")
        case $seen in *" $path "*) continue ;; esac
        seen="$seen$path "
        "$with" shared "$path" || return 1
    done
    path=$root/etc/kernel/cmdline
    [ ! -L "$path" ] || path=$(readlink -f "$path")
    "$with" made "$path" || return 1
}

# The kernels with their arguments, a line each.
kernels() { grubby --info=ALL | sed -n -e 's/^kernel="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' -e 's/^args="\(.*\)"$/ \1/p' | awk '
    /^ / { print kernel $0; next }
    { kernel = $0 }'; }

# Whether grubby can have made file $1: but for the arguments of the run, it has those of a kernel, from before the run or now,
# and root=, which --info shows apart. It is empty while grubby writes it.
is_made() {
    { cat "$saved/kernels" && kernels; } | awk -v names=" $(tr '\n' ' ' <"$saved/names")root " -v file="$1" '
        function others(line, from) {
            kept = ""
            count = split(line, words)
            for (i = from; i <= count; i++) {
                name = words[i]
                sub(/=.*/, "", name)
                if (!index(names, " " name " ")) kept = kept " " words[i]
            }
            return kept
        }
        BEGIN {
            while ((getline line <file) > 0) text = text " " line
            made = others(text, 1)
            found = made == ""
        }
        others($0, 2) == made { found = 1 }
        END { exit !found }'
}

save_more() {
    printf '%s\n' "$names" >"$1/names" && kernels >"$1/kernels"
}

# Give $kernel, which has the arguments $line, those that it had in snapshot $1. One that was installed since gets those of
# another, as it has got them when it was installed.
put_back_kernel() {
    before=$(awk -v kernel="$kernel" '$1 == kernel { print; exit }' "$1/kernels")
    [ -n "$before" ] || before=$(sed -n 1p "$1/kernels")
    put_back_words "$1" "$kernel" "$before" "$line"
}

# Give kernel $2, or ALL, the words of the line $3 in place of those of $4, by the names of snapshot $1.
put_back_words() {
    of=$2 add='' remove=''
    while read -r name; do
        old=$(counts "$name" "$3")
        new=$(counts "$name" "$4")
        if [ "$old" = "$new" ]; then continue; fi
        if [ -n "$old" ]; then add="$add $old"; else remove="$remove $new"; fi
    done <"$1/names"
    if [ -z "$add$remove" ]; then return 0; fi
    set -- --update-kernel="$of"
    [ -z "$add" ] || set -- "$@" "--args=${add# }"
    [ -z "$remove" ] || set -- "$@" "--remove-args=${remove# }"
    if ! call grubby "$@"; then
        complain "grubby failed for $of: $answer"
        return 1
    fi
    say "put back the arguments of $of"
}

# The words of file $1, on one line.
words_of() { [ ! -e "$1" ] || sed '/^[[:space:]]*#/d' "$1" | tr '"\047\n\t' '    '; }

# What kernels that are installed later get their arguments from follows a change of all kernels alone. The other files are
# put back again after it. Where two had different words, both get those of the first.
put_back_for_new() {
    again=''
    while read -r number kind there path <&5; do
        case $2 in *"$path
"*) ;; *) continue ;; esac
        case $path in
            */etc/default/grub) ;;
            */etc/kernel/cmdline) ;;
            *) continue ;;
        esac
        put_back_words "$1" ALL "$(words_of "$1/$number")" "$(words_of "$path")" || return 1
        [ -z "$add$remove" ] || again=yes
    done 5<<FILES
$(sort -rn "$1/files")
FILES
    [ -z "$again" ] || put_back_files
}

# Files that somebody else has changed since keep his changes: of these, grubby changes the arguments alone.
put_back_rest() {
    [ -z "$2" ] || printf '%s' "$2" | while IFS= read -r path; do
        say "somebody else has changed $path since: only the arguments are put back"
    done
    put_back_for_new "$1" "$2" || return 1
    now=$(kernels) || {
        complain "grubby --info=ALL failed"
        return 1
    }
    [ -n "$now" ] || return 0
    rest=
    while read -r kernel line <&4; do put_back_kernel "$1" || rest=yes; done 4<<KERNELS
$now
KERNELS
    [ -z "$rest" ]
}

# Of what is to be gone, what is there: the grubby of Enterprise Linux 7 and before would take other values as well.
there() {
    for argument in $gone; do
        left=$(printf '%s\n' "$next_lines" | while IFS= read -r line; do leftover "$argument" "$line"; done)
        [ -z "$left" ] || printf '%s ' "$argument"
    done
}

update() {
    remove=$(there)
    remove=${remove% }
    set -- --update-kernel=ALL
    [ -z "$wanted" ] || set -- "$@" "--args=$wanted"
    [ -z "$remove" ] || set -- "$@" "--remove-args=$remove"
    if [ -n "$dry" ]; then
        say "would run: grubby --update-kernel=ALL${wanted:+ --args=\"$wanted\"}${remove:+ --remove-args=\"$remove\"}"
    else
        open_snapshot
        [ -z "$caught" ] || undo
        phase=setting
        call grubby "$@" || undo "grubby failed: $answer"
    fi
}

apply() {
    command -v grubby >/dev/null || die "grubby is not installed"
    if [ -z "$dry" ]; then
        lock_for_change
        recover
    elif would_recover; then
        return
    fi
    read_entries
    [ -n "$raw" ] || die "grubby names no kernel with arguments"
    todo=$(pending)
    if [ -z "$todo" ]; then
        say "nothing to change"
        return
    fi
    printf '%s\n' "$todo"
    printf '%s\n' "$raw" | sed 's/^/kernel-args: before: /'
    check_length "$next_lines"
    update
    [ -z "$dry" ] || return 0
    find_entries || undo "grubby --info=ALL failed"
    todo=$(pending)
    [ -z "$todo" ] || undo "grubby reported success, but $todo"
    changed_all || undo "cannot write to $state"
    [ -z "$caught" ] || undo
    close_saved || undo "cannot keep the snapshot in $state"
    say "changed; in force from the next start on. To take it back: run this script with --rollback --state $state"
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

run_mode "$@"
