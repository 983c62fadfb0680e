# Detects finished runs without their last checkpoint in the result, or that cannot be continued.
a_scene 64 2 > gas.yaml
quiet_run gas.yaml -o whole.h5 --json whole.json
expect 'no checkpoint is left' test "$(echo whole.h5*)" = whole.h5
quiet_run gas.yaml -o part.h5 --set run.until.time=0.6
cp part.h5 early.h5
try run gas.yaml -o part.h5 -q --resume --set run.until.time=0.6
expect 'it is untouched' cmp part.h5 early.h5
try run gas.yaml -o part.h5 -q --resume --seed 9
for until in 1.1 1.7 2; do quiet_run gas.yaml -o part.h5 --resume --set run.until.time=$until --json part.json; done
expect 'no checkpoint is left' test "$(echo part.h5*)" = part.h5
expect 'the same state' test "$(hash_in whole.json)" = "$(hash_in part.json)"
"$CAROM" verify part.h5 | tail -n 1
# The file is kept on request, and removed at the next end.
quiet_run gas.yaml -o kept.h5 --set run.until.time=0.6 --keep-checkpoint
expect 'the checkpoint is kept' test -s kept.h5.checkpoint
expect 'and not stored twice' test "$(wc -c < kept.h5)" -lt "$(wc -c < early.h5)"
quiet_run gas.yaml -o kept.h5 --resume --json kept.json
expect 'no checkpoint is left' test "$(echo kept.h5*)" = kept.h5
expect 'the same state' test "$(hash_in whole.json)" = "$(hash_in kept.json)"
# Wall time is no end of the run.
quiet_run gas.yaml -o short.h5 --set run.until.wall_time=1e-9 --set run.until.time=1e9
expect 'there is something to go on from' test -s short.h5.checkpoint
# A continuation writes the checkpoint to a file before it replaces the result: nothing is lost if it is killed then.
cp early.h5 killed.h5
"$CAROM" run gas.yaml -o killed.h5 -q --resume --set run.until.time=1e9 2> message &
pid=$!
wait_for test -s killed.h5.checkpoint
kill -KILL $pid
wait $pid 2> /dev/null
quiet_run gas.yaml -o killed.h5 --resume --json killed.json
expect 'the same state' test "$(hash_in whole.json)" = "$(hash_in killed.json)"
expect 'no checkpoint is left' test "$(echo killed.h5*)" = killed.h5
# Values that repeat a setting are not results.
quiet_run gas.yaml -o msd.h5 --set 'observe=[{what: msd, every: 0.1, fit_from: 0.5}]'
"$CAROM" info msd.h5 | grep fit_from
"$CAROM" info msd.h5 --json | grep -c '"setting": true'
# A damaged checkpoint in the result is found, and not resumed.
python=$(python_with h5py) || exit 0
"$python" - early.h5 << 'END'
import sys
import h5py

with h5py.File(sys.argv[1], "r") as file:
    place = file["carom/checkpoint"].id.get_chunk_info(0).byte_offset
with open(sys.argv[1], "r+b") as file:
    file.seek(place + 2000)
    byte = file.read(1)[0]
    file.seek(place + 2000)
    file.write(bytes([byte ^ 1]))
END
try info early.h5
try run gas.yaml -o early.h5 -q --resume
