# Detects results of ballistic aggregation that a kill while they are written damages, or that a resumed run continues with other bits.
{
    some_dust
    echo 'observe: [{what: clusters, every: 5}, {what: energy, every: 5}]'
    echo 'output: {frames: {every: 10}}'
} > dust.yaml
holds_up() { expect 'the result holds up' bash -c 'timeout 60 "$CAROM" verify "$0" > /dev/null' "$1"; }
sed 's/count: 49/count: 2500/; s/size: .*/packing_fraction: 0.1, boundary: wall}/; s/every: 10}/every: 0.05}/' dust.yaml > many.yaml
quiet_run many.yaml -o killed.h5 --set run.until.clusters=1200
size=$(stat -c %s killed.h5)
"$CAROM" run many.yaml -o killed.h5 --resume --set run.until.clusters=900 -q 2> /dev/null &
process=$!
grown() { [ "$(stat -c %s killed.h5)" -gt $((size + 500000)) ] || ! kill -0 $process 2> /dev/null; }
wait_for grown
kill -9 $process 2> /dev/null
wait $process 2> /dev/null
holds_up killed.h5
quiet_run many.yaml -o killed.h5 --resume --set run.until.clusters=900 --json killed.json
quiet_run many.yaml -o fresh.h5 --set run.until.clusters=900 --json fresh.json
expect 'the same bits' test "$(hash_in killed.json)" = "$(hash_in fresh.json)"
holds_up killed.h5
