# Detects misread meshes in scenes, and wrong messages for invalid ones.
a_scene > gas.yaml
with() { try check gas.yaml --set "meshes=[$1]"; }
# Keys.
with '{name: a}'
with '{name: a, file: b.obj, shape: {disk: {radius: 1, rings: 2}}}'
with '{file: b.obj, colour: red}'
with '{name: a, shape: {spher: {}}}'
with '{name: a, shape: {sphere: {radius: -1, parts: 0}}}'
with '{name: a, shape: {sphere: {radius: 1, rings: 3}}}'
with '{name: a, shape: sphere}'
with '{name: a, shape: {torus: {radius: 1, tube: 2, around: 2, across: 9}}}'
with '{name: a, shape: {revolution: {profile: [[1, 0]], around: 9}}}'
with '{name: a, shape: {revolution: {profile: [[1, 0], [0, 1], [1, 2]], around: 9}}}'
with '{name: a, shape: {revolution: {profile: [[1, 0], [1, 0]], around: 9}}}'
with '{name: a, shape: {revolution: {profile: [[0, 0], [0, 1]], around: 9}}}'
with '{name: a, shape: {revolution: {profile: [[1, 0, 0], [1, 0, 1]], around: 9}}}'
with '{name: a, shape: {spikes: {length: 1, width: 1, along: 3, across: 2, height: 1, radius: 0.2}}}'
with '{name: a, shape: {reef_knot: {length: 10, width: 2, along: 100, across: 4}}}'
with '{name: a, shape: {ribbon: {points: [[0, 0, 0], [0, 0, 0]], sides: [0, 1, 0], width: 1, along: 4, across: 1}}}'
with '{name: a, shape: {ribbon: {points: [[0, 0, 0], [1, 0, 0]], sides: [2, 0, 0], width: 1, along: 4, across: 1}}}'
with '{name: a, shape: {ribbon: {points: [[0, 0, 0], [1, 0, 0]], sides: [[0, 1, 0]], width: 1, along: 4, across: 1}}}'
with '{name: a, shape: {disk: {radius: 1, rings: 2}}, place: {rotate: {axis: [0, 0, 0]}, scale: 0}}'
with '{name: a, shape: {disk: {radius: 1, rings: 2}}}, {name: a, shape: {disk: {radius: 1, rings: 2}}}'
try check gas.yaml --set dimension=2 --set 'meshes=[{name: a, file: a.obj}]'
# Files.
with '{name: a, file: bunny.obj}'
with '{name: a, file: gas.yaml}'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n' > a.obj
with '{name: a, file: a.obj}'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nv 0 0 0\nv 7 7 7\nf 1 2 3\nf 1 2 4\nf 1 2 5\n' > a.obj
with '{name: a, file: a.obj}'
printf 'v 0 0 0\nv 2 0 0\nv 0 2 0\nv .5 .5 -1\nv .5 .5 1\nv 3 3 3\nf 1 2 3\nf 4 5 6\n' > a.obj
with '{name: a, file: a.obj}'
printf 'v 1e308 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > a.obj
with '{name: a, file: a.obj, place: {scale: 10}}'
# Two meshes that are each sound.
ball='shape: {sphere: {radius: 1, parts: 1}}'
with "{name: a, $ball}, {name: b, $ball, place: {at: [0.5, 0, 0]}}, {name: c, file: none.ply}"
with "{name: a, $ball}, {name: b, $ball, place: {at: [0.5, 0.3, 0.1]}}"
# Valid meshes: only one engine supports those with a material.
for engine in hard aggregation variational; do
    try check gas.yaml --set engine=$engine --set "meshes=[{name: a, $ball}, {name: b, $ball, place: {at: [3, 0, 0]}}]"
done
# Meshes in `hard`.
hard="$ball, rigid: true, place: {at: [4, 4, 4]}"
here() { try check gas.yaml --set engine=hard --set "meshes=[{name: a, $hard}]" "$@"; }
here
here --set 'particles=[]'
here --set hard.detection=naive
here --set 'drives=[{name: d, particles: [0], motion: []}]'
here --set 'drives=[{name: d, mesh: a, motion: [{velocity: [0, 0, 1]}]}]'
here --set box.boundary=wall --set 'drives=[{name: d, mesh: a, motion: [{oscillate: {by: [1, 0], frequency: 0}}]}]'
here --set box.boundary=wall --set 'drives=[{name: d, mesh: a, motion: [{oscillate: {by: [1, 0, 0], frequency: 1e100}}]}]'
here --set box.boundary=wall --set 'drives=[{name: d, mesh: a, motion: [{oscillate: {frequency: 1, speed: 2}}]}]'
here --set engine=variational --set box.boundary=wall \
    --set 'drives=[{name: d, mesh: a, motion: [{oscillate: {by: [0, 0, 1], frequency: 1}}]}]'
try check gas.yaml --set engine=hard --set "meshes=[{name: a, $ball, rigid: true, place: {at: [1, 1, 1]}}]"
# A rigid mesh that overlaps its own periodic images.
cat > images.yaml << 'END'
carom: 1
engine: hard
box: {size: [4, 4, 4], boundary: [periodic, periodic, wall]}
species: {a: {diameter: 1, mass: 1}}
particles: [{species: a, place: {at: [[2, 2, 3]]}, velocity: {each: [0, 0, -1]}}]
meshes: [{name: m, rigid: true, shape: {rectangle: {length: 5, width: 5, along: 1, across: 1}}, place: {at: [2, 2, 2]}}]
run: {until: {time: 2}}
output: {frames: {every: 1}}
END
"$CAROM" run images.yaml --quiet
"$CAROM" verify images.h5 | head -1
