# Detects wrong output of rough spheres, changed results that pass verify, and accepted invalid scenes.
python=$(python_with h5py) || skip 'no h5py'
cat > rough.yaml <<'END'
carom: 1
engine: hard
dimension: 3
seed: 1
box: {packing_fraction: 0.2, boundary: open}
species: {ball: {diameter: 1, inertia: 0.6}, disk: {diameter: 1}}
particles:
  - {species: ball, count: 30, place: random, velocity: {maxwell: 1}, angular_velocity: {maxwell: 1}}
  - {species: disk, count: 2, place: random, angular_velocity: {each: [[1, 2, 3], [0, 0, 1]]}}
contacts:
  - {between: [ball, ball], restitution: 0.9, tangential: 0.5}
  - {between: [ball, disk], tangential: 1}
run: {until: {time: 3}}
observe: [{what: rotational_temperature, every: 1}]
output: {frames: {every: 1}}
END
quiet_run rough.yaml
try verify rough.h5
"$CAROM" info rough.h5 | grep '^rough'
# The stored scene runs to the same state.
stored_scene rough.h5 > again.yaml
grep -E 'inertia|angular|tangential' again.yaml
quiet_run again.yaml
same_state rough.h5 again.h5
# Spins in exports are those of the file.
for kind in xyz csv vtp; do "$CAROM" export rough.h5 --to $kind -o spins.$kind --force > /dev/null 2>&1; done
"$python" -c "import csv, h5py, re
w = h5py.File('rough.h5')['particles/all/angular_velocity/value'][0]
same = lambda rows: all(float(a) == b for row, spin in zip(rows, w) for a, b in zip(row, spin))
rows = [line.split() for line in open('spins.xyz')]
print('xyz', re.search('angular_velocity:R:3', ' '.join(rows[1])) is not None, same(row[10:13] for row in rows[2:34]))
print('csv', same((row['wx'], row['wy'], row['wz']) for row in csv.DictReader(open('spins.csv'))))"
grep -l 'Name=\"angular_velocity\" NumberOfComponents=\"3\"' spins*.vtp spins*/*.vtp 2> /dev/null | wc -l
change() { changed_copy rough.h5 "$1" && complaints t.h5; }
change "p['angular_velocity/value'][2, 3, 1] *= -1"
change "p['angular_velocity/value'][2, 3] = numpy.nan"
change "p['moment_of_inertia'][3] *= 2"
wrong() { check_changed rough.yaml "$1"; }
wrong 's/tangential: 1/tangential: 1.5/'
wrong 's/tangential: 1/tangential: rough/'
wrong 's/tangential: 1/tangental: 1/'
wrong 's/inertia: 0.6/inertia: 0.7/'
wrong 's/inertia: 0.6/inertia: 0/'
wrong 's/angular_velocity: \{maxwell: 1/angular_velocity: {maxwell: -1/'
wrong 's/angular_velocity: \{maxwell: 1\}/angular_velocity: fast/'
wrong 's/angular_velocity: \{maxwell: 1\}/angular_velocity: {each: 3}/'
wrong 's/, \[0, 0, 1\]\]/, [0, 0, 1], [1, 1, 1]]/'
wrong 's/\[\[1, 2, 3\], \[0, 0, 1\]\]/[]/'
wrong 's/\[\[1, 2, 3\], \[0, 0, 1\]\]/[1e200, 0, 0]/'
wrong 's/dimension: 3/dimension: 2/'
wrong 's/engine: hard/engine: variational/'
wrong 's/engine: hard/engine: aggregation/'
wrong 's/^  - \{between.*//; s/contacts:/contacts: []/; s/, angular_velocity: .*/}/; s/, inertia: 0.6//'
