# A signal ends a run with a checkpoint, exit 75, and the run goes on to the same bits.
a_scene 500 1e9 > long.yaml
started() { [ -s "$1" ]; }
for signal in INT TERM HUP; do
    "$CAROM" run long.yaml -o "$signal.h5" --quiet --json "$signal.json" 2> "$signal.err" &
    process=$!
    wait_for started "$signal.h5"
    sleep 0.3
    kill -s "$signal" $process
    wait $process
    echo "$signal: $?"
    expect 'the summary says signal' grep -q '"stop": *"signal"' "$signal.json"
    expect 'the result can be read' bash -c '"$CAROM" info "$0" > /dev/null' "$signal.h5"
done
