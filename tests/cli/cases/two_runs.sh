# Detects a second run on one result that is not refused.
a_scene 256 1e9 > gas.yaml
"$CAROM" run gas.yaml --quiet 2> first &
process=$!
wait_for test -s gas.h5
sleep 0.2
try run gas.yaml --quiet --force
try run gas.yaml --quiet --resume
kill -TERM $process
wait $process
echo "the first: $?"
