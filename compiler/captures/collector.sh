#!/bin/sh
# The collector of Setpoint @VERSION@: it prints what this server shows of itself, as JSON (the form setpoint.capture/1).
#
#     sh collector.sh > NAME.json
#
# It changes nothing: it reads the files, registers and names of the list at its end, and runs the programs that the list names with `run`,
# which only print. It keeps what it reads in a folder of its own below TMPDIR, and removes that at the end.
#
# Any user can run it. Root reads more: registers of CPUs (if the module msr is loaded; it loads nothing), the UUID, memory modules, boot
# entries. For what it could not read, the capture says why. The texts can have addresses, names and keys: `setpoint capture` without
# --no-redact replaces them.
#
# It needs a POSIX shell, awk, od and the usual small programs. An item without an answer is given up after ITEM seconds, the whole after
# WHOLE seconds; a text is at most MOST bytes.

ITEM=5
WHOLE=120
MOST=262144
MOST_WORKERS=8

LC_ALL=C
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin
export LC_ALL PATH
umask 077
set -f
NEWLINE='
'
TAB=$(printf '\t')
PLAIN='[!]A-Za-z0-9_./:@,+=~!#%[-]'

# ---------------------------------------------------------------------------------------------------- what is kept while it reads
#
# A file *.raw has items. An item begins with `@`, its number, place, path and star, between tabs. Lines of its text follow behind
# `=`, or why it has none behind `!`.

begin() { # PLACE [PATH [STAR]]
    printf '@0\t%s\t%s\t%s\n' "$1" "${2-}" "${3-}"
}

failed() { # PLACE WHY [STAR]
    begin "$1" "" "${3-}"
    printf '!%s\n' "$2"
}

add_text() { # FILE: the lines of an item, from a file that a program has written
    if [ "$(wc -c < "$1")" -gt "$MOST" ]; then
        echo '!too large'
    elif [ "$(tr -d '\000' < "$1" | wc -c)" -ne "$(wc -c < "$1")" ]; then
        echo '!not text'
    else
        awk '{ print "=" $0 }' "$1"
    fi
}

# ---------------------------------------------------------------------------------------------------------------------- limits

watch() { # ends what the main process waits for, if nothing is added for ITEM seconds, or everything takes longer than WHOLE
    idle=0 whole=0 last=
    while sleep 1 && [ -d "$work" ]; do
        whole=$((whole + 1))
        pids=$(cat "$work/pids")
        set +f
        now="$pids $(cat "$work"/*.raw "$work/out" | wc -c)"
        set -f
        if [ "$now" = "$last" ]; then idle=$((idle + 1)); else idle=0; fi
        last=$now
        if [ "$whole" -ge "$WHOLE" ]; then
            : > "$work/late"
            idle=$((idle + ITEM))
        fi
        if [ -n "$pids" ] && [ "$idle" -ge "$ITEM" ]; then
            for pid in $pids; do kill -9 "$pid"; done
            # What the kernel does not let end is left to itself.
            if [ "$idle" -ge $((ITEM + 2)) ]; then kill -USR1 $$; fi
        fi
    done
}

limited() { # PROGRAM ARGUMENTS, with the output in files
    "$@" < /dev/null > "$work/out" 2> "$work/err" &
    wait_for $!
}

wait_for() { # PID...: the status of the last; 200 if it was given up
    echo "$*" > "$work/pids"
    given_up=
    for pid; do
        wait "$pid"
        status=$?
        if [ "$status" -eq 137 ] || [ -n "$given_up" ]; then status=200; fi
    done
    : > "$work/pids"
    return "$status"
}

# ----------------------------------------------------------------------------------------------------------------------- files

