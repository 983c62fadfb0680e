# Detects parts of a sweep, in any order and in parallel, whose tables differ from the whole.
a_scene 32 2 > gas.yaml
a_sweep > sweep.yaml
try sweep sweep.yaml -o whole -q --jobs 3
same() {
    expect 'the same rows' cmp whole/runs.csv "$1/runs.csv"
    expect 'the same table' cmp whole/table.csv "$1/table.csv"
}
try sweep sweep.yaml -o parts --shard 3/4
try sweep sweep.yaml -o parts --shard 1/4
expect 'no table yet' test ! -e parts/table.csv
try sweep sweep.yaml -o parts --collect
try sweep sweep.yaml -o parts --shard 4/4
try sweep sweep.yaml -o parts --shard 2/4 --dry-run
try sweep sweep.yaml -o parts --shard 2/4
same parts
rm parts/*.csv
try sweep sweep.yaml -o parts --collect -q
same parts
for part in 1 2 3; do "$CAROM" sweep sweep.yaml -o once --shard $part/3 -q & done
wait
same once
try sweep sweep.yaml -o once
