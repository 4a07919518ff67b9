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
                [ "$run_verb" = verify ] || usage
                json=yes
                ;;
            --state | --by)
                [ -n "${2-}" ] || usage
                case $1 in --state) state=$2 ;; *) by=$2 ;; esac
                shift
                ;;
            *) usage ;;
        esac
        shift
    done
    case $state in /*) ;; *) state=$PWD/$state ;; esac
    case $patience in *[!0-9]*) usage ;; esac
    [ "$mode:$part" != next:kernel-args ] || return 0
    [ "$mode" != next ] || usage
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
}

case $run_verb in
    status | verify) mode=verify ;;
    try) mode=dry-run ;;
    undo) mode=rollback ;;
    *) mode=$run_verb ;;
esac
shift 2
read_options "$@"
way_back="sh setpoint-host undo $plan_file --state $state"
if [ "$mode" = identify ]; then
    is_the_server || exit
    say "this is a server that policy $policy is for"
    exit
fi
way=$part family=$part
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
esac
if [ "$mode" != rollback ]; then
    is_the_server || {
        status=$?
        [ "$status" -ne 5 ] || report_unreadable "$unlike_because"
        exit "$status"
    }
fi
[ "$run_verb" != status ] || tell_runs
case $mode in
    verify) "${family}_verify" ;;
    next) verify_next ;;
    dry-run) "${family}_apply" ;;
    apply)
        catch_signals
        "${family}_apply"
        ;;
    rollback)
        catch_signals
        rollback
        case $family in
            boot) say "done; in force from the next start on" ;;
            *) say "done" ;;
        esac
        ;;
esac
