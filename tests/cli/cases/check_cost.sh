# Detects wrong cost estimates of `carom check` from a trial; numbers that depend on the machine are left out.
costs() { "$CAROM" check "$@" | sed -nE 's/^  cost .*(the whole run|by a trial|not known|then the run stops.* 76).*/\1/p'; }
a_scene 64 1e-3 > short.yaml
a_scene 500 1e9 > long.yaml
echo 'all of a short run:'
costs short.yaml
echo 'a long one:'
costs long.yaml --trial 0.3
echo 'no trial:'
costs long.yaml --trial 0
echo 'no end by time:'
costs long.yaml --trial 0.3 --set 'run.until={wall_time: 1000}'
try check long.yaml --trial soon
expect 'no file is written' test ! -e long.h5
echo 'one that fails:'
sed 's/packing_fraction: 0.2/packing_fraction: 0.7/; s/place: fcc/place: compress/' short.yaml > jam.yaml
"$CAROM" check jam.yaml --trial 20 > .out 2> .err
echo "$? $(wc -l < .out) $(sed 's/fraction 0.6[0-9]*,/fraction 0.6,/' .err)"
echo 'one that collapses:'
cat > cold.yaml << 'END'
carom: 1
engine: hard
dimension: 2
seed: 1
box: {size: [10, 20], boundary: wall}
species: {a: {diameter: 1}}
particles: [{species: a, count: 30, place: random, velocity: {maxwell: 1}}]
contacts: [{between: [a, a], restitution: 0.5}, {between: [a, wall], restitution: 0.5}]
fields: {gravity: [0, -1]}
run: {until: {time: 200}}
END
costs cold.yaml 2> /dev/null
"$CAROM" check cold.yaml --json 2> /dev/null | grep -oE '"(whole|fails)": [a-z]*'
