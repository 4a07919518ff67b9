# ------------------------------------------------------------------------- kernels, by rpm-ostree

# On systems that are deployed from a tree or an image, files below /boot are made by each deployment. `rpm-ostree kargs` makes a new
# deployment with other arguments; earlier ones are never changed (rpm-ostree(1), kargs). So there is no file to save: what is kept is the
# line that was there. Where an image has its arguments in /usr/lib/bootc/kargs.d, those that are added here stay beside them.

is_deployed() { [ -e "$root/run/ostree-booted" ]; }

rpm_ostree_ready() { command -v rpm-ostree >/dev/null || die "there is no rpm-ostree on this server: nothing was changed"; }
rpm_ostree_put() { :; }
rpm_ostree_files() { :; }
rpm_ostree_save() { boot_save "$1" && printf '%s\n' "$raw" >"$1/line"; }

# The options that bring the line $1 to the plan, in $ostree_options: what is there of a name goes by its exact word.
rpm_ostree_options() {
    ostree_options=
    for argument in $gone; do
        for word in $1; do
            case $word in "$argument" | "$argument"=*) ostree_options="$ostree_options --delete-if-present=$word" ;; esac
        done
    done
    for argument in $wanted; do
        [ "$(counts "${argument%%=*}" "$1")" != "$argument" ] || continue
        for word in $1; do
            case $word in "${argument%%=*}" | "${argument%%=*}"=*) ostree_options="$ostree_options --delete-if-present=$word" ;; esac
        done
        ostree_options="$ostree_options --append=$argument"
    done
}

run_rpm_ostree() {
    # Words of command lines.
    # shellcheck disable=SC2086
    call rpm-ostree kargs $ostree_options || {
        answer="rpm-ostree kargs failed: $answer"
        return 1
    }
}

rpm_ostree_try() {
    rpm_ostree_options "$raw"
    say "would run: rpm-ostree kargs$ostree_options"
}

rpm_ostree_change() {
    rpm_ostree_options "$raw"
    run_rpm_ostree
}

# The words that were there of each name come back, behind the others; the rest of the line is as somebody else may have left it.
rpm_ostree_put_back() {
    now=$(rpm-ostree kargs) || {
        complain "rpm-ostree kargs failed"
        return 1
    }
    old=$(words_named "$1" "$(cat "$1/line")") new=$(words_named "$1" "$now")
    [ "$old" != "$new" ] || return 0
    ostree_options=
    for word in $new; do ostree_options="$ostree_options --delete-if-present=$word"; done
    for word in $old; do ostree_options="$ostree_options --append=$word"; done
    run_rpm_ostree || {
        complain "$answer"
        return 1
    }
    say "put back the arguments of the next deployment"
}

