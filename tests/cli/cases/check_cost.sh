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
# A body far lighter than all others sets the step, in the check and at the start of a run.
cat > light.yaml << 'END'
carom: 1
engine: variational
box: {size: [6, 6, 6], boundary: open}
species: {a: {diameter: 1, density: 1000}, b: {diameter: 1, density: 0.01}}
particles:
  - {species: a, place: {at: [[1, 1, 1], [3, 1, 1], [3, 3, 3]]}, velocity: {uniform: [-1, 1]}}
  - {species: b, place: {at: [[5, 5, 5]]}}
run: {until: {time: 0.001}}
END
try check light.yaml
try run light.yaml -q
try check light.yaml --set species.b.density=20
cat > die.yaml << 'END'
carom: 1
engine: variational
box: {size: [9, 9, 9], boundary: open}
species: {a: {diameter: 0.1}}
meshes:
  - {name: heavy, shape: {box: {size: [1, 1, 1]}}, place: {at: [2, 2, 2]}, species: a, thickness: 0.05}
  - {name: light, shape: {box: {size: [1, 1, 1]}}, place: {at: [5, 5, 5]}, species: a, thickness: 0.05}
bodies: [{name: one, mesh: heavy, density: 1000}, {name: two, mesh: light, density: 0.01}]
variational: {stiffness: 1000}
run: {until: {time: 0.001}}
END
try check die.yaml
