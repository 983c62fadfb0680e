# Signals: INT and TERM end with exit 75, USR1 writes a checkpoint and goes on; the end is the same.
a_scene 500 30 > gas.yaml
quiet_run gas.yaml -o whole.h5 --json whole.json
hash() { grep -oE '"state_hash": *"[0-9a-f]+"' "$1"; }
written() { [ -s "$1.h5.checkpoint" ]; }
renewed() { [ "$(stat -c %i "$1.h5.checkpoint")" != "$2" ] || ! kill -0 $process 2> /dev/null; }
python=$(python_with h5py) || python=''
same() { [ -z "$python" ] || "$python" "$CAROM_SOURCE/tests/cli/same_results.py" whole.h5 "$1.h5"; }
for signal in INT TERM; do
    "$CAROM" run gas.yaml -o $signal.h5 --seed 1 2> message &
    process=$!
    wait_for written $signal
    kill -s $signal $process
    wait $process
    echo "$signal: $?"
    grep '^to go on' message
    expect 'it stopped by signal' bash -c '"$CAROM" info "$0.h5" | grep -qE "^stop +signal$"' $signal
    quiet_run gas.yaml -o $signal.h5 --resume --json $signal.json
    expect 'the same state' test "$(hash whole.json)" = "$(hash $signal.json)"
    expect 'the same result' same $signal
done
"$CAROM" run gas.yaml -o USR1.h5 -q --json USR1.json &
process=$!
wait_for written USR1
before=$(stat -c %i USR1.h5.checkpoint)
kill -s USR1 $process
wait_for renewed USR1 "$before"
expect 'it still runs' kill -0 $process
wait $process
echo "USR1: $?"
expect 'the same state' test "$(hash whole.json)" = "$(hash USR1.json)"
expect 'the same result' same USR1
