# Detects wrong output and exports of ellipsoids, changed results that pass verify, and accepted invalid scenes.
python=$(python_with h5py) || skip 'no h5py'
cat > eggs.yaml <<'END'
carom: 1
engine: hard
dimension: 3
seed: 1
box: {packing_fraction: 0.1, boundary: [periodic, wall, periodic]}
species: {egg: {semi_axes: [1, 0.4, 0.4], density: 1, inertia: 0.3}, ball: {diameter: 0.5}}
particles:
  - {species: egg, count: 40, place: random, velocity: {maxwell: 1}, orientation: {along: [0, 3, 4]}}
  - {species: {egg: 1, ball: 1}, count: 20, place: random, velocity: {maxwell: 1}, angular_velocity: {maxwell: 1}}
contacts: [{between: [egg, egg], restitution: 0.9}]
run: {until: {time: 3}}
observe: [{what: nematic_order, every: 1}, {what: packing_fraction, every: 1}, {what: rotational_temperature, every: 1}]
output: {frames: {every: 1}}
END
quiet_run eggs.yaml
try verify eggs.h5
"$CAROM" check eggs.yaml | grep -i fraction
"$CAROM" info eggs.h5 | grep -E '^(rough|ellipsoids)|packing_fraction'
# The stored scene runs to the same state.
stored_scene eggs.h5 > again.yaml
grep -E 'semi_axes|orientation|angular' again.yaml
quiet_run again.yaml
same_state eggs.h5 again.h5
# Exports: lengths of axes, and consistent half widths.
try export eggs.h5 --to csv
head -1 eggs.csv
try export eggs.h5 --to xyz
sed -n 2p eggs.xyz | grep -o 'Properties=[^ ]*'
"$python" -c "import h5py, numpy
h = h5py.File('eggs.h5')['particles/all']
u, s = h['orientation/value'][:], h['semi_axes'][:]
print(u.shape, s.shape, numpy.abs((u**2).sum(axis=2) - 1).max() < 1e-12, numpy.unique(s, axis=0).tolist())
print(u[0, 0].tolist())
w = h['angular_velocity/value'][:, :40]
print('spins across the axes:', numpy.abs((w * u[:, :40]).sum(axis=2)).max() < 1e-12)"
change() { changed_copy eggs.h5 "$1" && complaints t.h5; }
change "p['orientation/value'][2, 3, 1] *= 2"
change "p['orientation/value'][2, 3] = numpy.nan"
change "p['position/value'][1, 4] = p['position/value'][1, 3] + 0.79 * numpy.cross(p['orientation/value'][1, 3], [1, 0, 0])"
wrong() { echo "# $1" && check_changed eggs.yaml "$1"; }
wrong 's/semi_axes: \[1, 0.4, 0.4\]/semi_axes: [1, 0.4]/'
wrong 's/semi_axes: \[1, 0.4, 0.4\]/semi_axes: [1, 0.4, 0.5]/'
wrong 's/semi_axes: \[1, 0.4, 0.4\]/semi_axes: [1, 0, 0]/'
wrong 's/semi_axes: \[1, 0.4, 0.4\]/semi_axes: [1, 1e-4, 1e-4]/'
wrong 's/semi_axes: \[1, 0.4, 0.4\]/semi_axes: 1/'
wrong 's/semi_axes: \[1, 0.4, 0.4\]/semi_axes: [1, 0.4, 0.4], diameter: 1/'
wrong 's/semi_axes/semiaxes/'
wrong 's/\{along: \[0, 3, 4\]\}/{along: [0, 0, 0]}/'
wrong 's/\{along: \[0, 3, 4\]\}/upwards/'
wrong 's/\{along: \[0, 3, 4\]\}/{each: [[1, 0, 0]]}/'
wrong 's/\{along: \[0, 3, 4\]\}/{around: [0, 3, 4]}/'
wrong 's/semi_axes: \[1, 0.4, 0.4\]/diameter: 1/'
wrong 's/engine: hard/engine: variational/'
wrong 's/engine: hard/engine: aggregation/'
wrong '0,/place: random/s//place: compress/'
wrong 's/restitution: 0.9/tangential: 0.5/'
wrong 's/^run/potentials: [{between: [egg, egg], square_well: {range: 1.5, depth: 1}}]\nrun/'
wrong 's/^run/hard: {thermostat: {temperature: 1, rate: 1}}\nrun/'
wrong 's/^run/hard: {shear: {rate: 1}}\nrun/'
wrong 's/^run/hard: {detection: naive}\nrun/'
wrong 's/what: nematic_order, every: 1/what: impact_separation/'
wrong 's/place: random, velocity: \{maxwell: 1\}, orientation/place: {at: [[2, 2, 2], [2, 2, 2.79]]}, orientation/; s/count: 40, //'
wrong 's/place: random, velocity: \{maxwell: 1\}, orientation/place: {at: [[2, 0.5, 2]]}, orientation/; s/count: 40, //; s/packing_fraction: 0.1/size: 6/'
