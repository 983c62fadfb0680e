# Detects recorded events that a resumed or killed run changes, that `info`, `export` and `verify` miss, and bad choices of them.
a_scene 500 6 | sed '/^output:/d' > gas.yaml
echo 'output: {frames: {every: 0.5}, events: true}' >> gas.yaml
quiet_run gas.yaml -o whole.h5 --json whole.json
total=$(grep -o '"total": *[0-9]*' whole.json | head -1 | tr -dc 0-9)
recorded() { "$CAROM" info "$1" | sed -n 's/^recorded *//p'; }
expect 'all events are recorded' test "$(recorded whole.h5)" = "$total"
expect 'more than one block' test "$total" -gt 4096
table() { "$CAROM" export "$1" --to csv --what events -o "$2" --force > .said 2>&1 || cat .said; }
table whole.h5 whole.csv
head -n 1 whole.csv
expect 'a row an event' test "$(($(wc -l < whole.csv) - 1))" = "$total"
expect 'in order of time' awk -F, 'NR > 2 && $1 < before { exit 1 } NR > 1 { before = $1 }' whole.csv
try verify whole.h5
# A run in parts, and one that is compressed, have the same events.
quiet_run gas.yaml -o parts.h5 --set run.until.time=0.7
quiet_run gas.yaml -o parts.h5 --set run.until.time=1.3 --resume
quiet_run gas.yaml -o parts.h5 --resume
table parts.h5 parts.csv
expect 'the same events after --resume' cmp -s whole.csv parts.csv
quiet_run gas.yaml -o packed.h5 --set output.compression=6
table packed.h5 packed.csv
expect 'the same events compressed' cmp -s whole.csv packed.csv
expect 'in a smaller file' test "$(stat -c %s packed.h5)" -lt "$(stat -c %s whole.h5)"
# A choice.
quiet_run gas.yaml -o some.h5 --set 'output.events={kinds: [collision], particles: [3, {from: 5, to: 9}], start: 0.5, end: 1.5}'
table some.h5 some.csv
awk -F, 'NR == 1 || ($2 == "collision" && ($4 == 3 || ($4 >= 5 && $4 <= 9) || $6 == 3 || ($6 >= 5 && $6 <= 9)) && $1 > 0.5 && $1 <= 1.5)' whole.csv > expected.csv
expect 'the chosen events' cmp -s expected.csv some.csv
expect 'some events' test "$(wc -l < some.csv)" -gt 1
quiet_run gas.yaml -o most.h5 --set 'output.events={most: 5000}'
expect 'at most so many' test "$(recorded most.h5)" = 5000
# The choice must not change.
try run gas.yaml -o parts.h5 --resume --quiet --set output.events=false --set run.until.time=9
# The other engines: any number of threads, and runs in parts.
head_of() { printf 'carom: 1\nengine: %s\ndimension: 2\nseed: 4\nbox: {size: %s, boundary: wall}\nspecies: {a: {diameter: 1}}\n' "$1" "$2"; }
{
    head_of aggregation 60
    echo 'particles: [{species: a, count: 300, place: random, velocity: {maxwell: 1}}]'
    echo 'contacts: [{between: [a, a], restitution: 0.6, stick: {below: 1.2}}]'
    echo 'run: {until: {time: 40}}'
} > aggregation.yaml
{
    head_of variational 16
    echo 'particles: [{species: a, count: 60, place: random, velocity: {maxwell: 1}}]'
    echo 'contacts: [{between: [a, a], restitution: 0.9, friction: 0.2}]'
    echo 'run: {until: {time: 4}}'
} > variational.yaml
for engine in aggregation variational; do
    echo 'output: {frames: {every: 2}, events: true}' >> $engine.yaml
    quiet_run $engine.yaml -o one.h5 --force --threads 1
    quiet_run $engine.yaml -o two.h5 --force --threads 2
    quiet_run $engine.yaml -o three.h5 --force --set run.until.time=1.123
    quiet_run $engine.yaml -o three.h5 --resume --set run.until.time=2.7
    quiet_run $engine.yaml -o three.h5 --resume
    for name in one two three; do table $name.h5 $name.csv; done
    expect "$engine: many events" test "$(wc -l < one.csv)" -gt 100
    expect "$engine: the same events with two threads" cmp -s one.csv two.csv
    expect "$engine: the same events after --resume" cmp -s one.csv three.csv
    "$CAROM" verify one.h5 > .said
    expect "$engine: sound" grep -q ': sound;' .said
    grep 'recorded events' .said
done
# A result without events, and a table that does not exist beside them.
quiet_run gas.yaml -o none.h5 --set output.events=false
try export none.h5 --to csv --what events
try export some.h5 --to csv --what event
# A choice that no event passes; `hard` has no merges.
try run gas.yaml -o late.h5 --quiet --set 'output.events={start: 100}'
try run gas.yaml -o merges.h5 --quiet --set 'output.events={kinds: [merge]}'
# Faults of scenes.
try check gas.yaml --set 'output.events={kinds: [colision], species: [gran], particles: [500], start: 2, end: 1}'
try check gas.yaml --set 'output.events={kinds: []}'
try check gas.yaml --set 'output.events=some'
