#!/usr/bin/env bash
# Runs the examples marked `# demo: n` in that order and prints results next to the expected numbers:
#   tools/demo.sh BUILD-FOLDER
set -u
cd "$(dirname "$0")/.." || exit 1
build=${1:-build/release}
out=$build/demo
mkdir -p "$out"
status=0
started=$SECONDS
pictures=()

# picture COMMAND ENDING : of the present scene; without cairo there are no pictures.
picture() {
    if "$build/carom" "$1" "$out/$name.h5" -o "$out/$name.$2" --force 2> "$out/$name.why"; then
        pictures+=("$out/$name.$2")
    elif ! grep -q 'without cairo' "$out/$name.why"; then
        cat "$out/$name.why"
        status=1
    fi
    rm -f "$out/$name.why"
}

while read -r _ scene; do
    name=$(basename "$scene" .yaml)
    printf '\n%s  (%s)\n' "$(sed -n 's/^title: //p' "$scene")" "$scene"
    "$build/carom" run "$scene" -o "$out/$name.h5" --json "$out/$name.json" --force --quiet || { status=1 && continue; }
    awk -f tools/json.awk "$out/$name.json" | awk '
        { value[$1] = $2 }
        END { printf "  %d collisions in %.2f s, %.3g events a second\n", value["events.collision"] + value["events.wall"],
              value["wall_s"], value["events_per_s"] }'
    tools/expect.sh "$scene" "$out/$name.json" || status=1
    "$build/carom" verify "$out/$name.h5" > "$out/$name.verify.txt" || { status=1 && cat "$out/$name.verify.txt"; }
    awk -f tools/json.awk "$out/$name.json" | awk -v base="$out/$name" -f tools/tables.awk > /dev/null
    "$build/carom" export "$out/$name.h5" --to xyz -o "$out/$name.xyz" --force 2> /dev/null || status=1
    picture render png
    picture plot svg
done < <(grep -H '^# demo: ' examples/*.yaml | sed -E 's/^(.*):# demo: (.*)$/\2 \1/' | sort -n)

printf '\nWritten to %s, in %d s (NAME.h5 result, NAME.xyz for OVITO, NAME.json summary, NAME.*.csv tables):\n' \
    "$out" $((SECONDS - started))
for scene in "$out"/*.h5; do
    name=$(basename "$scene" .h5)
    printf '  %s' "$name.h5" "$name.xyz" "$name.json"
    for table in "$out/$name".*.csv; do [ ! -e "$table" ] || printf '  %s' "$(basename "$table")"; done
    echo
done
if [ ${#pictures[@]} -gt 0 ]; then
    printf 'Pictures:\n'
    printf '  %s\n' "${pictures[@]}"
else
    echo 'No pictures: carom was built without cairo.'
fi
[ $status -eq 0 ] && echo "All numbers are as expected." || echo "Some numbers are not as expected: see above."
echo "To see one live, in a browser: $build/carom view examples/draped-cloth.yaml"
exit $status
