#!/bin/sh
# Rehearse the roll-out of a policy on a twin of a server's controller: apply, restart, verify, see a drift, undo.
#
#     sh rehearse.sh POLICY-FILE POLICY REGISTRY      in a folder for what comes of it; needs setpoint, curl, jq and openssl
#
# What a site's own pipeline would put in place of this script is its own way to apply: it speaks to the twin as to a controller.
set -eu
file=$1 policy=$2 registry=$3

SETPOINT_REDFISH_USER=rehearsal
SETPOINT_REDFISH_PASSWORD=$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')
export SETPOINT_REDFISH_USER SETPOINT_REDFISH_PASSWORD

setpoint compile "$file" --policy "$policy" --target redfish -o bundle >/dev/null
setpoint twin "$registry" --restart 1 -o twin > said &
twin=$!
trap 'kill $twin' EXIT
until grep -q "^user" said; do kill -0 $twin; sleep 0.2; done
head -n 1 said | sed 's/: http.*//'
url=$(sed -n 's/.*: \(https:.*\)/\1/p' said)

ask() {  # METHOD PATH [BODY]
    printf 'user = "%s:%s"\n' "$SETPOINT_REDFISH_USER" "$SETPOINT_REDFISH_PASSWORD" |
        curl -sS --fail-with-body -K - --cacert twin/certificate.pem -X "$1" -H 'Content-Type: application/json' ${3:+-d "@$3"} "$url$2"
}

apply=bundle/redfish/apply.json
system=$(jq -r .identify.uri $apply)
bios=$(jq -r .verify.uri $apply)
settings=$(jq -r '.ways[0].requests[0].uri' $apply)
time=$(jq -c 'if any(.ways[]; .name == "on-reset") then {"@Redfish.SettingsApplyTime": {ApplyTime: "OnReset"}} else {} end' $apply)

reach() {  # FILE: bring its attributes into effect, those that are locked until others are in effect after these
    for restart in 1 2 3; do
        ask GET "$bios" > now.json
        jq -n --slurpfile now now.json --slurpfile apply $apply --slurpfile wanted "$1" --argjson time "$time" '
            $now[0].Attributes as $is | $apply[0].writable as $when | ($is + $wanted[0].Attributes) as $will
            | def holds: if has("is") then $will[.attribute] == .is else $will[.attribute] != .["is-not"] end;
              def free: . as $name | all($when[] | select(.attributes | index($name)); .while | holds);
            {Attributes: ($wanted[0].Attributes | with_entries(select($is[.key] != .value and (.key | free))))} + $time' > body.json
        changes=$(jq '.Attributes | length' body.json)
        [ "$changes" -gt 0 ] || return 0
        ask PATCH "$settings" body.json > /dev/null
        echo '{"ResetType": "GracefulRestart"}' > reset.json
        ask POST "$system/Actions/ComputerSystem.Reset" reset.json > /dev/null
        until ask GET /twin | jq -e '(.starting or (.staged | length > 0)) | not' > /dev/null; do sleep 0.2; done
        echo "restart $restart: $changes attributes"
    done
}

differences() {  # how many of the attributes are not as planned
    ask GET "$bios" | jq --slurpfile wanted bundle/redfish/expected.json \
        '.Attributes as $is | [$wanted[0].attributes | to_entries[] | select($is[.key] != .value.wanted)] | length'
}

ask GET "$bios" > before.json
echo "as found: $(differences) attributes differ"
[ ! -e bundle/redfish/settings-first.json ] || reach bundle/redfish/settings-first.json
reach bundle/redfish/settings.json
echo "applied: $(differences) attributes differ"

# Somebody changes a value in the menu of the BIOS. A capture of the controller shows it.
jq -n --slurpfile before before.json --slurpfile plan bundle/redfish/settings.json '
    $before[0].Attributes as $was | [$plan[0].Attributes | to_entries[] | select($was[.key] != .value)] | last | {(.key): $was[.key]}' > drift.json
ask PATCH /twin/values drift.json > /dev/null
setpoint capture --redfish "$url" --ca-file twin/certificate.pem --no-redact > capture.json
setpoint verify "$file" --policy "$policy" --against capture.json > verified || true
echo "by hand: $(differences) attribute differs, $(jq -r 'keys[0]' drift.json)"
sed -n '/[0-9] differs*/p' verified | head -n 1
reach bundle/redfish/settings.json
echo "applied again: $(differences) attributes differ"

jq '{Attributes}' before.json > undo.json
reach undo.json
ask GET "$bios" | jq --slurpfile before before.json '.Attributes == $before[0].Attributes | if . then "undone: as found" else error("not as found") end' -r
