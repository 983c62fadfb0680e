# Detects drives of the engine `hard` that wait for a condition but are in summaries or checks as if they did not, runs that another
# number of threads or a resume changes, and conditions that are accepted without being possible.
cat > pour.yaml << 'END_SCENE'
carom: 1
engine: hard
seed: 5
box: {size: [6, 4, 9], boundary: wall}
species: {grain: {diameter: {uniform: [0.4, 0.6]}, density: 1.9}}
particles: [{species: grain, count: 60, velocity: {maxwell: 0.2}, place: {random: {region: {box: {from: [0, 0, 4.2], to: [6, 4, 9]}}}}}]
meshes:
  - {name: floor, rigid: true, thickness: 0.2, shape: {rectangle: {length: 6, width: 4, along: 3, across: 3}}, place: {at: [3, 2, 4]}}
  - {name: lid, rigid: true, thickness: 0.1, shape: {rectangle: {length: 2, width: 2, along: 2, across: 2}}, place: {at: [3, 2, 1]}}
drives:
  - {name: sink, mesh: floor, motion: [{velocity: [0, 0, -0.4]}, {time: 2}], start: {when: {slower: 3, for: 0.4, every: 0.1}}}
  - {name: lift, mesh: lid, path: [{time: 1, by: [0, 0, 0.5]}], start: {when: {particles: 60, every: 0.35}}}
contacts: [{between: [grain, grain], restitution: 0.8}]
run: {until: {time: 6}}
output: {frames: {every: 0.5}}
END_SCENE
try check pour.yaml
"$CAROM" run pour.yaml --threads 1 --json pour.json 2>&1 | grep began
grep -A3 '"starts"' pour.json
"$CAROM" run pour.yaml -o two.h5 --threads 2 --quiet --json two.json
expect 'two threads' test "$(hash_in pour.json)" = "$(hash_in two.json)"
"$CAROM" run pour.yaml -o all_pairs.h5 --set hard.reference=true --quiet --json all_pairs.json
expect 'the reference' test "$(hash_in pour.json)" = "$(hash_in all_pairs.json)"
"$CAROM" run pour.yaml -o part.h5 --quiet --set run.until.time=0.3
"$CAROM" run pour.yaml -o part.h5 --quiet --resume --set run.until.time=1.3
"$CAROM" run pour.yaml -o part.h5 --resume --quiet --json part.json
expect 'a resumed run' test "$(hash_in pour.json)" = "$(hash_in part.json)"
try verify pour.h5
"$CAROM" run pour.yaml -o early.h5 --set run.until.time=0.2 2>&1 | grep -E 'warning|drive'
bad() {
    echo "# $1"
    sed -E "$2" pour.yaml > bad.yaml
    try check bad.yaml
}
bad 'a run without an end' 's/until: \{time: 6\}/until: {collisions: 100}/'
bad 'a number that is never reached' 's/particles: 60, every/particles: 61, every/'
bad 'checks without limit' 's/every: 0.35/every: 1.0e-9/'
bad 'vertices that would be free' 's/every: 0.35\}/every: 0.35}, free: true/'
bad 'a plane' 's/mesh: floor/plane: ground/; s/^drives/planes: [{name: ground, point: [0, 0, 0], normal: [0, 0, 1]}]\ndrives/'
