# Detects missing refusals of ballistic aggregation, runs that do not end or resume, and results that
# fail verify.
{
    some_dust
    echo 'observe: [{what: clusters, every: 5}, {what: energy, every: 5}]'
    echo 'output: {frames: {every: 10}}'
} > dust.yaml
number() { grep -oE "\"$2\": *[0-9.e+-]+" "$1"; }
holds_up() { expect 'the result holds up' bash -c 'timeout 60 "$CAROM" verify "$0" > /dev/null' "$1"; }
dust() { try run dust.yaml -q -o bad.h5 --force "$@"; }
# Elements that the engine does not support.
dust --set 'fields={gravity: [0, -1]}'
dust --set box.boundary=open
dust --set 'planes=[{name: floor, point: [1, 1], normal: [0, 1]}]'
dust --set 'contacts=[{between: [dust, wall], restitution: 0.5}]'
dust --set aggregation.skin=-1
dust --set aggregation.patience=0.5
dust --set aggregation.methods=events
dust --set run.until.clusters=0
dust --set 'box={size: 2, boundary: periodic}' --set particles.0.count=1
dust --set 'particles.0.velocity={uniform: [-1e151, 1e151]}'
dust --set 'particles.0.velocity={uniform: [-1e-160, 1e-160]}'
dust --set 'particles.0={species: dust, place: {at: [[5, 5], [5.5, 5]]}, velocity: zero}'
a_scene > gas.yaml
try run gas.yaml -q -o bad.h5 --force --set 'observe.0={what: clusters, every: 1}'
try run gas.yaml -q -o bad.h5 --force --set 'contacts=[{between: [grain, grain], stick: always}]'
try check gas.yaml --set run.until.clusters=3
# The summary has a heading above values only.
for every in 'every: 1' 'every: 1, start: 1e9'; do
    "$CAROM" run dust.yaml -o told.h5 --force --set "observe=[{what: temperature, $every}]" 2>&1 | sed -n '/result/,$p'
done
# The sticking law.
dust --set 'contacts=[{between: [dust, dust], stick: {below: 0}}]'
dust --set 'contacts=[{between: [dust, dust], stick: {under: 1}}]'
dust --set 'contacts=[{between: [dust, dust], stick: never}]'
dust --set 'contacts=[{between: [dust, dust], stick: {below: fast}}]'
# Runs without a possible merge end at once, or after a while.
dust --set particles.0.velocity=zero --json still.json
stop_in still.json
dust --set 'particles.0.velocity={uniform: [1, 1]}' --set box.boundary=periodic
row() {
    printf '  - {species: dust, velocity: {each: [%s, 0]}, place: {at: [[1, %s]' "$1" "$2"
    for k in {1..49}; do printf ', [%d, %s]' $((1 + 2 * k)) "$2"; done
    echo ']}}'
}
{
    sed '/^particles/,$d; s/size: .*/size: [100, 20], boundary: periodic}/' dust.yaml
    echo particles:
    row 1 5
    row -1 7
    echo 'run: {until: {clusters: 1}}'
} > rows.yaml
try run rows.yaml -q --json rows.json
stop_in rows.json
expect 'a checkpoint is there' test -s rows.h5.checkpoint
# Few events.
for setting in particles.0.count=1 run.until.clusters=49 run.until.clusters=1000; do
    quiet_run dust.yaml -o few.h5 --force --set $setting --json few.json
    stop_in few.json
    number few.json merge
    holds_up few.h5
done
# To one cluster, in any units, with sizes from 1 to 1000.
quiet_run dust.yaml -o whole.h5 --json whole.json
stop_in whole.json
number whole.json clusters
number whole.json merge
holds_up whole.h5
for power in e-9 e9; do
    quiet_run dust.yaml -o units.h5 --force --set species.dust.diameter=1$power --set "box.size=[20$power, 20$power]" \
        --set output.frames.every=1e99 --set 'observe=[]' --json units.json
    stop_in units.json
    holds_up units.h5
done
quiet_run dust.yaml -o sizes.h5 --json sizes.json \
    --set 'species={dust: {diameter: 4, mass: 1}, fine: {diameter: 0.004, mass: 1e-3}}' \
    --set 'particles=[{species: dust, count: 2, place: random, velocity: {circle: 1}},
                      {species: fine, count: 200, place: random, velocity: {circle: 1}}]'
stop_in sizes.json
holds_up sizes.h5
# Stopped and resumed, to the same bits; another scene is refused.
quiet_run dust.yaml -o parts.h5 --set run.until.clusters=30
quiet_run dust.yaml -o parts.h5 --set run.until.clusters=7 --resume
quiet_run dust.yaml -o parts.h5 --resume --json parts.json
expect 'the same bits' test "$(hash_in whole.json)" = "$(hash_in parts.json)"
means() { sed -n '/"observables"/,$p' "$1"; }
expect 'the same observables' test "$(means whole.json)" = "$(means parts.json)"
holds_up parts.h5
try run dust.yaml -o parts.h5 --resume --quiet --set species.dust.mass=2
