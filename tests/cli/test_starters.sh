#!/usr/bin/env bash
# Detects scenes of `carom init` that do not run, leave the bounds that they state, or fail `carom verify`.
set -u
[ "${CAROM_SANITIZE:-0}" = 0 ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
names=$("$CAROM" init --list | awk '{ print $1 }')
[ "$(wc -l <<< "$names")" -ge 9 ] || { echo "the list is short: $names" && failed=1; }
tier=${CAROM_TIER:-all}
for name in $names; do
    case $name in drum | hopper | pile) runs=ci ;; *) runs=quick ;; esac # the runs of these take seconds
    [ "$tier" != ci ] || [ $runs = ci ] || continue
    echo "$name"
    "$CAROM" init "$name" -o "$name.yaml" || { failed=1 && continue; }
    grep -q "^# $name: ." "$name.yaml" || { echo "  the first line does not describe it" && failed=1; }
    grep -q '^# Expect: ' "$name.yaml" || { echo "  states no expectation" && failed=1; }
    grep -q "$name" <("$CAROM" help --completion bash) || { echo "  is not completed" && failed=1; }
    [ "$name" != sweep ] || continue
    grep -q '^# expect ' "$name.yaml" || { echo "  states no expected number" && failed=1; }
    "$CAROM" check "$name.yaml" > /dev/null || failed=1
    [ "$tier" != quick ] || [ $runs = quick ] || continue
    "$CAROM" run "$name.yaml" --json "$name.json" --quiet || { failed=1 && continue; }
    "$CAROM_SOURCE/tools/expect.sh" "$name.yaml" "$name.json" || failed=1
    "$CAROM" verify "$name.h5" > report || { failed=1 && cat report; }
done
[ "$tier" != ci ] || exit $failed
# The sweep uses the scene `gas` in the same folder.
"$CAROM" sweep sweep.yaml -q --jobs 1 || failed=1
tr -d '\r' < sweep/table.csv | awk -F, '$4 == "pressure.compressibility" { print "  compressibility", $2, $6; found++
    expected = $2 == 0.1 ? 1.52 : $2 == 0.2 ? 2.41 : 3.97; off = $6 / expected - 1; bad += off * off > 0.01 }
    END { exit found != 3 || bad }' || { echo "  the sweep's table is not as expected" && failed=1; }
# Alternative words lead to them.
for pair in granular:granular-gas powder:pile fabric:cloth silo:hopper rope:chain dust:aggregates cloths:cloth study:sweep; do
    "$CAROM" init "${pair%:*}" > /dev/null 2> said && { echo "'${pair%:*}' is no name" && failed=1; }
    grep -q "did you mean '${pair#*:}'" said || { echo "'${pair%:*}' does not lead to ${pair#*:}:" && cat said && failed=1; }
done
for engine in hard aggregation variational; do
    "$CAROM" init "$engine" | grep -q "^engine: $engine" || { echo "no scene of $engine" && failed=1; }
done
exit $failed
