# ------------------------------------------------------------------------------------------------ the parts of a server

# A plan of parts names the plans that lie beside it, PART.plan, and every setting of the server with its part: `-` where no plan has it.
# Each part is a run of its own. A report has every setting: what no part shows was not compared or, where its part
# could not say anything, is unreadable.

# Verb $2 with the plan of part $1.
run_part() {
    of_part=$1 verb_of_part=$2
    shift 2
    case $of_part in kernel-args) set -- ${by:+--by "$by"} "$@" ;; esac
    sh "$0" "$verb_of_part" "$(dirname "$plan_file")/$of_part.plan" --state "$state" "$@" 2>&1
}

is_listed() { case " $listed " in *" $1 "*) ;; *) return 1 ;; esac }

# The end of a run that asks each part, and says what it says and how it stands: $1, `not $1`, or that it cannot tell.
each_part() {
    worst=0
    for one in $listed; do
        case $run_verb:$one in pending:kernel-args | pending:racadm | pending:syscfg) ;; pending:*) continue ;; esac
        said=$(run_part "$one" "$run_verb")
        case $? in
            0) stands=$1 ;;
            3 | 6) # 6: a run did not finish
                worst=3 stands="not $1"
                case $run_verb:$one in
                    pending:*) stands='a restart is pending; nothing here restarts the server' ;;
                    verify:kernel-args | verify:racadm | verify:syscfg)
                        run_part "$one" pending >/dev/null
                        [ $? -ne 3 ] || stands="$stands; a restart is pending"
                        ;;
                esac
                ;;
            *)
                stands='cannot tell'
                [ "$worst" -ne 0 ] || worst=4
                ;;
        esac
        [ -z "$said" ] || printf '%s\n' "$said"
        printf '%s: %s\n' "$one" "$stands"
    done
    exit "$worst"
}

rows_of() { sed -n 's/^\({"setting": .*}\),\{0,1\}$/\1/p'; }

# Collect the result of setting $1 of layer $2, which is of part $3 and is to be $4, unless a part has shown it.
report_rest() {
    case $rows in *"{\"setting\": \"$1\","*) return ;; esac
    if ! is_listed "$3"; then
        report "$1" "$2" not-compared "$4" '' '' 'it is not managed here'
    elif [ "$mode" = undone ]; then
        case " $back " in
            *" $3 "*) report "$1" "$2" rolled-back "$4" '' '' 'as it was before the policy' ;;
            *) report "$1" "$2" differs "$4" '' '' "$3 is not rolled back" ;;
        esac
    else
        case " $silent " in
            *" $3 "*) report "$1" "$2" unreadable "$4" '' '' "$silent_because" ;;
            *) report "$1" "$2" not-compared "$4" '' '' 'nothing on the server shows it' ;;
        esac
    fi
}

# The report of all parts.
parts_json() {
    rows='' back='' silent='' silent_because='' notes=''
    for one in $listed; do
        if [ "$mode" = undone ]; then
            if run_part "$one" undone >/dev/null; then back="$back $one"; fi
            continue
        fi
        said=$(run_part "$one" verify --json)
        shown=$(printf '%s\n' "$said" | rows_of)
        # All parts are of one server, and have the same notes.
        [ -n "$notes" ] || notes=$(printf '%s\n' "$said" | sed -n 's/^{"schema": .*\("notes": \[".*"\], \)"results".*/\1/p')
        if [ -n "$shown" ]; then
            rows="$rows$shown
"
        else
            silent="$silent $one" silent_because="$silent_because${silent_because:+; }$said"
        fi
    done
    while read -r setting layer of_part wanted <&8; do
        [ -z "$setting" ] || report_rest "$setting" "$layer" "$of_part" "$wanted"
    done 8<<SETTINGS
$settings_listed
SETTINGS
    made=$(print_report "$policy") || exit
    printf '%s"plan": "%s", %s"results": [\n' "${made%%'"results"'*}" "$digest" "$notes"
    rows=$(printf '%s%s\n' "$rows" "$(printf '%s\n' "$made" | rows_of)")
    printf '%s\n' "$rows" | sed '$!s/$/,/'
    printf ']}\n'
    case $rows in *'"state": "differs"'* | *'"state": "pending"'* | *'"state": "locked"'*) exit 3 ;; *'"state": "unreadable"'*) exit 4 ;; esac
    exit 0
}

parts_run() {
    [ "$plan_file" != - ] || refuse "the plans that it names lie beside a file"
    [ -z "$json" ] || parts_json
    case $run_verb in
        verify) each_part 'as planned' ;;
        undone) each_part 'rolled back' ;;
        pending) each_part 'no restart is pending' ;;
        *) usage ;;
    esac
}

# ------------------------------------------------------------------------- what a restart would bring, and what is left to undo

# The end of a run that says whether a restart is pending: $1 is what for, nothing if none is.
end_pending() {
    if [ -n "$1" ]; then
        say "a restart is pending: $1"
        exit 3
    fi
    say "no restart is pending"
    exit 0
}

# The next start has other arguments of the plan's names than the running kernel, whether they are the plan's or not.
boot_pending() {
    line=$(cat "$root/proc/cmdline") || exit 4
    read_entries
    [ -n "$raw" ] || die "what the next start has is not known: no entry of a kernel of this system was found"
    end_pending "$(
        while read -r rule _ argument <&8; do
            [ -n "$rule" ] || continue
            name=${argument%%=*}
            [ "$(next_word)" = "$(word_on "$line")" ] || printf '%s ' "$name"
        done 8<<ARGUMENTS
$arguments
ARGUMENTS
    )"
}

# Options were set since the server started.
syscfg_pending() { end_pending "$([ -z "$boot" ] || [ "$(head -n 1 "$state/$prefix.set" 2>/dev/null)" != "$boot" ] || sed -n '2,$p' "$state/$prefix.set" | tr '\n' ' ')"; }

# A job is open.
racadm_pending() {
    read_jobs || unreachable "the job queue"
    end_pending "${job:+job $job}"
}

# The end of a run that says whether something is left to undo.
say_undone() {
    [ -z "$host" ] || prefix=racadm.$host
    last_saved
    if [ -e "$state/$prefix.journal" ] || [ "$number" -gt 0 ]; then
        say "not everything is taken back: $state has what runs of $prefix have found"
        exit 3
    fi
    say "nothing is left to take back"
    exit 0
}

