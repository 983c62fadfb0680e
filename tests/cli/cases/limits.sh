# Detects too little memory or disk space without a message and an exit code, or with unreadable earlier output.
[ "${CAROM_SANITIZE:-0}" = 0 ] || skip 'the sanitizers need more memory than the limit'
a_scene 4000000 > large.yaml
(
    ulimit -v 400000
    "$CAROM" run large.yaml --quiet 2> message
    echo "memory: $?"
    grep -oE '(carom: )?error: out of memory' message
)
expect 'no result is left' test ! -e large.h5
a_scene 500 200 > gas.yaml
(
    ulimit -f 1000
    "$CAROM" run gas.yaml --quiet 2> message
    echo "disk: $?"
    sed 's/at t = .*//' message
)
expect 'the result can be read' bash -c '"$CAROM" info gas.h5 > /dev/null'
