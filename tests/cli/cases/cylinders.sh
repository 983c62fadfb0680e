# Detects misread cylinders in scenes, and wrong messages for invalid ones.
a_scene > gas.yaml
with() { try check gas.yaml --set engine=hard --set box.boundary=open --set "cylinders=[$1]" "${@:2}"; }
pipe='name: pipe, through: [5, 5, 5], axis: [0, 0, 2], radius: 20, side: inside'
# Keys.
with '{name: pipe}'
with '{name: pipe, through: [5, 5], axis: [0, 0, 0], radius: 0, side: within}'
with '{name: pipe, centre: [5, 5, 5], axis: z, radius: wide, side: 1}'
with "{$pipe}, {$pipe}"
with '{name: wall, through: [5, 5, 5], axis: [0, 0, 1], radius: 20, side: inside}'
with "{$pipe}" --set 'planes=[{name: pipe, point: [0, 0, 0], normal: [0, 0, 1]}]'
with 'pipe'
try check gas.yaml --set engine=hard --set cylinders=pipe
with "{$pipe}" --set dimension=2
with '{name: pipe, through: [5, 5], axis: [0, 0, 1], radius: 20, side: inside}' --set dimension=2
# Contacts.
with "{$pipe}" --set 'contacts=[{between: [pipe, pip], restitution: 1}]'
with "{$pipe}" --set 'contacts=[{between: [pipe, wall], restitution: 1}]'
# Drives.
with "{$pipe}" --set 'drives=[{name: d, cylinder: pip, motion: []}]'
with "{$pipe}" --set 'drives=[{name: d, cylinder: [pipe], motion: []}]'
with "{$pipe}" --set 'drives=[{name: d, cylinder: pipe, plane: pipe, motion: []}]'
with "{$pipe}" --set 'drives=[{name: d, cylinder: pipe, motion: []}, {name: e, cylinder: pipe, motion: []}]'
with "{$pipe}" --set 'drives=[{name: d, cylinder: pipe, motion: [{turn: {axis: [0, 0, 1], through: [1, 1, 1], rate: 1}}]}]'
with "{$pipe}" --set 'drives=[{name: d, cylinder: pipe, motion: [{turn: {}}]}]'
# Permitted positions, and refused combinations.
with "{$pipe}"
with "{$pipe}" --set box.boundary=periodic
with '{name: pipe, through: [5, 5, 5], axis: [0, 0, 1], radius: 4, side: inside}'
with '{name: post, through: [5, 5, 5], axis: [0, 1, 1], radius: 4, side: outside}'
with "{$pipe}" --set hard.detection=naive
with "{$pipe}" --set hard.compression.rate=0.1 --set box.boundary=wall
with "{$pipe}" --set hard.shear.rate=0.1 --set box.boundary=periodic
with "{$pipe}" --set 'contacts=[{between: [grain, grain], temperature: 1}]'
for engine in aggregation variational; do with "{$pipe}" --set engine=$engine; done
# The scene stored in a result is read again.
cat > drum.yaml <<'END'
carom: 1
engine: hard
dimension: 2
box: {size: [10, 10], boundary: open}
species: {grain: {diameter: 1, mass: 1}}
cylinders: [{name: drum, through: [5, 5], radius: 4, side: inside}]
drives: [{name: d, cylinder: drum, motion: [{turn: {rate: 1}, oscillate: {by: [0.1, 0], frequency: 1}}]}]
contacts: [{between: [grain, drum], restitution: 0.9, tangential: 0.5}]
particles: [{species: grain, count: 8, place: random, velocity: {maxwell: 1}}]
run: {until: {time: 5}}
output: {frames: {every: 1}}
END
try run drum.yaml --quiet
try verify drum.h5
try run drum.yaml --resume --set run.until.time=6 --quiet
