# Detects missing bonds in a result, broken ones that pass verify, and accepted invalid scenes.
python=$(python_with h5py) || skip 'no h5py'
cat > chains.yaml <<'END'
carom: 1
engine: hard
seed: 1
box: {size: 12}
species: {a: {diameter: 1}}
particles:
  - {species: a, count: 40, place: {walk: {length: 8, step: 1.05}}, velocity: {maxwell: 1}}
bonds:
  - {name: chains, chain: {from: 0, to: 39}, length: 8, shortest: 0.9, longest: 1.2}
run: {until: {time: 5}}
output: {frames: {every: 1}}
END
quiet_run chains.yaml
"$CAROM" verify chains.h5 | grep -E 'sound|bonds|overlaps|energy budget' | sed -E 's/[0-9.e-]+ frames/N frames/'
"$python" -c "import h5py
h = h5py.File('chains.h5')
b = h['carom/bonds']
print(sorted(b), b['i'][:3], b['j'][:3], len(b['i']), set(b['shortest'][()]), set(b['longest'][()]))"
stored_scene chains.h5 > again.yaml
quiet_run again.yaml
same_state chains.h5 again.h5
"$CAROM" export chains.h5 --to vtp -o drawn > /dev/null 2>&1
expect 'exports draw them' grep -q 'NumberOfLines="[1-9]' drawn/drawn_000001.vtp
change_result chains.h5 "h['carom/bonds/longest'][7] = 0.95"
"$CAROM" verify chains.h5 | grep -E 'VIOLATED|^bonds|frame [0-9]' | sed -E 's/[0-9]+\.[0-9]+(e-?[0-9]+)?/NUMBER/g; s/^(bonds *)[0-9]+/\1N/'  | head -4
change_result chains.h5 "h['carom/bonds/i'][7] = 99"
try verify chains.h5
bad() { # bad LINE : bonds that are refused
    { sed '/^bonds/,/^  - .name/d' chains.yaml; echo "bonds: $1"; } > bad.yaml
    try check bad.yaml
}
bad '[{name: b, chain: {from: 0, to: 39}, length: 7, longest: 2}]'
bad '[{name: b, chain: {from: 0, to: 39}, length: 2, closed: true, longest: 2}]'
bad '[{name: b, pairs: [[0, 1], [1, 40]], longest: 2}]'
bad '[{name: b, pairs: [[1, 1]], longest: 2}]'
bad '[{name: b, pairs: [[0, 1]], length: 2, longest: 2}]'
bad '[{name: b, pairs: [[0, 1]], shortest: 2, longest: 1}]'
bad '[{name: b, pairs: [[0, 1]], longest: 1}]'
bad '[{name: b, pairs: [[0, 1], [1, 0]], longest: 2}]'
bad '[{name: b, pairs: [[0, 1]], longest: 2}, {name: c, pairs: [[1, 0]], longest: 3}]'
bad '[{name: b, pairs: [[0, 1]], longest: 6}]'
bad '[{name: b, pairs: [[0, 1]]}]'
try check chains.yaml --set 'particles.0.place=compress'
try check chains.yaml --set 'particles.0.place={walk: {length: 8, step: 0.5}}'
try check chains.yaml --set 'particles.0.place={walk: {length: 0, step: 1}}'
try check chains.yaml --set 'particles.0.place={walk: {length: 40, step: 11}}' --set 'box.boundary=wall'
try check chains.yaml --set engine=variational
