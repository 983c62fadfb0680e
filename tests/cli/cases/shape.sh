# Detects wrong output and refusals of carom shape.
cat > square.xyz << 'END'
8
Properties=species:S:1:pos:R:2
g 3.5 3.5
g 4.5 3.5
g 3.5 4.5
g 4.5 4.5
g 7.5 7.5
g 8.5 7.5
g 9.5 7.5
g 1.5 8.5
END
cat > rest.yaml << 'END'
carom: 1
engine: hard
dimension: 2
seed: 1
box: {size: [16, 16], boundary: wall}
species:
  g: {diameter: 1, mass: 1}
particles:
  - {species: g, place: {file: square.xyz}, velocity: zero}
run: {until: {time: 1}}
output: {frames: {every: 1}}
END
quiet_run rest.yaml --keep-checkpoint
try shape rest.h5
try shape rest.h5 --cluster all --min-size 1
try shape rest.h5 --cluster 4 --json - > four.txt
expect 'the rod of three has lambda_1 = 2/3' grep -q '"eigenvalues": \[0.66666666666666[0-9]*, 0\]' four.txt
try shape rest.h5 --cluster together --csv -
try shape rest.h5 --cluster all --min-size 5

echo '--- files'
try shape rest.h5 rest.h5 --cluster all --json kept.json --csv kept.csv > shown.txt
expect 'clusters of both files' test "$(wc -l < kept.csv)" = 5
try shape rest.h5 --json kept.json
try shape rest.h5 --json kept.json --force > shown.txt
expect 'replaced' grep -q '"files": \["rest.h5"\]' kept.json
try shape rest.h5 --json - --csv -
try shape rest.h5 --json rest.h5 --force
try shape rest.h5 --csv nowhere/x.csv
expect 'the result is still one' "$CAROM" verify rest.h5 > shown.txt

echo '--- invalid requests'
try shape
try shape gone.h5
try shape rest.yaml
try shape rest.h5.checkpoint
try shape rest.h5 gone.h5
try shape rest.h5 --frame 7
try shape rest.h5 --frame first
try shape rest.h5 --frame -1
try shape rest.h5 --cluster 5
try shape rest.h5 --cluster 99999999999999999999
try shape rest.h5 --cluster 18446744073709551615
try shape rest.h5 --min-size few
try shape rest.h5 --gap wide
try shape rest.h5 --gap -0.1
try shape rest.h5 --gap nan
try shape rest.h5 --gap 0
try shape rest.h5 --gap 2
try shape rest.h5 --shape

echo '--- other files'
a_scene 32 0 > gas.yaml
quiet_run gas.yaml
try shape rest.h5 gas.h5
head -c 3000 rest.h5 > short.h5
try shape short.h5
python=$(python_with h5py) || skip 'no h5py'
spoil() { # spoil NAME STATEMENT : rest.h5 as NAME, after a statement about it
    cp rest.h5 "$1"
    change_result "$1" "$2"
}
spoil nan.h5 "h['particles/all/position/value'][0, 3, 0] = float('nan')"
try shape nan.h5
spoil point.h5 "h['particles/all/radius'][2] = 0"
try shape point.h5
spoil flat.h5 "h['particles/all/box/edges/value'][0, 1, 1] = 0"
try shape flat.h5
spoil far.h5 "h['particles/all/position/value'][0, 3, 0] = 1e300"
try shape far.h5 --cluster together > far.txt
expect 'far away is no fault' grep -q '= 0' far.txt
spoil empty.h5 "h['carom/complete'][0] = 0"
try shape empty.h5
