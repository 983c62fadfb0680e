# Detects disk limits under which a run neither works nor reports the error, or leaves unreadable output.
a_scene 300 10 > gas.yaml
quiet_run gas.yaml -o whole.h5 --json whole.json
say() { echo "$kilobytes: $*"; }
for kilobytes in 1 2 4 8 16 24 32 40 48 64 80 96 128 160 200 256 300; do
    rm -f part.*
    (
        ulimit -f $kilobytes
        timeout 120 "$CAROM" run gas.yaml -q -o part.h5 2>&1 | cat > message
        exit "${PIPESTATUS[0]}"
    )
    code=$?
    [ $code -ne 0 ] || continue
    [ $code -eq 74 ] || say "exit $code"
    [ "$(wc -l < message)" -eq 1 ] && grep -qE "^carom: error: cannot (create|write) ('part.h5'|checkpoint 'part.h5.checkpoint'): File too large; (choose|free disk space|the data written before|an earlier)" message || cat message
    [ ! -e part.h5 ] || timeout 60 "$CAROM" verify part.h5 > report 2>&1 || say "$(cat report)"
    if [ -e part.h5.checkpoint ]; then
        quiet_run gas.yaml -o part.h5 --resume --json part.json
        [ "$(hash_in whole.json)" = "$(hash_in part.json)" ] || say 'the end differs'
    else
        quiet_run gas.yaml -o part.h5 --force
    fi
done
echo done
