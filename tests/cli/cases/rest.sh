# Detects ends of runs at rest that are lost in summaries, files or resumed runs, and invalid conditions that are accepted.
cat > balls.yaml << 'END'
carom: 1
engine: hard
dimension: 2
box: {size: [20, 40], boundary: open}
species: {ball: {diameter: 1, mass: 1}}
particles: [{species: ball, place: {at: [[5, 1], [9, 1]]}, velocity: {each: [[0, 3], [0, 3.1]]}}]
planes: [{name: floor, point: [0, 0], normal: [0, 1]}]
fields: {gravity: [0, -1]}
run: {until: {time: 5, rest: {slower: 0.25, for: 0.25, every: 0.125}}}
output: {frames: {every: 1}}
END
try check balls.yaml | grep -v memory
"$CAROM" run balls.yaml --json balls.json 2>&1 | head -1
grep -E '"(stop|time)"' balls.json
"$CAROM" info balls.h5 | grep -iE 'stop|rest|time'
try run balls.yaml -o balls.h5 --resume | head -2
# In parts, the last of them within the time of `for`.
"$CAROM" run balls.yaml -o part.h5 --quiet --set run.until.time=2
"$CAROM" run balls.yaml -o part.h5 --quiet --set run.until.time=3.03 --resume
"$CAROM" run balls.yaml -o part.h5 --quiet --resume --json part.json
expect 'a resumed run' test "$(hash_in balls.json)" = "$(hash_in part.json)"
grep -E '"(stop|time)"' part.json
# What is missing at another end.
for set in slower=0.2 slower=0.01 'particles=2'; do
    "$CAROM" run balls.yaml -o other.h5 --force --set "run.until.rest.$set" 2>&1 | head -2 | grep -E 'warning|stopped'
done
"$CAROM" run balls.yaml -o other.h5 --force --set run.until.rest.slower=9 --set run.until.rest.every=30 2>&1 | head -2 | grep -E 'warning|stopped'
cat > filling.yaml << 'END'
carom: 1
engine: hard
box: {size: [9, 9, 9], boundary: wall}
species: {a: {diameter: 1, mass: 1}}
particles: [{species: a, count: 4, velocity: {each: [0, 0, 0.05]}, place: {inflow: {region: {box: {from: [0, 0, 0], to: [9, 9, 9]}}, rate: 1, start: 1}}}]
run: {until: {time: 2.5, rest: {slower: 0.1, every: 0.5, particles: 4}}}
END
"$CAROM" run filling.yaml 2>&1 | head -3 | grep -E 'warning|stopped'
try check filling.yaml --set run.until.rest.particles=5
for condition in '{every: 1}' '{slower: 1}' '{slower: 0, every: 1}' '{slower: -1, every: 1}' '{slower: 1, every: 0}' \
    '{slower: 1, every: -1}' '{slower: 1, every: 1, for: -1}' '{slower: 1, every: 1, particles: 3}' '{slower: 1, every: 1, particles: -1}' \
    '{slower: 1, every: 1e-12}' '{slower: 1, every: 1, meshes: [a]}' '{slower: 1e200, every: 1}' '{}' '[]' 3 'true'; do
    try check balls.yaml --set run.until.time=1e4 --set "run.until.rest=$condition"
done
cat > alone.yaml << 'END'
carom: 1
engine: variational
dimension: 2
box: {size: [20, 40], boundary: open}
species: {ball: {diameter: 1, mass: 1}}
particles:
  - {species: ball, place: {at: [[5, 1], [9, 1]]}, velocity: {each: [[0, 3], [0, 3.1]]}}
run:
  until:
    rest: {slower: 1, every: 1, particles: 9}
END
try check alone.yaml
sed -i 's/^    rest/    time: 5\n    rest/' alone.yaml
try check alone.yaml
try run alone.yaml --set run.until.rest.particles=2 --set run.until.rest.every=1e-6
