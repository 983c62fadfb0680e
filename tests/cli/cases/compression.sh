# Detects wrong ends and resumptions of runs that compress, and accepted settings that exclude compression.
cat > jam.yaml <<'END'
carom: 1
engine: hard
dimension: 3
seed: 1
box: {packing_fraction: 0.3, boundary: periodic}
species: {grain: {diameter: 1, mass: 1}}
particles: [{species: grain, count: 60, place: random, velocity: {maxwell: 1}, zero_momentum: true}]
hard: {compression: {rate: 0.1}}
run: {until: {pressure: 1e6}}
observe: [{what: packing_fraction, every_collisions: 1000}]
output: {frames: {every_collisions: 5000}}
END
quiet_run jam.yaml
"$CAROM" info jam.h5 | grep -E 'stop|time'
try verify jam.h5
try run jam.yaml --resume --quiet
try run jam.yaml --resume --quiet --set run.until.pressure=1e8
try run jam.yaml --resume --quiet --set hard.compression.rate=0.2
for set in hard.compression.rate=0 hard.compression.rate=2 'fields.gravity=[0,0,-1]' box.boundary=open \
    'hard.thermostat={rate: 1, temperature: 1}' hard.detection=naive particles.0.count=5 particles.0.velocity=zero \
    run.until.pressure=-1; do
    try check jam.yaml --set "$set"
done
# The default range of a distribution fits every later box.
quiet_run jam.yaml -o pairs.h5 --set 'observe.0={what: radial_distribution, every_collisions: 1000}'
try run jam.yaml -o long.h5 --set 'observe.0={what: radial_distribution, range: 3}'
sed 's/engine: hard/engine: aggregation/; s/^hard.*//; s/every_collisions: /every: /' jam.yaml > other.yaml
try check other.yaml
