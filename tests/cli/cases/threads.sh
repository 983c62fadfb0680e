# Detects results that depend on --threads, and features of `hard` that run wrong on several threads instead of being
# refused.
cat > gas.yaml << 'END'
carom: 1
engine: hard
dimension: 3
seed: 3
box: {packing_fraction: 0.2, boundary: periodic}
species: {grain: {diameter: 1, mass: 1}}
particles: [{species: grain, count: 200, place: random, velocity: {maxwell: 1}}]
contacts: [{between: [grain, grain], restitution: 0.9}]
run: {until: {time: 3}}
observe: [{what: energy, every: 0.2}, {what: pressure, every: 0.2}]
output: {frames: {every: 1}}
END
for n in 1 3 8; do quiet_run gas.yaml --threads $n -o on-$n.h5 --json on-$n.json; done
results() { sed '/"domains": {/,/}/d' "on-$1.json" | grep -vE '"(threads|transfer|[a-z_]+_s|peak_rss_bytes)"'; }
same() { diff <(results $1) <(results $2); }
expect 'three threads: the results of one' same 1 3
expect 'eight threads: the results of one' same 1 8
grep -oE '"(threads|state_hash)": .*' on-3.json
try run gas.yaml --threads 2 -o refused.h5 --set box.boundary=wall --set 'fields={gravity: [0, 0, -1]}' \
    --set 'hard={collapse: {policy: sleep, speed: 0.01}}'
for set in 'species.grain={semi_axes: [0.6, 0.4, 0.4], mass: 1}' \
    hard.shear.rate=0.1 hard.compression.rate=0.01 hard.reference=true hard.detection=naive; do
    try run gas.yaml --threads 2 -o refused.h5 --set "$set"
done
try run gas.yaml --threads 2 -o refused.h5 --set output.events=true
expect 'no result of a refused run' test ! -e refused.h5
try run gas.yaml --threads 0 -o refused.h5
