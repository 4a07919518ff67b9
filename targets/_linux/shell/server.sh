# What this server reports as $1, in $reported; nothing if it does not. Why it cannot be told, whatever the server is, is in $untold.
server_reports() {
    reported='' untold='' identity_root=${SETPOINT_ROOT:-}
    case $1 in
        product)
            { read -r reported <"$identity_root/sys/class/dmi/id/product_name"; } 2>/dev/null || :
            if [ -z "$reported$identity_root" ] && command -v dmidecode >/dev/null; then
                reported=$(dmidecode -s system-product-name 2>/dev/null | sed -n '/^[^#]/{s/ *$//p;q;}')
            fi
            ;;
        processor) processor_reports ;;
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

# The first processor of /proc/cpuinfo: `GenuineIntel family 6 model 85 stepping 7`. What a virtual machine shows is what its hypervisor
# makes of it, and processors without these fields have other names for what they are.
processor_reports() {
    vendor='' family_of='' model='' stepping='' untold='/proc/cpuinfo shows no family and model'
    {
        while read -r name rest && [ -n "$name" ]; do
            case "$name $rest" in
                "vendor_id :"*) vendor=${rest#: } ;;
                cpu\ family*:*) family_of=${rest##*: } ;;
                "model :"*) model=${rest#: } ;;
                "stepping :"*) stepping=${rest#: } ;;
                "flags :"*" hypervisor"*)
                    untold='a virtual machine shows what its hypervisor makes of it'
                    return
                    ;;
            esac
        done <"$identity_root/proc/cpuinfo"
    } 2>/dev/null || :
    case $family_of$model in *[!0-9]*) return ;; esac
    case $vendor:$family_of:$model in *[!A-Za-z0-9:]* | :* | *::* | *:) return ;; esac
    reported="$vendor family $family_of model $model" untold=
    case $stepping in '' | *[!0-9]*) ;; *) reported="$reported stepping $stepping" ;; esac
}

# A field of the os-release file. The file is shell, and is not run.
release_field() {
    sed -n "s/^$1=//p" "$identity_root/$release" | tr -d "\"'" | head -n 1
}
