# Detects stopped and resumed runs whose bits differ from an uninterrupted run.
a_scene 256 2 > gas.yaml
quiet_run gas.yaml -o whole.h5 --json whole.json
quiet_run gas.yaml -o parts.h5 --set run.until.time=0.7
quiet_run gas.yaml -o parts.h5 --set run.until.time=1.3 --resume
quiet_run gas.yaml -o parts.h5 --resume --json parts.json
expect 'the same bits' test "$(hash_in whole.json)" = "$(hash_in parts.json)"
counts() { grep -oE '"(collision|wall|total)": *[0-9]+' "$1"; }
expect 'the same counts' test "$(counts whole.json)" = "$(counts parts.json)"
means() { sed -n '/"observables"/,$p' "$1"; }
expect 'the same observables' test "$(means whole.json)" = "$(means parts.json)"
# A finished run is reported.
try run gas.yaml -o parts.h5 --resume --quiet
# Another scene is refused, by the key that differs.
try run gas.yaml -o parts.h5 --resume --quiet --seed 2
try run gas.yaml -o parts.h5 --resume --quiet --set species.grain.mass=2
# Nothing to resume.
try run gas.yaml -o new.h5 --resume --quiet
# The reference of `variational` counts its certificates alike, too.
events() { "$CAROM" info "$1" --json | tr -d '\n ' | grep -o '"events":{[^}]*}'; }
reference="$CAROM_SOURCE/examples/chain.yaml --set variational.reference=true --set output.frames.every=0.05"
# shellcheck disable=SC2086
quiet_run $reference -o all.h5 --set run.until.time=0.2
# shellcheck disable=SC2086
quiet_run $reference -o steps.h5 --set run.until.time=0.07
# shellcheck disable=SC2086
quiet_run $reference -o steps.h5 --resume --set run.until.time=0.2
expect 'the same events' test "$(events all.h5)" = "$(events steps.h5)"
expect 'certificates among them' grep -q certificate <<< "$(events all.h5)"
