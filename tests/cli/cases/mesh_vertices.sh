# Detects vertices of meshes treated as particles: in counts, observables, verify, exports and initial states.
cat > h.yaml <<'EOF'
carom: 1
engine: hard
seed: 3
box: {size: [10, 10, 10], boundary: wall}
species: {grain: {diameter: 1, mass: 1}}
meshes:
  - {name: plate, shape: {rectangle: {length: 14, width: 14, along: 2, across: 2}}, place: {at: [5, 5, 5]}, rigid: true}
particles:
  - {species: grain, count: 100, place: random, velocity: {maxwell: 1.0}}
run: {until: {time: 1}}
observe:
  - {what: temperature, every: 0.5}
  - {what: packing_fraction, every: 0.5}
  - {what: radial_distribution, every: 0.5}
output: {frames: {every: 0.5}}
EOF
counts() { python3 -c 'import json, sys; s = json.load(sys.stdin); print(s["particles"], s.get("vertices"))'; }
# The plate is larger than the box.
try check h.yaml
"$CAROM" run h.yaml --quiet --json - | python3 -c '
import json, math, sys
s = json.load(sys.stdin)
assert abs(s["observables"]["packing_fraction"]["mean"] - 100 * math.pi / 6 / 1000) < 1e-12
print(s["particles"], s["vertices"])'
"$CAROM" info h.h5 | grep -E '^(particles|mesh vertices) '
"$CAROM" info h.h5 --json | counts
try verify h.h5
"$CAROM" verify h.h5 --json | counts
quiet_run h.yaml -o v.h5 --set engine=variational --set meshes.0.thickness=0.1 --set meshes.0.density=1
"$CAROM" verify v.h5 | head -n 1
"$CAROM" export h.h5 --to xyz -o h.xyz > /dev/null
"$CAROM" export h.h5 --to csv -o h.csv > /dev/null
grep -cx 100 h.xyz
expect "a row a particle and frame" test "$(wc -l < h.csv)" -eq 301
# As an initial state: the last of several frames, or the requested one.
cat > again.yaml <<'EOF'
carom: 1
engine: hard
box: {size: [10, 10, 10], boundary: wall}
species: {grain: {diameter: 1, mass: 1}}
particles:
  - {species: grain, place: {file: h.h5}, velocity: file}
run: {until: {time: 1}}
EOF
start() {
    quiet_run again.yaml -o start.h5 --force --set run.until.time=1e-9 --set output='{frames: {every: 1}}' --set "particles.0.place=$1"
    "$CAROM" export start.h5 --to csv -o start.csv --force > /dev/null
    sed -n 2,101p start.csv | cut -d, -f3-10
}
frame() { sed -n "$((2 + 100 * $1)),$((101 + 100 * $1))p" h.csv | cut -d, -f3-10; }
for file in h.h5 h.xyz; do
    expect "$file starts from its last frame" test "$(start "{file: $file}")" = "$(frame 2)"
    expect "$file from its first" test "$(start "{file: $file, frame: 0}")" = "$(frame 0)"
    expect "$file from the last but one" test "$(start "{file: $file, frame: -2}")" = "$(frame 1)"
    try check again.yaml --set "particles.0.place={file: $file, frame: 3}"
    try check again.yaml --set "particles.0.place={file: $file, frame: -4}"
done
# A cloth alone: its vertices have a mass; observables of particles are refused.
cat > cloth.yaml <<'EOF'
carom: 1
engine: variational
box: {size: 4, boundary: open}
species: {cloth: {diameter: 1, mass: 1}}
meshes:
  - {name: cloth, shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}}, place: {at: [2, 2, 2]}, thickness: 0.05,
     stretch: 50, bend: 0.01, density: 1, velocity: [0, 0, 2]}
run: {until: {time: 0.1}}
observe:
  - {what: momentum, every: 0.1}
output: {frames: {every: 0.1}}
EOF
try check cloth.yaml --set 'observe.0.what=temperature'
"$CAROM" run cloth.yaml --quiet --json - | python3 -c '
import json, sys
s = json.load(sys.stdin)
momentum = s["observables"]["momentum"]["mean"][2]
assert abs(momentum - 2 * 0.05) < 1e-12, momentum
print(s["particles"], s["vertices"])'
"$CAROM" verify cloth.h5 | head -n 1
"$CAROM" export cloth.h5 --to xyz -o cloth.xyz > /dev/null
head -n 3 cloth.xyz | cut -d' ' -f1,10-
try check again.yaml --set 'particles.0.place.file=cloth.xyz'
