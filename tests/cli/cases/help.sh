# Detects help text that is not on standard output, fails, or depends on how it is requested.
try help
try run --help
try help export
expect 'a command explains itself' test "$("$CAROM" export -h)" = "$("$CAROM" help export)"
expect 'no other word is needed for the list' test "$("$CAROM" --help)" = "$("$CAROM" help)"
expect 'every command has help' bash -c 'for c in run init check info export verify help; do "$CAROM" help $c > /dev/null || exit 1; done'
expect 'the version is a number and a commit' bash -c '"$CAROM" --version | grep -qxE "carom [0-9]+\.[0-9]+\.[0-9]+ \(.+\)"'
