# Detects words that do not lead to their keys, observables and guides, best match first, and missing suggestions.
for word in sleep units stl restart friction; do
    "$CAROM" help "$word" > said
    expect "'$word' is found" test -s said
done
expect 'the key is first' bash -c '"$CAROM" help sleep | sed -n 2p | grep -q "^  hard.*sleep"'
expect 'a guide follows' bash -c '"$CAROM" help stl | grep -q "docs/manual.md, Boundaries from CAD"'
expect 'other words are known' bash -c '"$CAROM" help restart | grep -q "carom calls it .resume."'
expect 'a key is followed by guides' bash -c '"$CAROM" help friction | grep -q "^  docs/"'
expect 'comments of the guides are left out' bash -c '! "$CAROM" help "<!--" 2> said | grep "docs/"'
try help frictoin
try help xyzzyqq
