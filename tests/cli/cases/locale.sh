# A locale with decimal commas changes nothing.
name=$(locale -a 2> /dev/null | grep -iE '^(de_DE|fr_FR|nl_NL|es_ES)' | head -n 1)
[ -n "$name" ] || skip 'no locale with decimal commas'
a_scene > gas.yaml
quiet_run gas.yaml -o plain.h5 --json plain.json
LC_ALL=$name quiet_run gas.yaml -o comma.h5 --json comma.json
hash() { grep -oE '"state_hash": *"[^"]*"' "$1"; }
expect 'the same state' test "$(hash plain.json)" = "$(hash comma.json)"
expect 'no commas in numbers' bash -c '! grep -qE "[0-9],[0-9]{3,}" comma.json'
