# kill -9 at any moment loses nothing before the last checkpoint.
a_scene 256 400 > gas.yaml
hash() { grep -oE '"state_hash": *"[0-9a-f]+"' "$1"; }
quiet_run gas.yaml -o whole.h5 --json whole.json
"$CAROM" run gas.yaml -o killed.h5 --quiet --set output.checkpoint.every_wall=0.05 &
process=$!
wait_for test -s killed.h5.checkpoint
sleep 0.2
kill -9 $process
wait $process 2> /dev/null
expect 'the result can be read' bash -c '"$CAROM" info killed.h5 > /dev/null'
expect 'and holds up' bash -c '"$CAROM" verify killed.h5 > /dev/null'
quiet_run gas.yaml -o killed.h5 --resume --json killed.json --set output.checkpoint.every_wall=0.05
expect 'the same bits' test "$(hash whole.json)" = "$(hash killed.json)"
expect 'the whole result holds up' bash -c '"$CAROM" verify killed.h5 > /dev/null'
