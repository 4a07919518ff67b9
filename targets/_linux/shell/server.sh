# What this server reports as $1, in $reported; nothing if it does not.
server_reports() {
    reported='' identity_root=${SETPOINT_ROOT:-}
    case $1 in
        product)
            { read -r reported <"$identity_root/sys/class/dmi/id/product_name"; } 2>/dev/null || :
            if [ -z "$reported$identity_root" ] && command -v dmidecode >/dev/null; then
                reported=$(dmidecode -s system-product-name 2>/dev/null | sed -n '/^[^#]/{s/ *$//p;q;}')
            fi
            ;;
        sockets)
            reported=$(
                set +f
                cat "$identity_root"/sys/devices/system/cpu/cpu[0-9]*/topology/physical_package_id 2>/dev/null |
                    sort -u | grep -c '^[0-9]'
            ) || reported=
            ;;
        system) { read -r reported <"$identity_root/proc/sys/kernel/ostype"; } 2>/dev/null || : ;;
        kernel) { read -r reported <"$identity_root/proc/sys/kernel/osrelease"; } 2>/dev/null || : ;;
        distribution)
            for release in etc/os-release usr/lib/os-release; do
                [ -s "$identity_root/$release" ] || continue
                reported="$(release_field ID) $(release_field VERSION_ID)"
                reported=${reported% }
                return
            done
            { read -r reported <"$identity_root/etc/redhat-release"; } 2>/dev/null || :
            ;;
    esac
}

# A field of the os-release file. The file is shell, and is not run.
release_field() {
    sed -n "s/^$1=//p" "$identity_root/$release" | tr -d "\"'" | head -n 1
}
