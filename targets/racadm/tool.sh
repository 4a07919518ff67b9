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
