# Detects failed runs without status and message in their rows, or that stop the other runs.
cat > cold.yaml << 'END'
carom: 1
engine: hard
dimension: 2
box: {packing_fraction: 0.1, boundary: periodic}
species:
  grain: {diameter: 1}
particles:
  - {species: grain, count: 256, place: square, velocity: {maxwell: 1}, zero_momentum: true}
contacts:
  - {between: [grain, grain], restitution: 1}
run: {until: {collisions: 20000}}
END
cat > sweep.yaml << 'END'
carom: 1
scene: cold.yaml
seeds: 2
together:
  contacts.0.restitution: [0, 1, 1]
  particles.0.place: [square, random, {file: none.xyz}]
measure: [stop, events.collision]
keep: nothing
END
try sweep sweep.yaml
tr -d '\r' < sweep/runs.csv | sed -E 's/^(1,.*collapse),.*/\1,.../; s/particles [0-9].*"/.../' | cut -d, -f1-7
tr -d '\r' < sweep/table.csv | sed -E 's/^(2,.*),2,.*/\1,2,.../'
try sweep sweep.yaml --dry-run
try sweep sweep.yaml --quiet
wc -l < sweep/rows.jsonl
expect 'what failed leaves nothing' test -z "$(ls sweep/runs)"
