# Detects inflow and outflow of the engine `hard` that are lost in files, reports, exports or resumed runs, and combinations that are accepted
# without being supported.
cat > box.yaml << 'END'
carom: 1
engine: hard
seed: 5
box: {size: [4, 4, 8], boundary: [periodic, wall, open]}
species: {grain: {diameter: {uniform: [0.9, 1.1]}, density: 1.9}}
particles:
  - {species: grain, count: 30, velocity: {each: [0, 0, -1]}, place: {inflow: {region: {box: {from: [0.5, 0.5, 5], to: [3.5, 3.5, 7]}}, rate: 12}}}
meshes: [{name: tray, rigid: true, thickness: 0.2, shape: {disk: {radius: 1.2, rings: 3}}, place: {at: [2, 2, 1]}}]
outflow: [{name: below, region: {box: {from: [0, 0, -9], to: [4, 4, 0]}}, every: 0.5}]
fields: {gravity: [0, 0, -1]}
contacts: [{between: [grain, grain], restitution: 0.5, tangential: 0, friction: 0.3}]
hard: {collapse: {policy: tc, tc: 1e-3}}
run: {until: {time: 8}}
observe: [{what: exchange, every: 1}, {what: mass_flow, every: 1, point: [0, 0, 0.5], normal: [0, 0, -1]}]
output: {frames: {every: 1}}
END
try check box.yaml
"$CAROM" run box.yaml --json box.json 2> told
grep -E 'warning|in the system' told
"$CAROM" run box.yaml -o reference.h5 --quiet --json reference.json --set hard.reference=true
expect 'the reference path' test "$(hash_in box.json)" = "$(hash_in reference.json)"
"$CAROM" run box.yaml -o part.h5 --quiet --set run.until.time=3.3
"$CAROM" run box.yaml -o part.h5 --resume --quiet --json part.json
expect 'a resumed run' test "$(hash_in box.json)" = "$(hash_in part.json)"
try verify box.h5
try info box.h5 | grep -v 'commit '
"$CAROM" export box.h5 --to xyz -o box.xyz
"$CAROM" export box.h5 --to csv -o box.csv
grep -cE '^grain' box.xyz
expect 'as many rows' test "$(grep -c '^[0-9]' box.csv)" = "$(grep -cE '^grain' box.xyz)"
try run box.yaml --quiet -o two.h5 --threads 2
# bad WHAT SED-EXPRESSION : a message
bad() {
    echo "# $1"
    sed -E "$2" box.yaml > bad.yaml
    try check bad.yaml
}
bad 'a heat bath' 's/^hard: .*/hard: {thermostat: {temperature: 1, rate: 1}}/'
bad 'a compression' 's/^hard: .*/hard: {compression: {rate: 0.1}}/; /^meshes|^fields|^contacts|^observe/d; s/boundary: .*/boundary: periodic}/'
bad 'a sheared box' 's/^hard: .*/hard: {shear: {rate: 0.1}}/; /^meshes|^fields|^contacts|^observe/d; s/boundary: .*/boundary: periodic}/'
bad 'another rule' 's/^hard: .*/hard: {detection: naive}/; /^meshes/d'
bad 'potentials' 's/^fields: .*/potentials: [{between: [grain, grain], square_well: {depth: 1, range: 1.5}}]/; /^meshes/d; s/, tangential: 0, friction: 0.3//; s/restitution: 0.5/restitution: 1/'
bad 'ellipsoids' 's/diameter: .*density: 1.9/semi_axes: [0.6, 0.5, 0.5], density: 1.9/; /^meshes|^contacts/d; s/^hard: .*//'
bad 'a rate without limit' 's/rate: 12/rate: 1e9/'
bad 'an interval of no length' 's/every: 0.5/every: 1e-9/'
bad 'particles that stay' 's/each: \[0, 0, -1\]/each: [0, 0, 0]/; /^fields/d'
bad 'through a mesh' 's/from: \[0.5, 0.5, 5\]/from: [0.5, 0.5, 0.9]/'
