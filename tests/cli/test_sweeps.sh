#!/usr/bin/env bash
# Detects example sweeps whose results leave the bounds that their headers state.
set -u
[ "${CAROM_SANITIZE:-0}" = 0 ] || exit 77
cd "$CAROM_SOURCE" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for sweep in examples/sweeps/*.yaml; do
    name=$(basename "$sweep" .yaml)
    echo "$sweep"
    grep -q '^# expect ' "$sweep" || { echo "  states no expected number" && failed=1; }
    "$CAROM" sweep "$sweep" -o "$work/$name" --json "$work/$name.json" --quiet || { failed=1 && continue; }
    tools/expect.sh "$sweep" "$work/$name.json" || failed=1
done
exit $failed
