#!/usr/bin/env bash
# Detects examples whose results leave the bounds that their headers state, or fail `carom verify`. tests/bounds.md
# compares these bounds with the scatter of the results.
set -u
[ "${CAROM_SANITIZE:-0}" = 0 ] || exit 77
cd "$CAROM_SOURCE" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for scene in examples/*.yaml; do
    name=$(basename "$scene" .yaml)
    echo "$scene"
    grep -q '^# expect ' "$scene" || { echo "  states no expected number" && failed=1; }
    while IFS= read -r row; do
        grep -qF "$row" tests/bounds.md || { echo "  not in tests/bounds.md, make it with tools/bounds.py --write: $row" && failed=1; }
    done < <(sed -nE "s/^# expect (.*) = ([^ ]+) \\+- ([^ ]+): .*/| $name | \\1 | \\2 | \\3 |/p" "$scene")
    "$CAROM" check --trial 0 "$scene" > /dev/null || failed=1
    [ "${CAROM_TIER:-}" != quick ] || continue # their runs take 3 minutes
    "$CAROM" run "$scene" -o "$work/$name.h5" --json "$work/$name.json" --quiet || { failed=1 && continue; }
    tools/expect.sh "$scene" "$work/$name.json" || failed=1
    "$CAROM" verify "$work/$name.h5" > "$work/report" || { failed=1 && cat "$work/report"; }
done
exit $failed
