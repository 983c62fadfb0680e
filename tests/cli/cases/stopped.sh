# Detects wrong exits on signals (INT, TERM, HUP: 75), USR1 without a checkpoint, and final results that differ.
a_scene 500 1e9 > gas.yaml
written() { [ -s run.h5.checkpoint ]; }
renewed() { [ "$(stat -c %i run.h5.checkpoint)" != "$1" ]; }
python=$(python_with h5py) || python=''
for signal in INT TERM HUP USR1; do
    rm -f run.* whole.*
    "$CAROM" run gas.yaml -o run.h5 --seed 1 2> message &
    process=$!
    wait_for written
    before=$(stat -c %i run.h5.checkpoint)
    kill -s $signal $process
    if [ $signal = USR1 ]; then
        wait_for renewed "$before"
        expect 'it still runs' kill -0 $process
        kill $process
    fi
    wait $process
    echo "$signal: $?"
    grep '^to continue' message
    expect 'it stopped by signal' bash -c '"$CAROM" info run.h5 | grep -qE "^stop +signal$"'
    end=$("$CAROM" info run.h5 | sed -nE 's/^time +([0-9]+).*/\1/p')
    # From this state to a slightly later one, and the complete run at once.
    quiet_run gas.yaml -o run.h5 --resume --set "run.until.time=$((end + 3))" --json run.json
    quiet_run gas.yaml -o whole.h5 --set "run.until.time=$((end + 3))" --json whole.json
    expect 'the same state' test "$(hash_in whole.json)" = "$(hash_in run.json)"
    [ -z "$python" ] || "$python" "$CAROM_SOURCE/tests/cli/same_results.py" whole.h5 run.h5
done
