#!/usr/bin/env bash
# The cost of a collision in each scene of bench/, as one table:  tools/bench.sh BUILD-FOLDER
# REPEAT (3) rounds of all scenes after a warm-up round; counts are exact, times are medians of CPU time. Comments in a scene:
# `# sizes: ...` gives the particle counts (scenes without it are left out), `# collisions of a particle: c` the length where it grows with the count. `ratio` is
# the cost over that of the 3D monodisperse fluid (fluid-3d) at the same count, `growth` its exponent from one count to the next.
# For the engine `variational` also the time per force of a layer. ONLY=PATTERN: only scenes whose names match (`variational*`).
set -u
cd "$(dirname "$0")/.." || exit 1
build=${1:-build/release}
work=$build/bench
repeat=${REPEAT:-3}
mkdir -p "$work"
cmake --build "$build" --target bench_queue > "$work/build.log" || { cat "$work/build.log"; exit 1; }

# field FILE PATH : a number of a summary.
field() { awk -f tools/json.awk "$1" | awk -v path="$2" '$1 == path { print $2 }'; }

# comment SCENE NAME : the value in a comment of the scene.
comment() { sed -n "s/^# $2: //p" "$1"; }

# run_once SCENE N : a line `scene N collisions seconds bytes forces`.
run_once() {
    local name each options=(--set "particles.0.count=$2")
    name=$(basename "$1" .yaml)
    each=$(comment "$1" 'collisions of a particle')
    [ -z "$each" ] || options+=(--set "run.until.collisions=$(($2 * each / 2))")
    "$build/carom" run "$1" "${options[@]}" -o "$work/$name.h5" --json "$work/$name.json" --force --quiet --threads 1 || exit 1
    echo "$name $2 $(field "$work/$name.json" events.collision) $(field "$work/$name.json" cpu_s)" \
        "$(field "$work/$name.json" peak_rss_bytes)" "$(field "$work/$name.json" events.force)"
}

for round in $(seq 0 "$repeat"); do
    for scene in bench/${ONLY:-*}.yaml; do
        read -r -a sizes <<< "$(comment "$scene" sizes)"
        for n in "${sizes[@]}"; do
            line=$(run_once "$scene" "$n") || exit 1
            [ "$round" -eq 0 ] || echo "$line"
        done
    done
done > "$work/runs.txt"

printf '%-22s %9s %12s %14s %13s %7s %12s %7s %9s\n' scene N collisions collisions/s ns/collision ratio bytes/part. \
    growth ns/force
sort -s -k1,1 -k2,2n -k4,4g "$work/runs.txt" | awk '
    { key = $1 " " $2 }
    key != last { order[++rows] = last = key; collisions[key] = $3; bytes[key] = $5; forces[key] = $6 }
    { time[key, ++runs[key]] = $4 }
    END {
        for (r = 1; r <= rows; r++) {
            key = order[r]
            cost[key] = time[key, int((runs[key] + 1) / 2)] / collisions[key]
        }
        for (r = 1; r <= rows; r++) {
            key = order[r]
            split(key, now, " ")
            base = cost["fluid-3d " now[2]]
            growth = now[1] == before[1] ? sprintf("%.2f", log(cost[key] / cost[order[r - 1]]) / log(now[2] / before[2])) : ""
            ratio = base > 0 ? sprintf("%.2f", cost[key] / base) : ""
            force = forces[key] > 0 ? sprintf("%.1f", 1e9 * cost[key] * collisions[key] / forces[key]) : ""
            printf "%-22s %9d %12d %14.4g %13.1f %7s %12.0f %7s %9s\n", now[1], now[2], collisions[key], 1 / cost[key],
                1e9 * cost[key], ratio, bytes[key] / now[2], growth, force
            split(key, before, " ")
        }
    }'

printf '\n'
"$build/bench_queue"
