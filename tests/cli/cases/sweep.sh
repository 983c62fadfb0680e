# Detects faults of a sweep from beginning to end: runs, tables, permitted and forbidden later changes.
a_scene 32 2 > gas.yaml
# untimed FILE : a table without what the clock measured, its line ends made plain.
untimed() {
    tr -d '\r' < "$1" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cpu_s") skip = i }
        !/,cpu_s,[0-9]/ { line = ""; for (i = 1; i <= NF; i++) if (i != skip) line = line (line == "" ? "" : ",") $i; print line }'
}
cat > all.yaml << 'END'
carom: 1
scene: gas.yaml
seeds: [3, 1]
parameters:
  box.packing_fraction: [0.1, 0.2]
  particles.0.velocity: [{maxwell: 1}, {uniform: [-1, 1]}]
END
try sweep all.yaml --dry-run
expect 'nothing was made' test ! -e all
try sweep all.yaml
untimed all/runs.csv | cut -d, -f1-8
untimed all/table.csv | cut -d, -f1-6 | head -n 5
expect 'lines end as RFC 4180 has it' test "$(wc -l < all/runs.csv)" = "$(grep -c $'\r$' all/runs.csv)"
echo all/* all/runs/*
# A row is what `carom run` gives.
quiet_run gas.yaml --seed 1 --set box.packing_fraction=0.2 --set 'particles.0.velocity={uniform: [-1, 1]}' --json one.json
events=$(sed -nE 's/.*"total": *([0-9]+),?$/\1/p' one.json | head -n 1)
expect 'a row is the run' grep -q "^4,0.2,\"{uniform: \[-1, 1\]}\",1,0,,time,2,$events," all/runs.csv
cp all/runs.csv first.csv
try sweep all.yaml
expect 'the same tables' cmp first.csv all/runs.csv
# More seeds: only the new ones run. Other measures, and no results: nothing runs.
sed -i 's/seeds: .*/seeds: [3, 1, 4]/' all.yaml
try sweep all.yaml --dry-run
try sweep all.yaml --jobs 1 --quiet
expect 'the old rows stay' test "$(untimed first.csv | grep -c -F -x -f <(untimed all/runs.csv))" = 9
printf '%s\n' 'measure: [state_hash, events.total, momentum.1, energy, box.0]' 'keep: nothing' >> all.yaml
try sweep all.yaml
head -n 1 all/runs.csv | tr -d '\r'
head -n 3 all/table.csv | tail -n 1 | cut -d, -f1-4
expect 'results stay once they are there' test "$(ls all/runs | wc -l)" = 12
try sweep all.yaml -o bare -q
expect 'no result is kept' test -z "$(ls bare/runs)"
expect 'the same numbers' cmp all/runs.csv bare/runs.csv
# A change of what has run already is refused, with its key.
cp all.yaml changed.yaml
sed -i 's/\[0.1, 0.2\]/[0.1, 0.3]/' changed.yaml
try sweep changed.yaml -o all
try sweep changed.yaml -o all --dry-run
sed 's/seeds: .*/seeds: 1/' all.yaml > fewer.yaml
try sweep fewer.yaml -o all
sed 's/diameter: 1/diameter: 1.5/' gas.yaml > other.yaml
sed 's/gas.yaml/other.yaml/' all.yaml > elsewhere.yaml
try sweep elsewhere.yaml -o all
try sweep changed.yaml -o all --force -q
grep -c '^[1-4],0.3' all/runs.csv
# Lists that go together, and JSON.
cat > zip.yaml << 'END'
carom: 1
scene: gas.yaml
seeds: {from: 5, count: 3}
together:
  box.packing_fraction: [0.1, 0.2, 0.1]
  run.until.time: [1, 2, 3]
measure: [time, stop]
END
try sweep zip.yaml -q --json -
tr -d '\r' < zip/runs.csv
tr -d '\r' < zip/table.csv
# Every engine can be swept, also side by side.
cat > engines.yaml << 'END'
carom: 1
scene: gas.yaml
seeds: 2
parameters:
  engine: [hard, aggregation]
measure: [stop, events.total]
END
try sweep engines.yaml -q
"$CAROM" run gas.yaml --set engine=aggregation --seed 2 -q -o merged.h5 --json merged.json
events=$(sed -nE 's/.*"total": *([0-9]+),?$/\1/p' merged.json | head -n 1)
expect 'the row is the run' grep -q "^2,aggregation,2,0,,clusters,$events" engines/runs.csv
tr -d '\r' < engines/runs.csv | cut -d, -f1-6
