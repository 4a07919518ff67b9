# ------------------------------------------------------------------------------------------------------ the run

# What files.sh asks of a way.
each_file() { "${way}_files" "$@"; }
is_ours() { [ "$family" = boot ] && boot_is_ours "$@"; }
is_made() { grubby_is_made "$@"; }
save_more() { "${way}_save" "$@"; }
put_back_rest() { "${way}_put_back" "$@"; }

compare_all() { "${family}_compare"; }

# The report where nothing can be compared, for reason $1.
report_unreadable() { [ -z "$json" ] || "${family}_unreadable" "$1"; }

read_options() {
    by=
    while [ $# -gt 0 ]; do
        case $1 in
            --all | --dry-run)
                [ "$mode" = rollback ] || usage
                set_mode "$1"
                ;;
            --json)
                case $run_verb:$part in verify:* | undone:parts) json=yes ;; *) usage ;; esac
                ;;
            --state | --by)
                [ -n "${2-}" ] || usage
                case $1:$part in --state:*) state=$2 ;; --by:kernel-args | --by:parts) by=$2 ;; *) usage ;; esac
                shift
                ;;
            *)
                [ "$part" = racadm ] || usage
                racadm_option "$1" "${2-}"
                shift $((taken - 1))
                ;;
        esac
        shift
    done
    case $state in /*) ;; *) state=$PWD/$state ;; esac
    case $patience in *[!0-9]*) usage ;; esac
    case $mode:$part in next:kernel-args | next:racadm | next:syscfg) ;; next:*) usage ;; esac
    case $mode:$part in pending:kernel-args | pending:racadm | pending:syscfg | pending:parts) ;; pending:*) usage ;; esac
}

# Text $1 as one word of a shell.
as_word() {
    case $1 in
        *[!A-Za-z0-9_./:,+=@%-]*) printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")" ;;
        *) printf '%s' "$1" ;;
    esac
}

# What of the server differs from what the plan is for, and was passed over.
tell_passed_over() {
    while IFS= read -r line <&8; do
        [ -z "$line" ] || say "$line"
    done 8<<LINES
$passed_over
LINES
}

# What is known of runs before this one.
tell_runs() {
    say "setpoint-host $version: $part of policy $policy"
    if is_unfinished; then say "$unfinished: the next run takes that back first"; fi
    last_saved
    case $number in
        0) say "no run can be undone" ;;
        *) say "runs that can be undone: $number, the last of policy $(about "$saved" | sed -n 1p)" ;;
    esac
    tell_passed_over
}

case $run_verb in
    status | verify) mode=verify ;;
    try) mode=dry-run ;;
    undo) mode=rollback ;;
    *) mode=$run_verb ;;
esac
shift 2
read_options "$@"
way_back="sh $(as_word "$0") undo $(as_word "$plan_file") --state $(as_word "$state")${rolls_all:+ --all}"
[ "$plan_file" != - ] || way_back="\`undo\`${rolls_all:+ of all runs}, by what ran this (the old values are in $state)"
way=$part family=$part
[ "$part" != parts ] || parts_run
[ "$mode" != undone ] || say_undone
case $part in
    kernel-args)
        # Words of command lines are no patterns of files.
        set -f
        family=boot
        if ! find_way; then
            case $mode in dry-run | apply | rollback) require_way ;; esac
        fi
        ;;
    tuned | ktune)
        family=tuned put_back_first=${part}_first
        ;;
    systemd)
        put_back_first=systemd_first
        find_files
        ;;
    cpuspeed) find_service_wanted ;;
    racadm | syscfg)
        # What tools show is no pattern of files.
        set -f
        kept=options hint=${part}_hint
        [ -z "$json" ] || on_busy=report_unreadable
        "${part}_begin"
        ;;
esac
if [ "$mode" != rollback ]; then
    is_the_server || {
        status=$?
        [ "$status" -ne 5 ] || report_unreadable "$unlike_because"
        exit "$status"
    }
fi
if [ "$mode" = identify ]; then
    say "this is a server that policy $policy is for"
    tell_passed_over
    exit
fi
[ "$mode:$part" = pending:syscfg ] || [ "$part" != syscfg ] || require_syscfg
[ "$run_verb" != status ] || tell_runs
case $mode in
    verify) "${family}_verify" ;;
    next | pending) "${family}_$mode" ;;
    dry-run) "${family}_apply" ;;
    apply)
        catch_signals
        "${family}_apply"
        ;;
    rollback)
        catch_signals
        [ "$family" != racadm ] || racadm_undo
        rollback
        case $family in
            boot) say "done; in force from the next start on" ;;
            syscfg) say "done; what was put back takes effect when the server restarts" ;;
            *) say "done" ;;
        esac
        ;;
esac