why_missing() { # PLACE: why no file is found there
    folder=${1%%\**}
    folder=${folder%/*}
    while [ -n "$folder" ] && [ ! -e "$folder" ]; do folder=${folder%/*}; done
    if [ -r "${folder:-/}" ] && [ -x "${folder:-/}" ]; then echo absent; else echo 'no permission'; fi
}

expand() { # the files of all places, each with its place; of those without files, why
    places | while IFS= read -r place; do
        case $place in /proc/cpuinfo | /dev/* | [!/]*) continue ;; esac
        found=
        set +f
        IFS=$NEWLINE
        for path in $place; do
            # A name with blanks would be two in a capture; the kernel and packages make none.
            case $path in *$PLAIN*) continue ;; esac
            if [ -d "$path" ] || [ ! -e "$path" ]; then continue; fi
            case $path in
                /proc/* | /sys/*) ;;
                *)
                    if [ ! -f "$path" ]; then continue; fi
                    if [ -r "$path" ] && [ "$(wc -c < "$path")" -gt "$MOST" ]; then
                        begin "$place" "$path"
                        echo '!too large'
                        found=yes
                        continue
                    fi
                    ;;
            esac
            printf '%s\t%s\n' "$place" "$path" >> "$work/list"
            found=yes
        done
        unset IFS
        set -f
        if [ -z "$found" ]; then failed "$place" "$(why_missing "$place")"; fi
    done
}

read_files() { # FROM: reads the files of the list, beginning with that line
    exec awk -F "$TAB" -v from="$1" -v most="$MOST" '
        NR >= from && failures[$1] < 8 {
            printf "@%d\t%s\t%s\t\n", NR, $1, $2
            fflush()
            size = lines = 0
            while ((got = (getline line < $2)) > 0) {
                lines++
                size += length(line) + 1
                if (size > most) break
                print "=" line
            }
            close($2)
            if (got > 0) print "!too large"
            if (got > 0 || lines) next
            # Empty, or not readable; not every awk says which.
            said = ""
            asked = "cat \047" $2 "\047 2>&1 > /dev/null"
            asked | getline said
            close(asked)
            if (said != "") {
                failures[$1]++
                print "!" said
            }
        }' "$work/list"
}

files() { # reads all files, and goes on behind one that stops awk, or that does not answer
    : > "$work/list"
    expand >> "$work/others.raw"
    next=1 total=$(wc -l < "$work/list")
    while [ "$next" -le "$total" ] && [ ! -e "$work/late" ]; do
        read_files "$next" >> "$work/files.raw" < /dev/null &
        wait_for $!
        status=$?
        if [ "$status" -eq 0 ]; then return; fi
        reached=$(awk '/^@/ { last = $1 } END { print substr(last, 2) + 0 }' "$work/files.raw")
        if [ "$reached" -lt "$next" ]; then break; fi
        if [ "$status" -eq 200 ]; then
            echo '!timed out'
            place=$(sed -n "${reached}s/$TAB.*//p" "$work/list")
            after=$(awk -F "$TAB" -v from="$reached" -v place="$place" 'NR > from && $1 != place { print NR; exit }' "$work/list")
            reached=$((${after:-$((total + 1))} - 1))
        else
            limited cat "$(sed -n "${reached}s/.*$TAB//p" "$work/list")"
            sed -n '1s/^/!/p' "$work/err"
        fi >> "$work/files.raw"
        next=$((reached + 1))
    done
    if [ "$next" -le "$total" ]; then
        sed "1,$((next - 1))d; s/$TAB.*//" "$work/list" | sort -u | while IFS= read -r place; do failed "$place" 'timed out'; done >> "$work/others.raw"
    fi
}

processors() { # /proc/cpuinfo: of processors that differ only in their numbers and clock, the first
    if [ ! -r /proc/cpuinfo ]; then failed /proc/cpuinfo "$(why_missing /proc/cpuinfo)" && return; fi
    # shellcheck disable=SC2016  # the program of awk
    limited awk 'BEGIN { RS = ""; FS = "\n" }
        {
            key = ""
            for (i = 1; i <= NF; i++)
                if ($i !~ /^(processor|core id|apicid|initial apicid|cpu MHz|bogomips|BogoMIPS|address sizes)[ \t]*:/) key = key "\n" $i
            if (!(key in seen)) { if (NR > 1) print ""; print }
            seen[key]
        }' /proc/cpuinfo
    begin /proc/cpuinfo
    add_text "$work/out"
}

# ------------------------------------------------------------------------------------------- programs, folders, devices, registers

run_program() { # PLACE [STAR]: what a program prints; the star is the last of its words
    IFS=' '
    # shellcheck disable=SC2086  # words of the list
    set -- "$1" "${2-}" $1
    unset IFS
    place=$1 star=$2
    shift 3
    if ! command -v "$1" > /dev/null; then failed "$place" 'no program' "$star" && return; fi
    if [ -n "$star" ]; then
        words=${place#run }
        # shellcheck disable=SC2086  # words of the list
        set -- ${words% \*} "$star"
    fi
    ulimit -f 4096
    limited "$@"
    status=$?
    begin "$place" "" "$star"
    if [ "$status" -eq 200 ]; then
        echo '!timed out'
    elif [ "$status" -ne 0 ] && [ -s "$work/err" ]; then
        tail -n 1 "$work/err" | sed 's/^/!/'
    else
        add_text "$work/out"
    fi
}

names_in() { # PLACE: the names in the folders of a place `list FOLDER`
    pattern=${1#list }
    found=
    set +f
    IFS=$NEWLINE
    for folder in $pattern; do
        if [ ! -d "$folder" ]; then continue; fi
        found=yes
        begin "$1" "list $folder"
        if [ ! -r "$folder" ]; then echo '!no permission' && continue; fi
        names=
        for path in "$folder"/*; do
            case $path in *$PLAIN*) continue ;; esac
            if [ -e "$path" ]; then names="$names ${path##*/}"; fi
        done
        echo "=${names# }"
    done
    unset IFS
    set -f
    if [ -z "$found" ]; then failed "$1" "$(why_missing "$pattern")"; fi
}

number_in() { # PLACE: the number of 32 bits that a device answers with
    if [ ! -e "$1" ]; then failed "$1" "$(why_missing "$1")" && return; fi
    limited od -A n -t d4 -N 4 "$1"
    status=$?
    begin "$1"
    if [ "$status" -eq 0 ]; then sed 's/^ */=/' "$work/out"; else sed -n '1s/^/!/p' "$work/err"; fi
}

read_register() { # CPU REGISTER: its eight bytes, or why there are none
    # The od of busybox reads what it passes over, which is every register in between.
    if [ -z "$od_reads" ]; then
        # Of what it says, the first line counts. The empty line ends one that it left open.
        printf '='
        od -A n -v -t x1 -j $(($2)) -N 8 "/dev/cpu/$1/msr" 2>&1 < /dev/null
        echo
        return
    fi
    found=$({ dd bs=1 skip=$(($2)) count=0 && dd bs=8 count=1; } < "/dev/cpu/$1/msr" | od -A n -v -t x1)
    if [ -n "$found" ]; then
        echo "=$found"
    else
        { dd bs=1 skip=$(($2)) count=0 2> /dev/null && dd bs=8 count=1; } < "/dev/cpu/$1/msr" 2>&1 > /dev/null | sed -n '1s/^/!/p'
    fi
}

read_registers() { # WORKER: the registers of every CPU whose turn it is
    cpu_count=0
    for cpu in $cpus; do
        cpu_count=$((cpu_count + 1))
        if [ $((cpu_count % workers)) -ne "$1" ]; then continue; fi
        for register in $registers; do
            begin "msr $register" "" "$cpu"
            read_register "$cpu" "$register"
        done
    done
}

registers() { # reads the registers of all CPUs, a part of the CPUs in each worker
    registers=$(places | sed -n 's/^msr //p')
    if [ -z "$registers" ]; then return; fi
    set +f
    cpus=$(for path in /dev/cpu/[0-9]*/msr; do
        path=${path#/dev/cpu/}
        if [ -e "/dev/cpu/$path" ]; then echo "${path%/msr}"; fi
    done)
    set -f
    reason=
    if [ -z "$cpus" ]; then
        reason=absent
        if grep -q '^flags.* msr ' /proc/cpuinfo; then reason='no module'; fi
    fi
    for cpu in $cpus; do
        if [ ! -r "/dev/cpu/$cpu/msr" ]; then reason='no permission'; fi
        break
    done
    if [ -n "$reason" ]; then
        for register in $registers; do failed "msr $register" "$reason"; done >> "$work/others.raw"
        return
    fi
    od_reads=
    case $(od --help 2>&1) in *BusyBox*) od_reads=yes ;; esac
    workers=$(($(echo "$cpus" | wc -l) / 16 + 1))
    if [ "$workers" -gt "$MOST_WORKERS" ]; then workers=$MOST_WORKERS; fi
    worker=0 pids=
    while [ "$worker" -lt "$workers" ]; do
        read_registers "$worker" > "$work/registers$worker.raw" &
        pids="$pids $!"
        worker=$((worker + 1))
    done
    # shellcheck disable=SC2086  # numbers
    wait_for $pids || for register in $registers; do failed "msr $register" 'timed out'; done >> "$work/others.raw"
}

others() { # reads every place that is neither a file nor a register
    places | while IFS= read -r place; do
        case $place in
            /proc/cpuinfo | /dev/* | 'list '* | 'run '* | 'hsmp '*)
                if [ -e "$work/late" ]; then failed "$place" 'timed out' && continue; fi
                ;;
        esac
        case $place in
            /proc/cpuinfo) processors ;;
            /dev/*) number_in "$place" ;;
            'list '*) names_in "$place" ;;
            'run '*\*)
                set +f
                for card in /sys/class/net/*/device; do
                    card=${card%/device}
                    if [ -e "$card" ]; then (run_program "$place" "${card##*/}"); else failed "$place" absent; fi
                done
                set -f
                ;;
            'run '*) (run_program "$place") ;;
            'hsmp '*) if [ -e /dev/hsmp ]; then failed "$place" 'no program'; else failed "$place" absent; fi ;;
        esac
    done >> "$work/others.raw"
}

