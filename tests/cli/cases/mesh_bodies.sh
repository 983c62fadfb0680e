# Detects accepted invalid bodies of meshes, and results without their data.
scene() { # MESH BODY
    cat << END
carom: 1
engine: ${3:-variational}
dimension: 3
box: {size: 10, boundary: wall}
species: {a: {diameter: 1, mass: 1}}
fields: {gravity: [0, 0, -1]}
meshes:
  - {name: block, place: {at: [5, 5, 5]}, $1}
  - {name: other, shape: {solid: {kind: cube, radius: 1}}, thickness: 0.1, place: {at: [8, 8, 8]}}
bodies:
  - {name: one, $2}
run: {until: {time: 0.1}}
output: {frames: {every: 0.1}}
END
}
sees() {
    scene "$@" > s.yaml
    try check s.yaml
}
cube='shape: {solid: {kind: cube, radius: 1.7320508075688772}}'
whole="$cube, thickness: 0.1"
sees "$whole" 'mesh: block'
sees "$whole" 'mesh: blok, density: 2'
sees "$whole" 'mesh: block, density: 0'
sees "$whole" 'mesh: block, density: 1e200'
sees "$whole" 'mesh: block, density: 2, particles: [0, 1]'
sees "$whole" 'density: 2'
sees "$whole" 'particles: [0, 1], density: 2'
sees "$cube" 'mesh: block, density: 2'
sees "$whole, rigid: true" 'mesh: block, density: 2'
sees "$whole, stretch: 3" 'mesh: block, density: 2'
sees "shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}}, thickness: 0.1" 'mesh: block, density: 2'
sees "$whole" 'mesh: block, density: 2}
  - {name: two, mesh: block, density: 2'
sees "$whole" 'mesh: block, density: 2}
  - {name: two, particles: [0, 9]'
sees "$whole" 'mesh: block, density: 2}
drives:
  - {name: held, mesh: block'
sees "$whole" 'mesh: block, density: 2' hard
# A pyramid without its base, one of its triangles turned.
cat > open.off << END
OFF
5 4 0
0 0 0
1 0 0
1 1 0
0 1 0
0.5 0.5 1
3 0 1 4
3 1 2 4
3 2 3 4
3 0 3 4
END
sees 'file: open.off, thickness: 0.1' 'mesh: block, density: 6'
sees 'file: open.off, thickness: 0.1, repair: [fill]' 'mesh: block, density: 6' | grep -E 'good|block|='
"$CAROM" run s.yaml --quiet --json s.json
echo "exit $?"
"$CAROM" info s.h5 | sed -n '/repaired/,$p'
"$CAROM" verify s.h5 > /dev/null
echo "verify: exit $?"
"$CAROM" info --json s.h5 > info.json
expect 'both say what was repaired' grep -q '"block": "1 triangle turned, 1 hole filled, 4 triangles added"' s.json info.json
python3 - << 'END'
import json

for name in ("s.json", "info.json"):
    body = json.load(open(name))["bodies"]["one"]
    exact = {"mass": 2, "volume": 1 / 3, "centre": [5.5, 5.5, 5.25]}
    for key, value in exact.items():
        pairs = zip(body[key], value) if isinstance(value, list) else [(body[key], value)]
        assert all(abs(a - b) < 1e-14 for a, b in pairs), (name, key, body[key])
    # A pyramid of base a and height h: m (a^2 + 3/4 h^2) / 20 about the horizontal axes, m a^2 / 10 upright.
    for k, moment in enumerate((2 * 1.75 / 20, 2 * 1.75 / 20, 2 / 10)):
        assert all(abs(x - (moment if k == l else 0)) < 1e-14 for l, x in enumerate(body["inertia"][k])), body["inertia"]
END
echo "moments: exit $?"
