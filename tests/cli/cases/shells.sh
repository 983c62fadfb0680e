# Detects wrong meshes with a material: drives, refusals, export.
cat > cloth.yaml <<'END'
carom: 1
engine: variational
box: {size: 4, boundary: open}
species: {cloth: {diameter: 1, mass: 1}}
meshes:
  - {name: cloth, shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}}, place: {at: [2, 2, 2]}, thickness: 0.05,
     stretch: 50, bend: 0.01}
  - {name: stone, shape: {solid: {kind: cube, radius: 0.5}}, place: {at: [2, 2, 1]}, thickness: 0.05, rigid: true}
drives:
  - {name: pins, mesh: cloth, vertices: [0, 2]}
fields: {gravity: [0, 0, -1]}
run: {until: {time: 0.1}}
output: {frames: {every: 0.1}}
END
try check cloth.yaml
with() { try check cloth.yaml --set "$1"; }
# Driven particles.
with 'drives=[{name: pins, mesh: cloht}]'
with 'drives=[{name: pins, vertices: [0]}]'
with 'drives=[{name: pins, mesh: cloth, particles: [0]}]'
with 'drives=[{name: pins, mesh: cloth, vertices: [0, 99]}]'
with 'drives=[{name: pins, mesh: cloth, within: {from: [0, 0, 0], to: [1, 1, 1]}}]'
with 'drives=[{name: pins, mesh: cloth, within: {from: [1, 0, 0], to: [0, 1, 1]}}]'
with 'drives=[{name: pins, mesh: stone, vertices: [0]}]'
with 'drives=[{name: pins, mesh: cloth, vertices: [0]}, {name: all, mesh: cloth}]'
with 'drives=[{name: pins, particles: [3, 99]}]'
with 'drives=[{name: pins, mesh: cloth, motion: [{velocity: [0, 0, 0], turn: {axis: [0, 0, 0], rate: fast}}]}]'
with 'drives=[{name: pins, particles: [0], motion: [{velocity: [0, 0, 0], turn: {axis: [0, 0, 1], through: [2, 2, 2], rate: 1}}]}]'
with 'drives=[{name: pins, mesh: cloth, motion: [{velocity: [0, 0, 0], turn: {axis: [0, 0, 1], through: [2, 2, 2], rate: 1e9}}]}]'
# Drives that wait until all is at rest.
starts() { with "drives=[{name: pins, mesh: cloth, vertices: [0], motion: [{velocity: [1, 0, 0]}], start: $1}]"; }
starts '{when: {slower: 0.1, every: 0.01, meshes: [cloth]}}'
starts 3
starts '{wenn: 1}'
starts '{when: {}}'
starts '{when: {slower: 0, every: -1, for: soon}}'
starts '{when: {slower: 0.1, every: 0.01, meshes: []}}'
starts '{when: {slower: 0.1, every: 0.01, meshes: [cloht]}}'
starts '{when: {slower: 0.1, every: 0.01, meshes: [stone]}}'
with 'drives=[{name: pins, mesh: cloth, start: {when: {slower: 0.1, every: 0.01}}}]'
# Drives whose vertices are free before the start.
starts '{when: {slower: 0.1, every: 0.01}, free: true}'
starts '{when: {slower: 0.1, every: 0.01}, free: maybe}'
starts '{free: true}'
with 'drives=[{name: all, mesh: stone, motion: [{velocity: [1, 0, 0]}], start: {when: {slower: 1, every: 1}, free: true}}]'
try check cloth.yaml --set 'variational.contact=impulses' \
    --set 'drives=[{name: pins, mesh: cloth, vertices: [0], motion: [{velocity: [1, 0, 0]}], start: {when: {slower: 1, every: 1}, free: true}}]'
try check cloth.yaml --set 'particles=[{species: cloth, place: {at: [[1, 1, 1], [1.5, 1, 1]]}}]' \
    --set 'drives=[{name: two, particles: [0, 1], motion: [{velocity: [1, 0, 0]}], start: {when: {slower: 1, every: 1}, free: true}}]'
try check cloth.yaml --set 'planes=[{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]' \
    --set 'drives=[{name: d, plane: floor, motion: [{velocity: [0, 0, 1]}], start: {when: {slower: 1, every: 1}}}]'
try check cloth.yaml --set 'run.until={events: 10}' \
    --set 'drives=[{name: pins, mesh: cloth, vertices: [0], motion: [{velocity: [1, 0, 0]}], start: {when: {slower: 1, every: 1}}}]'
try run cloth.yaml -o starts.h5 --set 'run.until.time=0.05' --set 'observe=[]' \
    --set 'drives=[{name: pins, mesh: cloth, vertices: [0], motion: [{velocity: [1, 0, 0]}], start: {when: {slower: 9, every: 0.01}}}]' 2>&1 |
    grep drive
