# ------------------------------------------------------------------------------------------------ options of the BIOS

# A plan of racadm or syscfg has a line for each option of the BIOS, in the order of writing.
#
#   each_option DO               call DO KIND SETTING OPTION VALUE [CONDITION...] for each line
#   options_unreadable REASON    where nothing can be compared: the report has every setting as unreadable
#
# KIND is one of these:
#
#   want     to be set; the firmware takes it only while the conditions hold
#   held     fixed by what the conditions are about: compared, never set
#   first    (racadm) to be right, after a restart, before the rest is set
#   open     (racadm) what lets such a one be written until then; its setting is `-`

each_option() {
    option_do=$1
    while IFS= read -r row <&5; do
        [ -n "$row" ] || continue
        # The words of a line.
        # shellcheck disable=SC2086
        "$option_do" $row
    done 5<<OPTIONS
$options
OPTIONS
}

options_unreadable() {
    unread_reason=$1
    each_option report_unread
    print_report "$policy"
}
report_unread() { [ "$1" = open ] || report "$2" firmware unreadable "$4" '' '' "${3##*.}: $unread_reason"; }

