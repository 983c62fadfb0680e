# Detects effects of a locale with decimal commas.
name=$(locale -a 2> /dev/null | grep -iE '^(de_DE|fr_FR|nl_NL|es_ES)' | head -n 1)
if [ -z "$name" ] && localedef -i de_DE -f UTF-8 "$PWD/de_DE.UTF-8" > /dev/null 2>&1; then
    export LOCPATH=$PWD ASAN_OPTIONS=detect_leaks=0 # newlocale of the C library loses a copy of LOCPATH
    name=de_DE.UTF-8
fi
[ -n "$name" ] || skip 'no locale with decimal commas'
expect 'it has commas' test "$(LC_ALL=$name printf %.1f 1)" = 1,0
a_scene > gas.yaml
quiet_run gas.yaml -o plain.h5 --json plain.json
LC_ALL=$name quiet_run gas.yaml -o comma.h5 --json comma.json
expect 'the same state' test "$(hash_in plain.json)" = "$(hash_in comma.json)"
expect 'no commas in numbers' bash -c '! grep -qE "[0-9],[0-9]{3,}" comma.json'
for command in info verify; do
    expect "the same $command" test "$("$CAROM" $command plain.h5 | grep -v h5)" = \
        "$(LC_ALL=$name "$CAROM" $command comma.h5 | grep -v h5)"
done
"$CAROM" export plain.h5 --to csv > /dev/null
LC_ALL=$name "$CAROM" export comma.h5 --to csv > /dev/null
expect 'the same table' cmp plain.csv comma.csv
export LC_ALL=$name
try check gas.yaml --set box.packing_fraction=0,2
"$CAROM" check gas.yaml | head -n 3
