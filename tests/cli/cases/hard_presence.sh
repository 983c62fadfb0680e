# Detects meshes of the engine `hard` that appear or vanish but are in files, exports or checks as if they were present, runs that a kill
# or another number of threads changes, and moments that are accepted without being possible.
cat > gate.yaml << 'END'
carom: 1
engine: hard
seed: 5
box: {size: [4, 4, 8], boundary: wall}
species: {grain: {diameter: {uniform: [0.9, 1.1]}, density: 1.9}}
particles: [{species: grain, count: 20, place: {random: {region: {box: {from: [0, 0, 5], to: [4, 4, 8]}}}}}]
meshes:
  - {name: gate, rigid: true, thickness: 0.2, shape: {rectangle: {length: 4, width: 4, along: 3, across: 3}}, place: {at: [2, 2, 4]}, vanish: {time: 3}}
  - {name: lid, rigid: true, shape: {rectangle: {length: 2, width: 2, along: 2, across: 2}}, place: {at: [2, 2, 4.3]}, appear: {when: {slower: 0.5, every: 0.25}}}
fields: {gravity: [0, 0, -1]}
contacts: [{between: [grain, grain], restitution: 0.5}]
hard: {collapse: {policy: sleep, speed: 0.01}}
run: {until: {time: 8}}
output: {frames: {every: 1}}
END
try check gate.yaml
"$CAROM" run gate.yaml --quiet --json gate.json
"$CAROM" run gate.yaml -o reference.h5 --quiet --json reference.json --set hard.reference=true
expect 'the reference path' test "$(hash_in gate.json)" = "$(hash_in reference.json)"
"$CAROM" run gate.yaml -o part.h5 --quiet --set run.until.time=3.3
"$CAROM" run gate.yaml -o part.h5 --resume --quiet --json part.json
expect 'a resumed run' test "$(hash_in gate.json)" = "$(hash_in part.json)"
try verify gate.h5
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
# A gas, without sleep: in domains, and killed between the changes.
cat > gas.yaml << 'END'
carom: 1
engine: hard
seed: 2
box: {size: [9, 9, 9], boundary: wall}
species: {a: {diameter: 0.4, mass: 1}}
particles: [{species: a, count: 800, place: {random: {region: {box: {from: [0, 0, 4], to: [9, 9, 9]}}}}, velocity: {maxwell: 1}}]
meshes:
  - {name: gate, rigid: true, shape: {rectangle: {length: 9, width: 9, along: 3, across: 3}}, place: {at: [4.5, 4.5, 4]}, vanish: {time: 1}}
  - {name: ball, rigid: true, shape: {sphere: {radius: 0.3, parts: 2}}, place: {at: [3, 3, 6]}, appear: {time: 1.5, every: 0.01}, vanish: {when: {particles: 800, every: 0.7}}}
run: {until: {time: 4}}
output: {frames: {every: 0.5}, checkpoint: {every_wall: 0.01}}
END
"$CAROM" run gas.yaml --threads 1 --quiet --json gas.json
"$CAROM" run gas.yaml -o two.h5 --threads 2 --quiet --json two.json
expect 'two threads' test "$(hash_in gas.json)" = "$(hash_in two.json)"
"$CAROM" run gas.yaml -o killed.h5 --threads 1 --quiet &
process=$!
until [ -e killed.h5.checkpoint ] || ! kill -0 $process 2> /dev/null; do :; done
kill -9 $process 2> /dev/null
wait $process 2> /dev/null
"$CAROM" run gas.yaml -o killed.h5 --threads 1 --resume --quiet --json killed.json
expect 'a killed run' test "$(hash_in gas.json)" = "$(hash_in killed.json)"
"$CAROM" verify gas.h5 | grep -E 'sound|VIOLATED'
# Nothing else happens: a ball asleep falls when its shelf vanishes; then no event is left, and the run ends.
cat > shelf.yaml << 'END'
carom: 1
engine: hard
box: {size: [2, 2, 9], boundary: wall}
species: {a: {diameter: 1, mass: 1}}
particles: [{species: a, place: {at: [[1, 1, 5.7]]}}]
meshes: [{name: shelf, rigid: true, thickness: 0.2, shape: {rectangle: {length: 2, width: 2, along: 3, across: 3}}, place: {at: [1, 1, 5]}, vanish: {time: 40}}]
fields: {gravity: [0, 0, -1]}
contacts: [{between: [a, a], restitution: 0.3}, {between: [a, wall], restitution: 0.3}]
hard: {collapse: {policy: sleep, speed: 0.001}}
run: {until: {time: 100}}
END
"$CAROM" run shelf.yaml --quiet --json shelf.json
grep -E '"stop"|"time"|"potential"' shelf.json
"$CAROM" run shelf.yaml -o early.h5 --set run.until.time=30 2>&1 | grep warning
# The place is occupied at all trials.
sed 's/vanish: {time: 40}/appear: {time: 2, every: 1}, vanish: {time: 40}/; s/1, 1, 5.7/1, 1, 5/; /^hard/d; /^fields/d' shelf.yaml > never.yaml
"$CAROM" run never.yaml --set run.until.time=9 2>&1 | grep warning
bad() {
    echo "# $1"
    sed -E "$2" gate.yaml > bad.yaml
    try check bad.yaml
}
bad 'a shell' '/name: gate/s/rigid: true/stretch: 1/'
bad 'a run without an end' 's/until: \{time: 8\}/until: {collisions: 100}/'
bad 'a number that is never reached' 's/slower: 0.5, every: 0.25/particles: 21, every: 0.25/'
bad 'checks without limit' 's/slower: 0.5, every: 0.25/slower: 0.5, every: 1.0e-9/'
bad 'trials without limit' 's/appear: \{when: \{slower: 0.5, every: 0.25\}\}/appear: {time: 1, every: 1.0e-9}/'
bad 'overlaps a mesh that vanishes' 's/from: \[0, 0, 5\]/from: [0, 0, 4]/; s/random: .*\}\]/at: [[2, 2, 4.2]]}}]/; s/count: 20, //'
bad 'overlaps a mesh that appears' 's/random: .*\}\]/at: [[3.3, 2, 4.7]]}}]/; s/count: 20, //'