try run cloth.yaml -o starts.h5 --force --set 'run.until.time=0.05' \
    --set 'drives=[{name: pins, mesh: cloth, vertices: [0], motion: [{velocity: [1, 0, 0]}], start: {when: {slower: 9, for: 1, every: 0.01}}}]' 2>&1 |
    grep drive
# It falls by 0.05; the drive holds it from 0.1 on and then moves it: the energy balance closes.
try run cloth.yaml -o taken.h5 --set 'run.until.time=0.3' --set 'observe=[{what: ledger, every: 0.05}]' \
    --set 'drives=[{name: pins, mesh: cloth, vertices: [0, 2], motion: [{velocity: [1, 0, 1]}], start: {when: {slower: 9, every: 0.1}, free: true}}]' 2>&1 |
    grep 'drive '
try verify taken.h5
rm taken.h5
# It is in contact with the floor at the start of the drive.
try run cloth.yaml -o lies.h5 --set 'planes=[{name: floor, point: [0, 0, 1.97], normal: [0, 0, 1]}]' --set 'run.until.time=0.9' \
    --set 'contacts=[{between: [cloth, floor], restitution: 0}]' --set 'meshes=[{name: cloth, shape: {rectangle: {length: 1, width: 1,
    along: 2, across: 2}}, place: {at: [2, 2, 2]}, thickness: 0.05, stretch: 50, bend: 0.01}]' \
    --set 'drives=[{name: pins, mesh: cloth, vertices: [4], motion: [{velocity: [1, 0, 1]}], start: {when: {slower: 9, every: 0.4}, free: true}}]' 2>&1 |
    grep -E 'error|drive |= '
rm lies.h5*
# Materials.
with 'meshes.0.thickness=0'
with 'meshes.0.species=silk'
with 'meshes.0.yield={hardening: 1}'
with 'meshes.0.yield={moment: 1}'
with 'meshes.1.bend=1'
with 'meshes.1.velocity=[0, 0, 1]'
with 'meshes.0.stretch=1e40'
# By Young's modulus.
with 'meshes.0.young=1e4'
with 'meshes.0.elastic_thickness=0.1'
with 'meshes.0={name: cloth, shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}}, place: {at: [2, 2, 2]}, thickness: 0.05,
    young: 1e4, poisson: 0.2, elastic_thickness: 0.1, yield: {angle: 1}}'
with 'meshes.0={name: cloth, shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}}, place: {at: [2, 2, 2]}, thickness: 0.05,
    young: 1e4, poisson: 0.2, elastic_thickness: 0.1, yield: {}}'
with 'meshes.0={name: cloth, shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}}, place: {at: [2, 2, 2]}, thickness: 0.05,
    young: 1e4, poisson: 0.2, elastic_thickness: 0.1, fabric: {weft: 1e4, shear: 1e3, warp: [1, 0, 0]}, yield: {moment: 1}}'
with 'meshes.1.young=1'
# Rubber and fabric.
with 'meshes.0.material=neo_hookean'
with 'meshes.0.fabric={weft: 1e3, shear: 10}'
with 'meshes.1.fabric={weft: 1e3, shear: 10}'
woven() { with "meshes.0={name: cloth, shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}}, place: {at: [2, 2, 2]}, thickness: 0.05,
    young: 1e3, $1}"; }
woven 'material: rubber'
woven 'fabric: 1'
woven 'fabric: {weft: 1e3}'
woven 'fabric: {weft: 0, shear: -1, warp: [0, 0, 0]}'
woven 'fabric: {weft: 1e3, shear: 10, warp: [nan, 0, 0]}'
woven 'fabric: {weft: 5e3, shear: 10}, poisson: 0.5'
woven 'fabric: {weft: 1e3, shear: 10}, material: neo_hookean'
woven 'fabric: {weft: 1e3, shear: 10, warp: [0, 0, 1]}'
woven 'fabric: {weft: 5e2, shear: 10, warp: [1, 1, 0]}'
woven 'material: neo_hookean, poisson: 0.5'
with 'meshes.0={name: cloth, shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}}, place: {at: [2, 2, 2]}, thickness: 0.05,
    young: 1e4, poisson: 0.2, elastic_thickness: 0.1}'
with 'box={packing_fraction: 0.1}'
with 'engine=hard'
# Results.
try run cloth.yaml --quiet
try export cloth.h5 --to obj
try export cloth.h5 --to ply -o out.ply
try export cloth.h5 --to vtp
ls . cloth out
grep -o 'Name="[a-z_]*"' cloth/cloth_000001.vtp | tr '\n' ' '
echo
grep -c '^f ' cloth/cloth_000001.obj
head -n 3 cloth/cloth_000000.obj
sed 's/engine: variational/engine: hard/; /^meshes:/,/^fields:/{/^fields/!d}; s/cloth: {dia/grain: {dia/' cloth.yaml > gas.yaml
echo 'particles: [{species: grain, place: {at: [[1, 1, 1]]}}]' >> gas.yaml
quiet_run gas.yaml
try export gas.h5 --to obj
