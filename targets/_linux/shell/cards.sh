# ------------------------------------------------------------------------------------------------- network cards

# What network cards have and take, as ethtool shows and sets it. A parameter is the kind and the name that ethtool has for it, as
# in `coalesce rx-usecs`, `ring rx` and `channels combined`.
#
#   cards                           print the names of the cards, a line each; bridges, VLANs and the like are none
#   read_card CARD PARAMETER        what a card has, in $text; 1 if it has no such parameter
#   write_card CARD PARAMETER TEXT  set it
#
# The script sets $root, a folder in front of all files, or nothing.

cards() {
    for card in "$root"/sys/class/net/*; do
        [ ! -e "$card/device" ] || printf '%s\n' "${card##*/}"
    done
}

# The last line counts, since ethtool shows limits before what is set. Two parameters share one: `Adaptive RX: off  TX: off`.
read_card() {
    case $2 in
        coalesce*) show=-c ;;
        ring*) show=-g ;;
        channels*) show=-l ;;
    esac
    case ${2#* } in
        adaptive-rx) line='adaptive rx' ;;
        adaptive-tx) line='adaptive rx:.*tx' ;;
        *) line=${2#* } ;;
    esac
    text=$(ethtool "$show" "$1" 2>/dev/null | tr '[:upper:]' '[:lower:]' |
        sed -n "s/^$line:[[:space:]]*\([^[:space:]]*\).*/\1/p" | tail -n 1)
    case $text in '' | n/a) return 1 ;; esac
}

write_card() {
    case $2 in
        coalesce*) ethtool -C "$1" "${2#* }" "$3" ;;
        ring*) ethtool -G "$1" "${2#* }" "$3" ;;
        channels*) ethtool -L "$1" "${2#* }" "$3" ;;
    esac
}
