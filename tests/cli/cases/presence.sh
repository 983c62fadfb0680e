# Detects meshes that appear or vanish but are in files, exports or checks as if they were present, and invalid moments that are
# accepted.
cat > gate.yaml << 'END'
carom: 1
engine: variational
seed: 5
box: {size: [4, 4, 8], boundary: wall}
species: {grain: {diameter: {uniform: [0.9, 1.1]}, density: 1.9}}
particles: [{species: grain, count: 20, place: {random: {region: {box: {from: [0, 0, 5], to: [4, 4, 8]}}}}}]
meshes:
  - {name: gate, rigid: true, thickness: 0.2, shape: {rectangle: {length: 4, width: 4, along: 3, across: 3}}, place: {at: [2, 2, 4]}, vanish: {time: 3}}
  - {name: lid, rigid: true, thickness: 0.2, shape: {rectangle: {length: 2, width: 2, along: 2, across: 2}}, place: {at: [2, 2, 4.3]}, appear: {when: {slower: 0.5, every: 0.25}}}
fields: {gravity: [0, 0, -1]}
contacts: [{between: [grain, grain], restitution: 0.5, friction: 0.3}]
variational: {courant: 0.2}
run: {until: {time: 8}}
output: {frames: {every: 1}}
END
try check gate.yaml
"$CAROM" run gate.yaml --threads 1 --quiet --json gate.json
"$CAROM" run gate.yaml -o whole.h5 --threads 2 --quiet --json whole.json
expect 'two threads' test "$(hash_in gate.json)" = "$(hash_in whole.json)"
"$CAROM" run gate.yaml -o part.h5 --threads 1 --quiet --set run.until.time=3.3
"$CAROM" run gate.yaml -o part.h5 --threads 1 --resume --quiet --json part.json
expect 'a resumed run' test "$(hash_in gate.json)" = "$(hash_in part.json)"
try verify gate.h5
# The moments are those of the scene, also in a resumed run and in one that ends before.
moments() { tr -d ' \n' < "$1" | grep -o '"meshes":{"gate":{[^}]*},"lid":{[^}]*}}'; }
moments gate.json
expect 'a resumed run knows them' test "$(moments gate.json)" = "$(moments part.json)"
"$CAROM" run gate.yaml -o early.h5 --quiet --set run.until.time=0.2 --json early.json 2> told
moments early.json
# The triangles in each frame.
"$CAROM" export gate.h5 --to obj -o obj
"$CAROM" export gate.h5 --to vtp -o vtp.pvd
for n in 0 1 2 3 4 5 6 7 8; do
    polygons=$(grep -o 'NumberOfPolys="[0-9]*"' "vtp/vtp_00000$n.vtp" | tr -dc 0-9)
    echo "$n: $(grep -c '^f' "obj/obj_00000$n.obj" || true) triangles"
    expect 'as many polygons' test "${polygons:-0}" = "$(grep -c '^f' "obj/obj_00000$n.obj" || true)"
done
"$CAROM" export gate.h5 --to csv -o gate.csv
expect 'rows of particles only' test "$(grep -c '^[0-9]' gate.csv)" = 180
# A segment falls through the place of a mesh that has vanished.
cat > falls.yaml << 'END'
carom: 1
engine: variational
box: {size: [4, 4, 6], boundary: open}
species: {grain: {diameter: 0.4, density: 1}}
particles: [{species: grain, place: {at: [[1, 2, 1.8], [2.7, 2, 1.8]]}}]
planes: [{name: floor, point: [0, 0, -3], normal: [0, 0, 1]}]
meshes: [{name: gate, shape: {disk: {radius: 1.8, rings: 4}}, place: {at: [2, 2, 0.5]}, rigid: true, thickness: 0.2, vanish: {time: 1}}]
segments: [{name: rod, pairs: [[0, 1]], diameter: 0.2, species: grain}]
springs: [{name: spring, pairs: [[0, 1]], stiffness: 200}]
fields: {gravity: [0, 0, -1]}
run: {until: {time: 4}}
output: {frames: {every: 0.1}}
END
"$CAROM" run falls.yaml --quiet
"$CAROM" verify falls.h5 | grep -E 'sound|VIOLATED'
bad() {
    echo "# $1"
    sed -E "$2" gate.yaml > bad.yaml
    try check bad.yaml
}
bad 'another engine' 's/engine: variational/engine: aggregation/; /^variational|^contacts|^fields/d'
bad 'a shell' '/name: gate/s/rigid: true/stretch: 1/'
bad 'no moment' 's/vanish: \{time: 3\}/vanish: {}/'
bad 'two moments' 's/vanish: \{time: 3\}/vanish: {time: 3, when: {slower: 1, every: 1}}/'
bad 'no condition' 's/slower: 0.5, every: 0.25/every: 0.25/'
bad 'no interval' 's/slower: 0.5, every: 0.25/slower: 0.5/'
bad 'no interval of trials' 's/appear: \{when: \{slower: 0.5, every: 0.25\}\}/appear: {time: 1}/'
bad 'two intervals' 's/every: 0.25\}\}/every: 0.25}, every: 1}/'
bad 'opened twice' 's/vanish: \{time: 3\}/vanish: {time: 3}, vanish: {time: 4}/'
bad 'vanishes before it appears' 's/vanish: \{time: 3\}/appear: {time: 4, every: 1}, vanish: {time: 3}/'
bad 'a run without an end' 's/until: \{time: 8\}/until: {collisions: 100}/'
bad 'slowness of a number' 's/slower: 0.5, every: 0.25/particles: 20, for: 1, every: 0.25/'
bad 'an unknown mesh' 's/slower: 0.5, every: 0.25/slower: 0.5, every: 0.25, meshes: [door]/'
bad 'an empty name' 's/vanish: \{time: 3\}/vanish: soon/'
bad 'checks more often than contacts act' 's/slower: 0.5, every: 0.25/slower: 0.5, every: 1.0e-9/'
bad 'trials more often than contacts act' 's/appear: \{when: \{slower: 0.5, every: 0.25\}\}/appear: {time: 1, every: 1.0e-9}/'
