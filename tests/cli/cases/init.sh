# Detects starter scenes that replace a file, or go elsewhere than to standard output or a new file.
"$CAROM" init > first.yaml
expect 'it is a scene' bash -c '"$CAROM" check first.yaml > /dev/null'
try init hard -o second.yaml
expect 'the file is the same text' cmp first.yaml second.yaml
try init hard -o second.yaml
try init hard -o second.yaml --force
try init hard -o missing/third.yaml
try init -o /dev/full
"$CAROM" init aggregation > dust.yaml
expect 'a scene of the other engine, too' bash -c '"$CAROM" check dust.yaml > /dev/null'
"$CAROM" init variational > settle.yaml
expect 'and of the third' bash -c '"$CAROM" check settle.yaml > /dev/null'
echo '--- the keys in comments are complete'
"$CAROM" init granular-gas | sed -E '/\[grain, grain\]/ s/\}[^#]*#.*(tangential: .*)$/, \1}/' > rough.yaml
grep -c 'tangential: [0-9]' rough.yaml
expect 'a granular gas' bash -c '"$CAROM" check --trial 0 rough.yaml > /dev/null'
# Grains that roll: the beginning of each scene.
for name in pile hopper drum; do
    "$CAROM" init "$name" > grains.yaml
    "$CAROM" run grains.yaml --set run.until.time=1 --force --quiet --json grains.json
    expect "$name" bash -c '"$CAROM" verify grains.h5 > /dev/null'
done
