#!/usr/bin/env bash
# Detects a README.md that is out of date: a number that differs from the result of its scene, commands that fail, broken links.
set -u
[ "${CAROM_SANITIZE:-0}" = 0 ] || exit 77
readme=$CAROM_SOURCE/README.md
carom=$(realpath "${CAROM:-$CAROM_BUILD/carom}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
    echo "$*"
    failed=1
}

grep -oE '\]\([^)#]+' "$readme" | sed 's/^](//' | grep -v '^http' | sort -u | while read -r link; do
    [ -e "$CAROM_SOURCE/$link" ] || echo "$link"
done > "$work/lost"
[ -s "$work/lost" ] && fail "no such files: $(tr '\n' ' ' < "$work/lost")"

cd "$work" || exit 1
sed -n '/^```yaml$/,/^```$/p' "$readme" | grep -v '^```' > fluid.yaml
"$carom" run fluid.yaml > said 2>&1 || fail "the scene: $(cat said)"
stated=$(tr '\n' ' ' < "$readme" | grep -oE 'compressibility factor of [0-9.]+ \+- [0-9.]+' | awk '{ print $4, $6 }')
found=$(awk '$1 ~ /compressibility$/ { printf "%.3f %.3f", $2, $4 }' said)
echo "compressibility: stated '$stated', found '$found'"
[ "$stated" = "$found" ] || fail 'they differ'

# The commands of the first screen, from the root of the sources; their files are written here.
grep -E '^    carom (run|render) ' "$readme" | sed 's/ *#.*//' | grep -v fluid > commands
[ "$(wc -l < commands)" = 2 ] || fail "the first screen has $(wc -l < commands) commands, not 2"
while read -r _ arguments; do
    # shellcheck disable=SC2086
    "$carom" ${arguments/examples/$CAROM_SOURCE/examples} > said 2>&1 || {
        grep -q 'without cairo' said || fail "carom $arguments: $(cat said)"
    }
done < commands
[ -s hopper.h5 ] || fail 'no hopper.h5'
exit $failed
