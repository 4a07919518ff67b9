# ---------------------------------------------------------------------------------------- kernels, by SUSE's pbl

# It is for GRUB with a grub.cfg: where pbl shows another boot loader, or the system changes by transactional-update, it changes
# nothing.
defaults=$root/etc/default/grub

pbl_ready() {
    command -v pbl >/dev/null || die "there is no pbl on this server (the package perl-Bootloader or update-bootloader has it): nothing was changed"
    loader=$(pbl --show 2>/dev/null)
    case $loader in
        grub2 | grub2-efi) ;;
        *) die "the boot loader is ${loader:-unknown}, and not GRUB with a grub.cfg: nothing was changed. Put the words of kernel-args/cmdline onto its line" ;;
    esac
    if command -v transactional-update >/dev/null && [ ! -w "${root:-/}/usr" ]; then
        die "this system changes by transactional-update: nothing was changed. Put the words of kernel-args/cmdline onto its line"
    fi
}

pbl_put() { :; }

# pbl changes the defaults, and makes grub.cfg of them.
pbl_files() {
    "$1" shared "$(readlink -f "$defaults")" || return 1
    [ -z "$config" ] || "$1" shared "$(readlink -f "$config")"
}

pbl_save() { boot_save "$1"; }

# The arguments of the defaults in file $1.
default_line() { sed -n "s/^GRUB_CMDLINE_LINUX_DEFAULT=//p" "$1" | tr -d "\"'"; }

run_pbl() {
    call pbl "$@" || {
        answer="pbl $* failed: $answer"
        return 1
    }
}

# Where somebody else has changed the defaults since, only the arguments are put back; grub.cfg follows from them.
pbl_put_back() {
    [ -n "$2" ] || return 0
    of=$(readlink -f "$defaults")
    case $2 in
        *"$of
"*)
            say "somebody else has changed $of since: only the arguments are put back"
            saved_as=$(awk -v path="$of" '$4 == path { print $1 }' "$1/files")
            before=$(default_line "$1/$saved_as")
            while read -r name; do
                old=$(counts "$name" "$before")
                if [ "$old" = "$(counts "$name" "$(default_line "$of")")" ]; then continue; fi
                if [ -n "$old" ]; then set -- "$1" "$2" --add-option "$old"; else set -- "$1" "$2" --del-option "$name"; fi
                run_pbl "$3" "$4" || {
                    complain "$answer"
                    return 1
                }
            done <"$1/names"
            ;;
    esac
    say "pbl makes grub.cfg anew"
    run_pbl --config || {
        complain "$answer"
        return 1
    }
}

pbl_try() {
    for argument in $(there); do say "would run: pbl --del-option ${argument%%=*}"; done
    for argument in $wanted; do say "would run: pbl --add-option $argument"; done
    say "would run: pbl --config"
}

# An option that is there twice is changed at its first place only, and the last counts: so it goes first.
pbl_change() {
    for argument in $(there) $wanted; do
        name=${argument%%=*}
        while [ -n "$(counts "$name" "$(default_line "$defaults")")" ]; do
            was=$(default_line "$defaults")
            run_pbl --del-option "$name" || return 1
            [ "$was" != "$(default_line "$defaults")" ] || break
        done
    done
    for argument in $wanted; do run_pbl --add-option "$argument" || return 1; done
    run_pbl --config
}

