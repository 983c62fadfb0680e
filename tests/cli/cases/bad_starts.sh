# Detects wrong messages for overlapping initial states: particles by number, and their file.
start() { # start BOX PARTICLES
    cat > s.yaml << END
carom: 1
engine: hard
box: $1
species:
  grain: {diameter: 1}
particles:
  - {species: grain, $2}
run: {until: {time: 1}}
END
    try check s.yaml
}
wall='{size: [5, 5, 5], boundary: wall}' periodic='{size: [5, 5, 5], boundary: periodic}'
start "$wall" 'place: {at: [[1, 1, 1], [1.5, 1, 1], [4.9, 1, 1]]}'
start "$wall" 'place: {at: [[0, 0, 0], [0, 1, 1], [5, 5, 5], [6, 6, 6], [3, 3, 3]]}'
start "$periodic" 'place: {at: [[0.1, 1, 1], [4.9, 1, 1]]}'
start "$periodic" 'place: {at: [[1, 1]]}'
start "$periodic" 'place: {at: []}'
start "$periodic" 'count: 0, place: random'
start "$periodic" 'count: 100, place: random'
start "$periodic" 'count: 200, place: random'
start '{size: [5, 2, 5], boundary: periodic}' 'count: 2, place: random'
start '{packing_fraction: 0.2, boundary: periodic}' 'count: 1, place: random'
start '{size: [5, 0.9, 5], boundary: wall}' 'count: 1, place: random'
start '{size: [5, 5, 5], boundary: open}' 'place: {at: [[1, 1, 1], [1.5, 1, 1]]}'
start "$periodic" 'count: 1, place: random, velocity: file'
# From a file: its name and line.
xyz() {
    # shellcheck disable=SC2059
    printf "$1" > p.xyz
    start '{size: [9, 9, 9], boundary: periodic}' 'place: {file: p.xyz}'
}
xyz ''
xyz 'two\n\ngrain 1 1 1\n'
xyz '2\n\ngrain 1 1 1\n'
xyz '2\n\ngrain 1 1 1\ngrain 1.5 1 1\n'
xyz '1\n\nsand 1 1 1\n'
xyz '1\n\ngrain 1 1 nan\n'
xyz '1\n\ngrain 1 1 1e400\n'
xyz '1\n\ngrain 1 1 1,5\n'
xyz '1\n\ngrain 1 1\n'
xyz '1\n\ngrain 1 1 1 1\n'
xyz '4000000000\n\ngrain 1 1 1\n'
xyz '99999999999999999999\n\ngrain 1 1 1\n'
xyz '1\nProperties=pos:R:3:radius:R:1\n1 1 1 -1\n'
xyz '1\nLattice="5 0 0 0 5 0 0 0 5"\ngrain 1 1 1\n'
xyz '\0\0\001'
rm p.xyz
start "$periodic" 'place: {file: p.xyz}'
mkdir p.xyz
start "$periodic" 'place: {file: p.xyz}'
printf '\x89HDF\r\n\x1a\n' > p.h5
start "$periodic" 'place: {file: p.h5}'
# More than any machine holds; the limit is for those that would try (the sanitizers cannot live with one).
(
    [ "${CAROM_SANITIZE:-0}" != 0 ] || ulimit -v 8000000
    start "$periodic" 'count: 4e9, place: random'
    start "$periodic" 'count: 1e10, place: random'
)
# A compression that jams.
cat > jam.yaml << 'END'
carom: 1
engine: hard
box: {packing_fraction: 0.7, boundary: periodic}
species:
  grain: {diameter: 1}
particles:
  - {species: grain, count: 256, place: {compress: {rate: 10}}}
run: {until: {time: 1}}
END
try run jam.yaml
expect 'nothing is left' test "$(echo jam*)" = jam.yaml
# Limits of the engine are checked when the scene is read.
a_scene > gas.yaml
for policy in tc cutoff sleep; do try check gas.yaml --set hard.collapse.policy=$policy; done
for key in tc speed; do try check gas.yaml --set hard.collapse.$key=1e-3; done
try check gas.yaml --set 'planes=[{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]'
try check gas.yaml --set 'meshes=[{name: bunny, file: bunny.obj}]'
try check gas.yaml --set 'observe=[{what: vacf}]'
try check gas.yaml --set hard.precision=float --set 'particles.0.velocity={maxwell: 1e30}'
# Engines without forces refuse elements with forces.
for entry in 'springs=[{name: tie, pairs: [[0, 1]], stiffness: 1}]' \
    'segments=[{name: rod, pairs: [[0, 1]], diameter: 1, species: grain}]' 'drives=[{name: stop, particles: [0]}]' \
    'bodies=[{name: block, particles: [0, 1]}]' 'contacts=[{between: [grain, grain], friction: 0.5}]'; do
    try check gas.yaml --set "$entry"
done
try check gas.yaml --set engine=aggregation --set 'bodies=[{name: block, particles: [0, 1]}]'
try check gas.yaml --set 'springs=[{name: tie, pairs: [[0, 1000000]], stiffness: 1}]'
# Refusals of observables come before the run.
cat > o.yaml << END
carom: 1
engine: hard
box: {size: [9, 9, 9], boundary: open}
species: {grain: {diameter: 1}}
particles:
  - {species: grain, count: 50, place: random}
run: {until: {time: 1}}
observe: [{what: energy}, {what: radial_distribution}]
END
try check o.yaml
try check o.yaml --set 'observe=[{what: ledger, every: 0.1}]'
memory() { "$CAROM" check --trial 0 o.yaml --set box.boundary=periodic --set "observe=$1" | sed -n 's/ *memory *\([0-9.]*\) kB/\1/p'; }
expect 'what they keep is counted' awk -v with="$(memory '[{what: msd, every: 0.01}]')" -v without="$(memory '[]')" \
    'BEGIN { exit !(with > without + 3) }'
