# Detects wrong drawings and refusals of carom plot.
a_scene 32 1 | sed 's/^observe:/observe:\n  - {what: pressure, every: 0.1}\n  - {what: radial_distribution, every: 0.5, bins: 20}/' > gas.yaml
quiet_run gas.yaml --keep-checkpoint
"$CAROM" plot gas.h5 -o probe.svg 2> .why || { grep -q 'without cairo' .why && skip 'carom was built without cairo'; }
rm -f probe.svg

# shown PICTURE : its format, by its first bytes.
shown() {
    head -c 4 "$1" | od -An -c | tr -d ' \n'
    echo
}

# panels FILE... : the names of the panels.
panels() {
    "$CAROM" plot "$@" -o panels.svg --force --json - 2> /dev/null | grep -E '"(name|x|y|log|points)"'
}

try plot gas.h5
shown gas.svg
try plot gas.h5
try plot gas.h5 --what presure
try plot gas.h5 --force
for ending in png pdf; do
    try plot gas.h5 -o "gas.$ending" --dark
    shown "gas.$ending"
done
panels gas.h5
try plot gas.h5 --what pressure --what energy --log y -o chosen.svg --json -
try plot gas.h5 --what radial_distribution --log xy -o log.png

echo '--- logarithms of negative numbers'
sed 's/^observe:/observe:\n  - {what: vacf, every: 0.05, lags: 10}\n  - {what: velocity_distribution, every: 0.5}/' gas.yaml > moves.yaml
quiet_run moves.yaml
"$CAROM" plot moves.h5 --log xy -o moves.svg --json - 2> .why | grep -E '"(name|note|log)"' | grep -A 2 'velocity\|a2'

echo '--- several files'
quiet_run gas.yaml --seed 2 -o other.h5
panels gas.h5 other.h5 --what pressure

"$CAROM" plot gas.h5 other.h5 -o pair.svg --json - 2> .why | grep -E '"(name|title|note|file)"'
mkdir here there
cp gas.h5 here/run.h5
cp other.h5 there/run.h5
"$CAROM" plot here/run.h5 there/run.h5 --what pressure -o pair.svg --force --json - 2> .why | grep '"file"' | sort -u
sed '/what:/d; /^observe:/d' gas.yaml | sed '/^run:/a observe: [{what: energy, every: 0.1}, {what: pressure, every: 0.1}]' > few.yaml
quiet_run few.yaml
"$CAROM" plot few.h5 gas.h5 -o few.svg --json - 2> .why | grep -E '"(title|left_out)"'
try plot gas.h5 ./gas.h5 -o twice.svg

echo '--- an energy balance: stacked stored and dissipated energies; for several files one panel for each term'
cat > drop.yaml << 'END'
carom: 1
engine: variational
dimension: 2
box: {size: [10, 10], boundary: open}
species: {a: {diameter: 1, mass: 1}}
particles: [{species: a, place: {at: [[4, 2], [5.5, 2.2]]}, velocity: zero}]
springs: [{name: s, pairs: [[0, 1]], stiffness: 20, damping: 0.5}]
planes: [{name: floor, point: [0, 1], normal: [0, 1]}]
contacts: [{between: [a, floor], restitution: 0.5}]
fields: {gravity: [0, -1]}
run: {until: {time: 2}}
observe: [{what: ledger, every: 0.1}]
END
quiet_run drop.yaml
quiet_run drop.yaml --set fields.gravity=[0,-2] -o other.h5 --force
panels drop.h5 --what stack
panels drop.h5 other.h5 | grep '"name": "\(stack\|ledger\)'
# A term has one colour: all panels together have no more than the stack.
colours() {
    "$CAROM" plot drop.h5 --what "$1" -o colours.svg --force 2> .why
    grep -oE 'rgb\([^)]*\)' colours.svg | tr -d 'rgb()%' | awk -F, '{ low = high = $1; for (i = 2; i <= 3; i++) { if ($i < low) low = $i; if ($i > high) high = $i } if (high > low + 1) print }' | sort -u
}
expect 'the colours are those of the stack' test "$(colours ledger)" = "$(colours stack)"

echo '--- tables over other quantities than time'
cat > pile.yaml << 'END'
carom: 1
engine: variational
seed: 2
box: {size: [3, 3, 6], boundary: wall}
species: {g: {diameter: 1, density: 1.9}}
particles: [{species: g, count: 12, place: random}]
fields: {gravity: [0, 0, -1]}
run: {until: {time: 4}}
observe:
  - {what: force_distribution, walls: true, every: 0.5}
  - {what: fields, name: column, cells: [1, 1, 6], width: 0.3, every: 0.5}
  - {what: fields, name: plane, cells: [2, 1, 2], width: 0.3, every: 0.5}
  - {what: stress, axis: z, bins: 4, every: 0.5}
END
quiet_run pile.yaml
panels pile.h5 | grep -E '"(name|x|y|points)":'

echo '--- the same bytes in repeated runs'
"$CAROM" plot gas.h5 -o one.pdf 2> .why && OMP_NUM_THREADS=1 "$CAROM" plot gas.h5 -o two.pdf 2> .why
expect 'the same PDF' cmp one.pdf two.pdf
"$CAROM" plot gas.h5 -o one.svg 2> .why && OMP_NUM_THREADS=2 "$CAROM" plot gas.h5 -o two.svg 2> .why
expect 'the same SVG' cmp one.svg two.svg

echo '--- a sweep'
cat > sweep.yaml << 'END'
carom: 1
scene: gas.yaml
seeds: 2
parameters:
  box.packing_fraction: [0.05, 0.1, 0.2]
measure: [observables.pressure.compressibility.mean, events.total]
keep: nothing
END
"$CAROM" sweep sweep.yaml --jobs 1 > .why 2>&1
try plot sweep
panels sweep
panels sweep/table.csv --what events.total

echo '--- invalid requests'
try plot
try plot gone.h5
try plot gas.yaml -o x.svg
try plot gas.h5.checkpoint
try plot gas.h5 --what presure -o x.svg
try plot gas.h5 --what weather -o x.svg
try plot gas.h5 --log z
try plot gas.h5 -o picture.jpeg
try plot gas.h5 -o picture
try plot gas.h5 -o nowhere/x.svg
try plot gas.h5 -o .
try plot gas.h5 -o gas.h5 --force
try plot gas.h5 --json gas.h5 --force -o x.svg
try plot gas.h5 --json x.svg -o x.svg
mkdir empty
try plot empty
printf 'point,measure\n1,a,b\n' > odd.csv
try plot odd.csv
printf 'a,b\n1,2\n' > other.csv
try plot other.csv
sed '/what:/d; /^observe:/d' gas.yaml > bare.yaml
quiet_run bare.yaml
panels bare.h5
head -c 3000 gas.h5 > cut.h5
try plot cut.h5
expect 'no picture was left' test ! -e x.svg -a ! -e cut.svg -a ! -e empty.svg -a ! -e twice.svg
expect 'the result is still one' "$CAROM" verify gas.h5 > .why
