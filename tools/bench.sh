#!/usr/bin/env bash
# Events per second of each scene of bench/, one table:  tools/bench.sh BUILD-FOLDER
# A scene is run REPEAT times (3) after a warm-up; counts are exact, the time is the median. A comment `# sizes: ...`
# in a scene gives the particle counts; `growth` is the exponent of the cost per event from one size to the next.
set -u
cd "$(dirname "$0")/.." || exit 1
build=${1:-build/release}
work=$build/bench
repeat=${REPEAT:-3}
mkdir -p "$work"

# field FILE PATH : a number of a summary.
field() { awk -f tools/json.awk "$1" | awk -v path="$2" '$1 == path { print $2 }'; }

printf '%-24s %9s %12s %13s %10s %12s %7s\n' scene N events events/s ns/event bytes/part. growth
for scene in bench/*.yaml; do
    name=$(basename "$scene" .yaml)
    read -r -a sizes <<< "$(sed -n 's/^# sizes: //p' "$scene")"
    before=''
    for n in "${sizes[@]}"; do
        times=()
        for _ in $(seq 0 "$repeat"); do
            "$build/carom" run "$scene" --set "particles.0.count=$n" -o "$work/$name.h5" --json "$work/$name.json" \
                --force --quiet || exit 1
            times+=("$(field "$work/$name.json" wall_s)")
        done
        median=$(printf '%s\n' "${times[@]:1}" | sort -g | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)] }')
        row=$(awk -v scene="$name" -v n="$n" -v events="$(field "$work/$name.json" events.total)" -v t="$median" \
            -v rss="$(field "$work/$name.json" peak_rss_bytes)" -v before="$before" 'BEGIN {
                cost = t / events
                split(before, b, " ")
                growth = before == "" ? "" : sprintf("%.2f", log(cost / b[2]) / log(n / b[1]))
                printf "%-24s %9d %12d %13.4g %10.1f %12.0f %7s\n", scene, n, events, 1 / cost, 1e9 * cost, rss / n, growth
                printf "%d %.9g", n, cost
            }')
        printf '%s\n' "${row%$'\n'*}"
        before=${row##*$'\n'}
    done
done

printf '\n'
"$build/bench_queue"
