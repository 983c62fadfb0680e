# Detects loads on vertices that are read wrongly: scenes that are refused, and the energy balance of one that is not.
cat > strip.yaml <<'EOT'
carom: 1
engine: variational
box: {size: [4, 4, 4], boundary: open}
species: {a: {diameter: 1, mass: 1}}
meshes:
  - {name: strip, shape: {rectangle: {length: 2, width: 1, along: 4, across: 2}}, place: {at: [2, 2, 2]}, thickness: 0.1,
     density: 10, young: 100, elastic_thickness: 0.2, damping: {stretch: 0.2, bend: 0.01}}
  - {name: rock, shape: {box: {size: [1, 1, 1]}}, place: {at: [2, 2, 3.3]}, thickness: 0.1, rigid: true}
drives:
  - {name: clamp, mesh: strip, within: {from: [0, 0, 0], to: [1.6, 4, 4]}}
loads:
  - {name: end, mesh: strip, within: {from: [2.9, 0, 0], to: [4, 4, 4]}, force: [0, 0.01, -0.05], ramp: [{time: 1, factor: 1}, {time: 2, factor: 0.5}]}
  - {name: turn, mesh: strip, within: {from: [2.4, 0, 0], to: [4, 4, 4]}, moment: [0, 0.02, 0]}
variational: {stiffness: 1, material_step: 0.01}
run: {until: {time: 4}}
EOT
"$CAROM" run strip.yaml --quiet --json - | python3 -c '
import json, sys
e = json.load(sys.stdin)["energy"]
print(e["work"] > 1e-3, abs(e["drift"]) < 1e-4 * e["work"])'
"$CAROM" verify strip.h5 | tail -n 4
try check strip.yaml --set loads.0.mesh=strop
try check strip.yaml --set loads.0.mesh=rock
try check strip.yaml --set 'bodies=[{name: block, mesh: rock, density: 1}]' --set meshes.1.rigid=false --set loads.1.mesh=rock
try check strip.yaml --set loads.0.within.to.0=2.95
try check strip.yaml --set loads.0.within.from.0=0
try check strip.yaml --set 'loads.0={name: end, mesh: strip, vertices: [4, 15], force: [0, 0, 1]}'
try check strip.yaml --set 'loads.0={name: end, mesh: strip, vertices: [4, 4], force: [0, 0, 1]}'
try check strip.yaml --set 'loads.0={name: end, mesh: strip, vertices: [4]}'
try check strip.yaml --set 'loads.0={name: end, mesh: strip, vertices: [4], force: [0, 0, 0]}'
try check strip.yaml --set loads.1.within.from.0=2.9
try check strip.yaml --set 'loads.0.ramp=[{time: 1, factor: 1}, {time: 1, factor: 2}]'
try check strip.yaml --set loads.1.name=end
try check strip.yaml --set loads.0.push=1
cat > disks.yaml <<'EOT'
carom: 1
engine: hard
box: {size: [4, 4, 4], boundary: wall}
species: {a: {diameter: 1, mass: 1}}
particles: [{species: a, count: 2, place: random}]
meshes: [{name: rock, shape: {box: {size: [1, 1, 1]}}, place: {at: [2, 2, 2]}, rigid: true}]
loads: [{name: end, mesh: rock, force: [0, 0, 1]}]
run: {until: {time: 1}}
EOT
try check disks.yaml
cat > bare.yaml <<'EOT'
carom: 1
engine: variational
box: {size: [6, 6, 6], boundary: open}
species: {a: {diameter: 0.1}}
meshes:
  - {name: cloth, shape: {rectangle: {length: 2, width: 2, along: 4, across: 4}}, place: {at: [3, 3, 4]}, thickness: 0.02, density: 10}
loads: [{name: pull, mesh: cloth, vertices: [3], force: [0, 0, 0.2]}]
variational: {stiffness: 100}
run: {until: {time: 0.1}}
EOT
try check bare.yaml
# Forces beyond the material.
cat > sheet.yaml << 'END'
carom: 1
engine: variational
box: {size: [4, 4, 4], boundary: open}
species: {strip: {diameter: 0.05}}
meshes: [{name: sheet, shape: {rectangle: {length: 1, width: 1, along: 4, across: 4}}, place: {at: [2, 2, 2]}, species: strip, thickness: 0.02, density: 10, young: 1e4, poisson: 0.3}]
drives: [{name: clamp, mesh: sheet, within: {from: [0, 0, 0], to: [1.51, 4, 4]}}]
loads:
  - {name: pull, mesh: sheet, vertices: [24], force: [0, 0, 10]}
variational: {stiffness: 1e4}
run: {until: {time: 0.01}}
END
with() { check_with sheet.yaml "$@" | grep -E 'carom|error|warning|='; }
with 'loads.0.force=[0, 0, 1e9]'
with 'loads.0.force=[0, 0, 1e3]'
with 'loads.0.force=[0, 0, 1e9]' 'loads.0.ramp=[{time: 1, factor: 1e-8}]'
# A free sheet: only what accelerates its vertices apart strains it.
with 'loads.0={name: push, mesh: sheet, force: [0, 0, 1e6]}' 'drives=[]'
