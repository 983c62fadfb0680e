# Detects wrong output of runs with meshes in the engine `hard`, escaped grains that pass verify, and accepted invalid
# thermal walls.
python=$(python_with h5py) || skip 'no h5py'
cat > cage.yaml <<'END'
carom: 1
engine: hard
dimension: 3
seed: 1
box: {size: [10, 10, 10], boundary: open}
species: {a: {diameter: 1, mass: 1}}
meshes: [{name: cage, shape: {solid: {kind: octahedron, radius: 4}}, place: {at: [5, 5, 5]}, rigid: true}]
drives: [{name: motor, mesh: cage, motion: [{turn: {axis: [0, 0, 1], through: [5, 5, 5], rate: 0.3}}]}]
particles: [{species: a, place: {at: [[5, 5, 5], [6.2, 5, 5]]}, velocity: {maxwell: 1}}]
run: {until: {time: 3}}
output: {frames: {every: 1}}
END
quiet_run cage.yaml
try verify cage.h5
change_result cage.h5 "p['position/value'][2, 0] = [9, 9, 9]"
"$CAROM" verify cage.h5 | grep 'mesh .cage. since'
"$CAROM" info cage.h5 | grep -E 'particles|mesh'
# The stored scene is the original scene.
stored_scene cage.h5 > again.yaml
grep -E 'turn|rigid' again.yaml
sed 's/turn: .*}}\]}/oscillate: {by: [0, 0, 0.1], frequency: 2}}]}/' cage.yaml > swing.yaml
"$CAROM" check swing.yaml | head -1
# Inside a mesh.
inside() { try check cage.yaml --set "particles.0={species: a, count: $1, place: {random: {inside: $2}}}" "${@:3}"; }
inside 5 cage
inside 5 cagf
inside 5 '[cage]'
inside 500 cage
inside 5 cage --set 'meshes.0.shape={tube: {radius: 2, length: 5, around: 12, along: 3}}'
try check cage.yaml --set 'particles.0={species: a, count: 5, place: {random: {within: cage}}}'
# Thermal walls.
a_scene > gas.yaml
with() { try check gas.yaml --set box.boundary=wall --set "contacts=[$1]"; }
species=$(sed -n 's/^ *- {species: \([a-z]*\).*/\1/p' gas.yaml | head -1)
"$CAROM" check gas.yaml --set box.boundary=wall --set "contacts=[{between: [$species, wall], temperature: 2}]" | head -1
with "{between: [$species, wall], temperature: 0}"
with "{between: [$species, wall], temperature: 2, restitution: 0.5}"
with "{between: [$species, $species], temperature: 2}"
for engine in aggregation variational; do
    try check gas.yaml --set box.boundary=wall --set engine=$engine --set "contacts=[{between: [$species, wall], temperature: 2}]"
done
try check gas.yaml --set box.boundary=wall --set hard.compression.rate=0.01 \
    --set "contacts=[{between: [$species, wall], temperature: 2}]"
# The same scene in `variational` with thin layers: after five collisions the position of the ball is that of `hard`.
cat > ball.yaml <<'END'
carom: 1
engine: hard
dimension: 3
box: {size: [10, 10, 10], boundary: open}
species: {ball: {diameter: 1, mass: 1}}
meshes:
  - {name: cage, shape: {solid: {kind: cube, radius: 5.2, parts: 2}}, thickness: 0.2, rigid: true,
     place: {at: [5, 5, 5], rotate: {axis: [1, 1, 1], angle: 0.5}}}
particles: [{species: ball, place: {at: [[5.1, 4.8, 5.3]]}, velocity: {each: [0.9, -0.7, 0.4]}}]
run: {until: {time: 12}}
output: {frames: {every: 12}}
END
"$CAROM" run ball.yaml -o hard.h5 --quiet
"$CAROM" run ball.yaml -o soft.h5 --quiet --set engine=variational --set variational.eta=0.001
"$python" -c "import h5py, math
a, b = (h5py.File(name)['particles/all/position/value'][-1, 0] for name in ('hard.h5', 'soft.h5'))
print('apart by less than 0.02:', math.dist(a, b) < 0.02)"
# Collisions of particles are counted apart from those with walls, as by the limit.
cat > walls.yaml << 'END'
carom: 1
engine: hard
dimension: 2
box: {size: [8, 8], boundary: wall}
species: {g: {diameter: 1, mass: 1}}
particles: [{species: g, count: 20, place: random, velocity: {maxwell: 1}}]
run: {until: {collisions: 100}}
END
"$CAROM" run walls.yaml 2>&1 | grep -oE 'collisions .* with walls'
