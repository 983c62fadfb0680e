# Detects missing entries of engines with forces in summary, result and exports.
cat > rope.yaml <<'END'
carom: 1
engine: variational
dimension: 2
box: {size: [12, 12], boundary: open}
species: {bead: {diameter: 0.5, mass: 1}}
particles:
  - {species: bead, place: {at: [[2, 8], [3, 8], [4, 8], [5, 8]]}}
  - {species: bead, place: {at: [[3.25, 10]]}, velocity: {each: [0, -1]}}
planes: [{name: floor, point: [0, 0], normal: [0, 1]}]
springs: [{name: rope, chain: {from: 0, to: 3}, stiffness: 200, damping: 0.1}]
drives: [{name: end, particles: [0]}]
fields: {gravity: [0, -1]}
run: {until: {time: 4}}
observe: [{what: ledger, every: 0.1}, {what: layers}]
output: {frames: {every: 0.5}}
END
"$CAROM" run rope.yaml --json rope.json > /dev/null 2> messages
echo "exit $?"
awk '/^  ledger\./ { print $1, $3, $4, $5 }' messages
expect 'they are those of the summary' awk '
    NR == FNR { if ($1 ~ /^ledger/) { sub("ledger.", "", $1); told[$1] = $2 } next }
    { gsub(/[":,]/, "") }
    $1 ~ /^(kinetic|restitution|friction|damping|work|drift)$/ && !seen[$1]++ { if (sprintf("%.8g", $2) != told[$1]) exit 1; found++ }
    END { exit found != 6 }' messages rope.json
expect 'the ledger is in the summary' test "$(grep -cE '^  "(springs|contact|restitution|friction|damping|work|drift)":' rope.json)" = 7
expect 'so are the layers' grep -q '"mean_depth"' rope.json
expect 'a person sees the drift' grep -q 'drift of energy' messages
expect 'and how deep impacts went' grep -q 'deepest layer' messages
"$CAROM" verify rope.h5 > report
echo "exit $?"
expect 'its drift is told' grep -q 'the energy balance drifts by at most' report
cat > shaken.yaml <<'END'
carom: 1
engine: variational
dimension: 2
box: {size: 8, boundary: open}
species: {a: {diameter: 0.4}}
particles: [{species: a, place: {at: [[3.5, 4], [4.5, 4]]}}]
springs: [{name: stiff, pairs: [[0, 1]], stiffness: 100, length: 0.9}]
variational: {stiffness: 1000, material_step: 0.13}
output: {frames: {every: 0.05}}
run: {until: {time: 4}}
END
"$CAROM" run shaken.yaml --quiet
"$CAROM" verify shaken.h5 > report
echo "verify of steps that are too long: exit $?"
expect 'it says why' grep -q 'frame 3, .*: the energy balance is 1.8052.*, not 0.4999' report
for step in 0.007 0.002; do
    "$CAROM" run shaken.yaml --set variational.material_step=$step --quiet --force
    "$CAROM" verify shaken.h5 > report
    echo "steps of $step: exit $?"
    grep 'the energy balance drifts' report | sed -E 's/.*, ([0-9.e-]+ of the largest)/\1/'
done
"$CAROM" export rope.h5 --to vtp -o rope.pvd
expect 'springs are lines' grep -q 'NumberOfLines="3"' rope/rope_000000.vtp
"$CAROM" run rope.yaml -o half.h5 --set run.until.time=2 --quiet
"$CAROM" run rope.yaml -o half.h5 --resume --quiet --json half.json
expect 'a resumed run keeps its ledger' test "$(grep -E '"(drift|damping|initial)"' half.json)" = "$(grep -E '"(drift|damping|initial)"' rope.json)"
# A list where a number belongs.
sed "s/stiffness: 200/stiffness: [200, 1]/" rope.yaml > bad.yaml
try check bad.yaml
# Another engine refuses these elements.
try run rope.yaml --set engine=hard --force
try run rope.yaml --set engine=hard --set springs=[] --set drives=[] --force
