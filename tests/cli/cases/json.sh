# Detects summaries that go to the wrong place or are written in part.
a_scene > gas.yaml
"$CAROM" run gas.yaml --quiet --json - > shown 2> messages
expect 'standard output holds one object' grep -q '"stop"' shown
expect 'nothing else is said' test ! -s messages
quiet_run gas.yaml --force --json kept.json
expect 'a file holds the same keys' test "$(grep -oE '"[a-z_]+":' kept.json)" = "$(grep -oE '"[a-z_]+":' shown)"
expect 'nothing is left beside it' test "$(echo kept.json*)" = kept.json
"$CAROM" run gas.yaml --quiet --force --json - > /dev/full 2> full
echo "full: $?"
cat full
{
    "$CAROM" run gas.yaml --quiet --force --json - 2> gone
    echo "gone: $?" >> gone
} | true
cat gone
if [ -e /dev/full ]; then
    "$CAROM" run gas.yaml --quiet --force --json /dev/full 2>&1
    echo "device: $?"
fi
# The report of verify, too.
"$CAROM" verify gas.h5 --json > sound.json
echo "verify: $?"
expect 'verify gives one object' grep -qx '{' sound.json
expect 'with a verdict' grep -q '"sound": true' sound.json
expect 'and counts' grep -q '"passages": 0' sound.json
