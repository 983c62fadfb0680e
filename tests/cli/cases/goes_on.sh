# Detects wrong refusals of --resume, and runs that cannot be extended after their end.
a_scene 108 2 > gas.yaml
quiet_run gas.yaml -o whole.h5 --json whole.json
quiet_run gas.yaml -o part.h5 --set run.until.time=0.75
try run gas.yaml -o part.h5 -q --resume --set run.until.time=0.75
try run gas.yaml -o part.h5 -q --resume --set run.until.time=0.5
for set in seed=2 box.packing_fraction=0.3 particles.0.count=256 species.grain.diameter=2 particles.0.velocity=zero \
    'observe=[]' observe.0.every=0.2 hard.reference=true hard.collapse.count=50 title=other \
    'contacts=[{between: [grain, grain], restitution: 0.9}]' 'fields={gravity: [0, 0, -1]}'; do
    try run gas.yaml -o part.h5 -q --resume --set "$set"
done
# The output intervals and the limits may change.
quiet_run gas.yaml -o part.h5 --resume --json part.json
expect 'the same state' test "$(hash_in whole.json)" = "$(hash_in part.json)"
python=$(python_with h5py) || python=''
[ -z "$python" ] || "$python" "$CAROM_SOURCE/tests/cli/same_results.py" whole.h5 part.h5 || echo 'the datasets differ'
# The seed of the command line is that of the result.
quiet_run gas.yaml -o seven.h5 --seed 7 --set run.until.time=1 --json seven.json
grep -oE '"seed": *[0-9]+' seven.json
"$CAROM" info seven.h5 | grep -E '^seed'
try run gas.yaml -o seven.h5 -q --resume
quiet_run gas.yaml -o seven.h5 --resume --seed 7 --json seven.json --force
quiet_run gas.yaml -o straight.h5 --seed 7 --json straight.json
expect 'the same state' test "$(hash_in straight.json)" = "$(hash_in seven.json)"
# Results that were never begun, or are incomplete.
try run gas.yaml -o new.h5 -q --resume
try run gas.yaml -o straight.h5 -q --seed 7 --force --keep-checkpoint
mv straight.h5 bare.h5
try run gas.yaml -o bare.h5 -q --resume
mv straight.h5.checkpoint lone.h5.checkpoint
try run gas.yaml -o lone.h5 -q --resume
