# Detects wrong messages for unusable sweeps: place, error, remedy.
a_scene > gas.yaml
# bad LINE... : a sweep of these lines, listed.
bad() {
    printf '%s\n' "$@" > bad.yaml
    try sweep bad.yaml --dry-run
}
try sweep
try sweep none.yaml
try sweep gas.yaml --dry-run
try sweep . --dry-run
bad ''
bad hello
bad 'carom: 2' 'scene: gas.yaml'
bad 'carom: 1'
bad 'scene: gas.yaml'
bad 'carom: 1' 'scene: none.yaml'
bad 'carom: 1' 'scene: []' 'sceen: gas.yaml' 'runs: 3'
bad 'carom: 1' 'scene: gas.yaml' 'seeds: 0'
bad 'carom: 1' 'scene: gas.yaml' 'seeds: 1.5'
bad 'carom: 1' 'scene: gas.yaml' 'seeds: 1e9'
bad 'carom: 1' 'scene: gas.yaml' 'seeds: []'
bad 'carom: 1' 'scene: gas.yaml' 'seeds: [1, -2, 1, 1, x]'
bad 'carom: 1' 'scene: gas.yaml' 'seeds: {from: 3, counts: 4}'
bad 'carom: 1' 'scene: gas.yaml' 'seeds: {from: 18446744073709551615, count: 2}'
bad 'carom: 1' 'scene: gas.yaml' 'parameters: [1, 2]'
bad 'carom: 1' 'scene: gas.yaml' 'parameters:' '  box.size: 3' '  seed: [1, 2]' '  dimension: []' '  .a: [1]' '  a..b: [1]'
bad 'carom: 1' 'scene: gas.yaml' 'parameters:' '  box: [{size: 3}]' '  box.size: [3]' 'together: {box: [1]}'
bad 'carom: 1' 'scene: gas.yaml' 'parameters:' '  run.until.time: [1, 2, 1, [], ~]' '  title: ["a", "b\nc"]' '  box:' '    -'
bad 'carom: 1' 'scene: gas.yaml' 'together:' '  run.until.time: [1, 2, 3]' '  particles.0.count: [4, 32]'
bad 'carom: 1' 'scene: gas.yaml' 'measure: time' 'keep: result'
bad 'carom: 1' 'scene: gas.yaml' 'measure: [time, time, energy., 7, [a]]' 'keep: all'
bad 'carom: 1' 'scene: gas.yaml' 'seeds: 10000' 'parameters:' "  run.until.time: [$(seq -s, 1 1001)]"
# The scene's own faults, at the point that has them.
bad 'carom: 1' 'scene: gas.yaml' 'parameters:' '  box.packing_fraction: [0.1, 2]' '  run.until.time: [1, 2]'
bad 'carom: 1' 'scene: gas.yaml' 'parameters:' '  box.packing_fractoin: [0.1, 0.2]'
bad 'carom: 1' 'scene: gas.yaml' 'together:' '  particles.1.count: [4]'
echo 'no: scene' > none.yaml
bad 'carom: 1' 'scene: none.yaml'
# Words of the command line.
printf '%s\n' 'carom: 1' 'scene: gas.yaml' > good.yaml
try sweep good.yaml --shard 0/3
try sweep good.yaml --shard 4/3
try sweep good.yaml --shard 3
try sweep good.yaml --shard 1/99999999999999999999
try sweep good.yaml --jobs 0
try sweep good.yaml --collect
try sweep good.yaml --collect --shard 1/2
try sweep good.yaml --dry-run --json -
try sweep good.yaml --sharp 1/2
try sweep good.yaml --json good.yaml
try sweep good.yaml --json gas.yaml
mkdir other && touch other/mine.txt
try sweep good.yaml -o other --collect
try sweep good.yaml -o other
try sweep good.yaml -o good.yaml
try sweep good.yaml -o no/such
expect 'nothing was made' test "$(echo *)" = 'bad.yaml gas.yaml good.yaml none.yaml other'
bad 'carom: 1' 'scene: gas.yaml' 'parameters: {run.until.time: [1, 2, 1.0]}'
bad 'carom: 1' 'scene: gas.yaml' 'measure:' '  - time' '  - energy.totl'
