# What the server reports as $1, in $reported; nothing if it does not. A socket without a processor has no ID.
report_of() {
    reported=
    case $1 in
        product) ! look SystemModelName || reported=$current ;;
        sockets)
            for socket in 1 2 3 4 5 6 7 8; do
                look "Proc${socket}Id" || continue
                case $current in *[0-9]*) reported=$((${reported:-0} + 1)) ;; esac
            done
            ;;
    esac
}
