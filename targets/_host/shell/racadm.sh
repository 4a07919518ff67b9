# ------------------------------------------------------------------------------------------------------- racadm

# racadm on this server, on this machine for another server (--host), or in an iDRAC's own shell (--ssh). Its answers:
#
#   [Key=BIOS.Setup.1-1#ProcSettings]                 of `get BIOS.ProcSettings`
#   LogicalProc=Enabled (Pending Value=Disabled)      staged, and not in effect
#   #ProcCores=All                                    a value that cannot be written now
#
#   racadm_begin            begin a run: its options, its tool, and which server the iDRAC is of
#   read_groups GROUP...    what these groups show of $attributes, and all that is staged, into $idrac_shows
#   look_up ATTRIBUTE       one of them: $current, $pending (or nothing), $locked (`#` or nothing); 1 if it is not there
#   read_jobs               the open jobs that configure the BIOS, into $jobs: JID, status and name, a line each

tab=$(printf '\t')
newline='
'
racadm=${RACADM:-racadm} bios=BIOS.Setup.1-1 idrac_shows=$newline attributes='' other_side=''
accepts_pending='' reach=local host='' user='' certificate=-S restart=none
when='when the server restarts (this program does not restart it)'

# Option $1, with $2 behind it, that only plans of racadm have; the number of its words, in $taken.
racadm_option() {
    taken=1
    case $1 in
        --accept-pending)
            [ "$mode" != dry-run ] || usage
            accepts_pending=yes
            ;;
        --insecure) certificate= ;;
        --ssh | --host | --user | --restart)
            [ -n "$2" ] || usage
            taken=2
            case $1 in
                --ssh)
                    case $2 in *@*) reach=ssh user=${2%@*} host=${2##*@} ;; *) usage ;; esac
                    ;;
                --host) reach=host host=$2 ;;
                --user) user=$2 ;;
                --restart) restart=$2 ;;
            esac
            ;;
        *) usage ;;
    esac
}

racadm_begin() {
    report_of=idrac_reports other_checks=staged password=$idrac_password
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
    case $reach:$user:$host in local::) ;; ssh:?*:?* | host:?*:?*) ;; *) usage ;; esac
    program=$racadm
    case $reach in
        ssh)
            program=ssh other_side=" --ssh $user@$host"
            ;;
        host)
            [ -n "$password" ] || die "--host needs SETPOINT_IDRAC_PASSWORD. racadm takes it as an argument, which others on this machine can see: --ssh needs none"
            other_side=" --host $host --user $user"
            [ -n "$certificate" ] || other_side="$other_side --insecure"
            ;;
    esac
    [ "$plan_file" = - ] || way_back="$way_back$other_side"
    prefix=racadm${host:+.$host}
    lock_file=$prefix.lock
    [ -z "$host" ] || SETPOINT_HOST=${SETPOINT_HOST:-$host}
    command -v "$program" >/dev/null || {
        report_unreadable "no $program here"
        die "no $program here (RACADM names another racadm)"
    }
    catch_signals
    each_option know_attributes
    [ "$mode" != rollback ] || return 0
    # The groups are words.
    # shellcheck disable=SC2086
    read_groups SysInformation $groups || unreachable "which server this is"
}

# The attributes of a line, and those that tell which server it is.
know_attributes() {
    attributes="${attributes:-SystemModelName Proc1Id Proc2Id Proc3Id Proc4Id Proc5Id Proc6Id Proc7Id Proc8Id} ${3##*.}"
    shift 4
    for condition in "$@"; do
        condition=${condition#unless:}
        attributes="$attributes ${condition%%[=!]*}"
    done
}

racadm_call() {
    # With --ssh, nothing but words that no shell reads as more goes to the other side.
    case $reach in
        local) call "$racadm" "$@" || return 1 ;;
        host) call "$racadm" -r "$host" -u "$user" -p "$password" ${certificate:+"$certificate"} "$@" || return 1 ;;
        ssh) call ssh -o BatchMode=yes -o ConnectTimeout=30 "$user@$host" racadm "$@" || return 1 ;;
    esac
    case $answer in *ERROR:*) return 1 ;; esac
}

racadm_hint() {
    case $1 in
        *"ertificate"*) [ "$reach" != host ] || printf ' (--insecure goes on without a valid certificate)' ;;
    esac
}

read_groups() {
    idrac_shows=$newline
    for group in "$@"; do
        racadm_call get "BIOS.$group" || {
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
        idrac_shows="$newline${lines%end}$idrac_shows"
    done
}

# Newer lines stand before older ones.
look_up() {
    case $idrac_shows in *"$newline$1$tab"*) ;; *) return 1 ;; esac
    rest=${idrac_shows#*"$newline$1$tab"}
    rest=${rest%%"$newline"*}
    locked=${rest%%"$tab"*} rest=${rest#*"$tab"}
    current=${rest%%"$tab"*} pending=${rest#*"$tab"}
}

# All that is staged, as ATTRIBUTE=VALUE.
staged_values() {
    printf '%s' "$idrac_shows" | awk -F '\t' '$1 != "" && !seen[$1]++ && $4 != "" { printf "%s=%s\n", $1, $4 }'
}

# The groups that there are, for what somebody else may have staged in one that the policy does not touch.
read_all_groups() {
    racadm_call get BIOS || return 1
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
    racadm_call jobqueue view || return 1
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

# What the iDRAC reports of its server as $1, in $reported; nothing if it does not. A socket without a processor has no ID.
idrac_reports() {
    reported=
    case $1 in
        product) ! look_up SystemModelName || reported=$current ;;
        processor)
            # Family, model and stepping, in hexadecimal: 6-55-7, or 06-2D-7.
            untold='the iDRAC shows no family and model of it'
            look_up Proc1Id || return 0
            case $current in
                *[!0-9A-Fa-f-]* | *-*-*-*) ;;
                ?*-?*-?*)
                    stepping=${current##*-} model=${current#*-} untold=
                    reported="family $((0x${current%%-*})) model $((0x${model%-*})) stepping $((0x$stepping))"
                    ;;
            esac
            ;;
        sockets)
            for socket in 1 2 3 4 5 6 7 8; do
                look_up "Proc${socket}Id" || continue
                case $current in *[0-9]*) reported=$((${reported:-0} + 1)) ;; esac
            done
            ;;
    esac
}