# ------------------------------------------------------------------------------------------------------------------- the document

as_json() { # the items of all *.raw as a capture: equal texts together, with the CPUs or names that have them
    locked=
    case $(cat /sys/kernel/security/lockdown) in *'[integrity]'* | *'[confidentiality]'*) locked=yes ;; esac
    guest=$(grep -c '^flags.* hypervisor' /proc/cpuinfo)
    set +f
    awk -F "$TAB" -v locked="$locked" -v guest="$guest" -v user="$(id -u)" '
        BEGIN {
            for (i = 1; i < 256; i++) {
                c = sprintf("%c", i)
                code[c] = i
                shown[c] = i < 32 || i == 127 ? sprintf("\\u%04x", i) : c
            }
            shown["\""] = "\\\""
            shown["\\"] = "\\\\"
            shown["\t"] = "\\t"
            shown["\n"] = "\\n"
        }
        /^@/ {
            end_item()
            locate($2, $3, $4)
            text = said = ""
            lines = 0
            next
        }
        /^=/ { text = text (lines++ ? "\n" : "") substr($0, 2) }
        /^!/ { if (said == "") said = substr($0, 2) }
        END {
            end_item()
            printf "{\n\"schema\": \"setpoint.capture/1\",\n\"host\": {\n\"read\": {"
            for (i = 1; i <= places; i++) print_place(order[i], i)
            printf "\n},\n\"unread\": {"
            for (i = 1; i <= gaps; i++) printf "%s\n%s: %s", (i > 1 ? "," : ""), quoted(gap[i]), quoted(unread[gap[i]])
            print "\n}\n}\n}"
        }

        # The place of an item: of its stars, that of the CPU or node stays, or the first if there is none.
        function locate(pattern, path, given,    parts, count, i, kept, before, after) {
            place = pattern
            star = given
            if (path == "" || index(pattern, "*") == 0) return
            count = split(pattern, parts, "/")
            split(path, own, "/")
            for (i = count; i > 0; i--)
                if (index(parts[i], "*") && !(kept && parts[kept] ~ /^(cpu|node)\*$/ && parts[i] !~ /^(cpu|node)\*$/)) kept = i
            before = index(parts[kept], "*") - 1
            after = parts[kept]
            sub(/.*\*/, "", after)
            star = substr(own[kept], before + 1, length(own[kept]) - before - length(after))
            place = ""
            for (i = 1; i <= count; i++) place = place (i > 1 ? "/" : "") (i == kept ? parts[i] : own[i])
        }

        function end_item() {
            if (place == "") return
            if (place ~ /^msr / && said == "" && star != "") text = register_of(text)
            if (said == "" && !is_text(text)) said = "not text"
            if (said != "") {
                if (!(place in unread)) gap[++gaps] = place
                if (!(place in unread)) unread[place] = reason_of(said)
            } else if (place !~ /\/(cpu|node)\*/ || star ~ /^[0-9]+$/) {
                if (!(place in counts)) order[++places] = place
                stars[place, ++counts[place]] = star
                texts[place, counts[place]] = text
            }
            place = ""
        }

        # The number in the eight bytes that od prints; what it says otherwise becomes why there is none.
        function register_of(bytes,    part, i, number) {
            if (split(bytes, part, " ") != 8 || bytes ~ /[^0-9a-f ]/) {
                said = bytes == "" ? "failed" : bytes
                return ""
            }
            for (i = 8; i > 0; i--) number = number part[i]
            sub(/^0+/, "", number)
            return "0x" (number == "" ? "0" : number)
        }

        function reason_of(said) {
            if (said ~ /^(absent|no permission|no module|no program|timed out|too large|not text)$/) return said
            if (said ~ /[Pp]ermission denied|not permitted/) return locked && user == 0 ? "lockdown" : "no permission"
            if (place ~ /^msr / && said ~ /Input\/output error|I\/O error/) return guest > 0 ? "guest" : "absent"
            if (said ~ /No such|not supported/) return "absent"
            return "failed"
        }

        function print_place(place, number,    i, j, key, runs, last, from, of, most, count, keys) {
            printf "%s\n%s: ", (number > 1 ? "," : ""), quoted(place)
            if (index(place, "*") == 0 && place !~ /^msr /) {
                printf "%s", quoted(texts[place, 1])
                return
            }
            if (place ~ /^msr |\/(cpu|node)\*/) {
                most = 0
                for (i = 1; i <= counts[place]; i++) {
                    of[stars[place, i] + 0] = i
                    if (stars[place, i] + 0 > most) most = stars[place, i] + 0
                }
                for (j = 0; j <= most; j++) if (j in of) {
                    key = texts[place, of[j]]
                    if (!(key in runs)) { keys[++count] = key; runs[key] = j; from[key] = j }
                    else if (last[key] != j - 1) { runs[key] = runs[key] ended(from[key], last[key]) "," j; from[key] = j }
                    last[key] = j
                }
                for (i = 1; i <= count; i++) runs[keys[i]] = runs[keys[i]] ended(from[keys[i]], last[keys[i]])
            } else {
                for (i = 1; i <= counts[place]; i++) {
                    key = texts[place, i]
                    if (!(key in runs)) keys[++count] = key
                    runs[key] = runs[key] (key in from ? " " : "") stars[place, i]
                    from[key]
                }
            }
            for (i = 1; i <= count; i++)
                printf "%s%s: %s", (i > 1 ? ", " : "{"), quoted(keys[i]), quoted(runs[keys[i]])
            printf "}"
        }

        function ended(first, last) { return last > first ? "-" last : "" }

        function quoted(text,    i, out) {
            if (text !~ /["\\\001-\037\177]/) return "\"" text "\""
            for (i = 1; i <= length(text); i++) out = out shown[substr(text, i, 1)]
            return "\"" out "\""
        }

        # Whether a text is UTF-8, which is all that JSON can have.
        function is_text(text,    i, byte, more, least, most) {
            if (index(text, sprintf("%c", 0)) && sprintf("%c", 0) != "") return 0
            if (text !~ /[\200-\377]/) return 1
            more = 0
            least = 128
            most = 191
            for (i = 1; i <= length(text); i++) {
                byte = code[substr(text, i, 1)]
                if (more) {
                    if (byte < least || byte > most) return 0
                    more--
                    least = 128
                    most = 191
                } else if (byte >= 128) {
                    if (byte < 194 || byte > 244) return 0
                    more = byte < 224 ? 1 : byte < 240 ? 2 : 3
                    least = byte == 224 ? 160 : byte == 240 ? 144 : 128
                    most = byte == 237 ? 159 : byte == 244 ? 143 : 191
                }
            }
            return !more
        }' "$work"/*.raw
    set -f
}

# ----------------------------------------------------------------------------------------------------------------------- the run

clean_up() { # the folder goes last: it stays if the watcher, delayed on a busy server, adds a file to it while it is removed
    if [ -n "$watcher" ]; then kill -9 "$watcher" && wait "$watcher"; fi
    rm -rf "$work"
}

main() {
    watcher=
    work=$(mktemp -d "${TMPDIR:-/tmp}/setpoint-capture.XXXXXX") || {
        echo 'collector: cannot make a folder below TMPDIR' >&2
        exit 1
    }
    trap clean_up EXIT
    trap 'exit 130' HUP INT TERM
    trap 'given_up=yes' USR1
    # What programs and shells complain about is in the capture, as why something was not read.
    exec 2> /dev/null
    : > "$work/pids"
    : > "$work/others.raw"
    watch > /dev/null < /dev/null &
    watcher=$!
    files
    others
    registers
    as_json
}

places() { # what is read
    cat <<'END'
@PLACES@
END
}

main
