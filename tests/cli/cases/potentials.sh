# Detects wrong output of stepped potentials, contradictions to other programs, and accepted invalid scenes.
cat > well.yaml <<'END'
carom: 1
engine: hard
seed: 1
box: {packing_fraction: 0.2}
species: {a: {diameter: 1}, b: {diameter: 0.5}}
particles:
  - {species: {a: 1, b: 1}, count: 100, place: random, velocity: {maxwell: 1}}
potentials:
  - {between: [a, a], square_well: {range: 1.5, depth: 1}}
  - {between: [b, a], staircase: {range: 1.5, depth: -0.5, steps: 2}}
  - {between: [b, b], bridge: {rupture: 1.25, energy: 0.25}}
run: {until: {events: 2000}}
output: {frames: {every: 0.1}}
END
"$CAROM" run well.yaml --quiet --json well.json
expect 'steps are events' grep -qE '"force": [1-9]' well.json
"$CAROM" run well.yaml -o told.h5 2>&1 | grep -E 'other events' | sed -E 's/ [0-9.]+ k / N k /'
expect 'pairs have an energy' grep -qE '"potential": -?[1-9]' well.json
expect 'bridges take some' grep -qE '"dissipated": [1-9]' well.json
"$CAROM" verify well.h5 | grep -E 'sound|stored|energy|momentum  '  | sed -E 's/[0-9.e-]+ frames/N frames/; s/within.*//'
# The stored scene is the one that ran, and runs to the same state.
python=$(python_with h5py) || skip 'no h5py'
stored_scene well.h5 > again.yaml
sed -n '/^potentials/,/^fields/p' again.yaml
quiet_run again.yaml
same_state well.h5 again.h5
# A file whose energy of pairs does not fit.
change_result well.h5 "h['carom/frames/pair_energy'][1] += 1"
"$CAROM" verify well.h5 | grep -cE 'VIOLATED|the stored (potential|total)'
bad() { # bad LINE : potentials that are refused
    { sed '/^potentials/,/^  - .between: .b, b/d' well.yaml; echo "potentials: $1"; } > bad.yaml
    try check bad.yaml
}
bad '[{between: [a, c], square_well: {range: 1.5, depth: 1}}]'
bad '[{between: [a], square_well: {range: 1.5, depth: 1}}]'
bad '[{between: [a, b], square_well: {range: 0.9, depth: -1}}]'
bad '[{between: [a, b], square_well: {range: 1.5}}]'
bad '[{between: [a, b], square_wall: {range: 1.5, depth: 1}}]'
bad '[{between: [a, b]}]'
bad '[{between: [a, b], steps: [[1.5, 1]], bridge: {rupture: 1.1, energy: 1}}]'
bad '[{between: [a, b], steps: [[1.5, 1]]}, {between: [b, a], steps: [[1.2, 1]]}]'
bad '[{between: [a, b], steps: []}]'
bad '[{between: [a, b], steps: [[1, 1]]}]'
bad '[{between: [a, b], steps: [[1.5, 1], [1.2, 3], [1.5, 2]]}]'
bad '[{between: [a, b], steps: [1.5, nan]}]'
bad '[{between: [a, b], lennard_jones: {epsilon: 0, core: 2, steps: 1}}]'
bad '[{between: [a, a], square_well: {range: 4, depth: 1}}]'
bad 3
try check well.yaml --set hard.collapse.policy=sleep --set hard.collapse.speed=0.1 --set fields.gravity='[0, 0, -1]'
try check well.yaml --set hard.detection=naive
try check well.yaml --set engine=variational
try check well.yaml --set engine=aggregation
try check well.yaml --set hard.compression.rate=0.01
