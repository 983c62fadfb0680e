# Detects runs ended by their dynamics without exit 76, the particles concerned, or a checkpoint.
cat > cold.yaml << 'END'
carom: 1
engine: hard
seed: 3
box: {packing_fraction: 0.1, boundary: periodic}
species:
  grain: {diameter: 1}
particles:
  - {species: grain, count: 256, place: fcc, velocity: {maxwell: 1}, zero_momentum: true}
contacts:
  - {between: [grain, grain], restitution: 0}
run: {until: {collisions: 20000}}
END
try run cold.yaml -q --json cold.json
stop_in cold.json
expect 'there is a checkpoint' test -s cold.h5.checkpoint
expect 'the result holds up' bash -c '"$CAROM" verify cold.h5 > /dev/null'
"$CAROM" info cold.h5 | grep -E '^stop'
# The resumed run collapses again, and ends.
try run cold.yaml -q --resume
for policy in tc cutoff; do
    key=tc
    [ $policy = tc ] || key=speed
    quiet_run cold.yaml -o $policy.h5 --set hard.collapse.policy=$policy --set hard.collapse.$key=1e-3 --json $policy.json
    stop_in $policy.json
done
# The text-book rule fails in a case that the stable rule solves.
try run cold.yaml -q -o naive.h5 --set hard.detection=naive --json naive.json
stop_in naive.json
# Few events, or none.
a_scene > gas.yaml
quiet_run gas.yaml -o still.h5 --set 'particles.0.velocity={maxwell: 0}' --json still.json
stop_in still.json
quiet_run gas.yaml -o one.h5 --set 'box={size: [5, 5, 5], boundary: periodic}' --set particles.0.count=1 --json one.json
stop_in one.json
quiet_run gas.yaml -o gone.h5 --set box.boundary=open --set run.until.time=1e6 --json gone.json
stop_in gone.json
quiet_run gas.yaml -o gone.h5 --set box.boundary=open --set run.until.time=1e6 --resume
expect 'the emptied box holds up' bash -c '"$CAROM" verify gone.h5 > /dev/null'

# Rounding to single precision is not a violation.
quiet_run gas.yaml -o float.h5 --set hard.precision=float --set run.until.events=100000
"$CAROM" verify float.h5 | grep -E 'float.h5|compared|overlaps|budget|momentum'
