# -------------------------------------------------------------------------------------------- the live values of a plan

# settings      compare each value of the plan with the running system, by live.sh, live_cards.sh and masks.sh
# live_files    print the files of the kernel that the values are in, a line each

# Call DO KIND SETTING VALUE FILE... for each value that is in files; those that a pattern names.
each_check() {
    each_do=$1
    while IFS= read -r row <&8; do
        [ -n "$row" ] || continue
        row_value=${row#*' = '}
        set -f
        # Words without blanks.
        # shellcheck disable=SC2086
        set -- ${row%%' = '*}
        set +f
        row_kind=$1 row_setting=$2
        shift 2
        patterns=$# field_ends=$IFS
        for pattern in "$@"; do
            IFS=
            # A pattern of files.
            # shellcheck disable=SC2086
            set -- "$@" "$root"$pattern
            IFS=$field_ends
        done
        shift "$patterns"
        "$each_do" "$row_kind" "$row_setting" "$row_value" "$@"
    done 8<<CHECKS
$checks
CHECKS
}

settings() {
    each_check compare_value
    while IFS= read -r row <&8; do
        [ -n "$row" ] || continue
        row_value=${row#*' = '}
        # Words without blanks.
        # shellcheck disable=SC2086
        set -- ${row%%' = '*}
        expect_card "$2" "$row_value" "$3 $4"
    done 8<<CARDS
$cards_wanted
CARDS
    while read -r row_setting row_value row_unit <&8; do
        [ -z "$row_unit" ] || expect_masked "$row_setting" "$row_value" "$row_unit"
    done 8<<MASKS
$mask_lines
MASKS
}

compare_value() {
    row_kind=$1
    shift
    case $row_kind in
        value) expect "$@" ;;
        least) expect_least "$@" ;;
        first) expect_offered "$@" ;;
        bias) expect_bias "$@" ;;
        latency) expect_latency "$@" ;;
        resume) expect_resume "$@" ;;
        held) expect_held "$@" ;;
    esac
}

live_files() { each_check print_live | awk '!seen[$0]++'; }
print_live() {
    shift 3
    for live in "$@"; do
        [ ! -e "$live" ] || printf '%s\n' "$live"
    done
}

# The end of a run that has set values: what they are now.
finish_live() {
    phase=finished
    compare_all
    if [ "$unreadable" -gt 0 ]; then
        complain "what was set stays set; settings that cannot be read again to compare them: $unreadable"
        exit 6
    fi
    [ "$differing" -eq 0 ] || exit 3
}

