# ------------------------------------------------------------------------------------- kernels, by a drop-in of GRUB

grub_folder=${SETPOINT_GRUB_FOLDER:-$root/etc/default/grub.d}
drop_in=$grub_folder/50-setpoint.cfg

drop_in_ready() { command -v update-grub >/dev/null || die "there is no update-grub on this server: nothing was changed"; }

# The file, which grub-mkconfig reads after /etc/default/grub, as shell. First goes what is there of the arguments, since the kernel
# takes the last of a name and GRUB_CMDLINE_LINUX_DEFAULT comes after GRUB_CMDLINE_LINUX.
drop_in_text() { text_of /etc/default/grub.d/50-setpoint.cfg; }

drop_in_put() { drop_in_text 2>/dev/null | cmp -s - "$drop_in" || echo yes; }

drop_in_files() {
    "$1" own "$drop_in" || return 1
    [ -z "$config" ] || "$1" shared "$(readlink -f "$config")"
}

drop_in_save() { boot_save "$1"; }

# grub.cfg follows from the drop-in files: where it could not be put back byte by byte, update-grub makes it anew.
drop_in_put_back() {
    [ -n "$2" ] || return 0
    say "somebody else has changed ${2%
} since: update-grub makes it anew"
    call update-grub || {
        complain "update-grub failed: $answer"
        return 1
    }
}

drop_in_try() {
    [ -z "$put" ] || say "would write $drop_in"
    say "would run: update-grub"
}

drop_in_change() {
    # The lock has set a umask for the folder of snapshots.
    {
        (umask 022 && mkdir -p "$grub_folder") && drop_in_text >"$drop_in.setpoint" && chmod 644 "$drop_in.setpoint" &&
            mv -f "$drop_in.setpoint" "$drop_in"
    } || {
        answer="cannot write $drop_in"
        return 1
    }
    call update-grub || {
        answer="update-grub failed: $answer"
        return 1
    }
}

