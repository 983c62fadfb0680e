# Detects elastic rods that are accepted although they cannot be simulated, and messages without a remedy; exit 65.
cat > rod.yaml <<'SCENE'
carom: 1
engine: variational
dimension: 3
box: {size: 6, boundary: open}
species: {bead: {diameter: 0.1, mass: 1}}
particles: [{species: bead, place: {at: [[1, 3, 3], [2, 3, 3], [3, 3, 3], [4, 3, 3], [5, 3, 3], [5, 4, 3]]}}]
rods:
  - {name: bar, particles: {from: 0, to: 4}, young: 1000, diameter: 0.3, damping: 0.001, twist: 0, twist_rate: 2, twist_until: 0.5}
drives: [{name: clamps, particles: [0, 1, 3, 4]}]
variational: {stiffness: 100}
run: {until: {time: 1}}
output: {frames: {every: 1}}
SCENE
with() { check_with rod.yaml "$@"; }
try check rod.yaml
# A straight rod between two clamps 1 apart, which its end has twisted by 1: G J / 2 = 1000 pi 0.3^4 / 64 / 1.3 / 2 = 0.1529, in energy and work.
"$CAROM" run rod.yaml -q --threads 1 --set 'particles.0.place={at: [[1, 3, 3], [2, 3, 3], [2.5, 3, 3], [3, 3, 3], [4, 3, 3]]}' --json rod.json
python3 -c 'import json; e = json.load(open("rod.json"))["energy"]; print(*("%s %.7f" % (k, e[k]) for k in ("stretch", "bend", "twist", "work")))'
with 'rods.0.particles={from: 0, to: 1}'
with 'rods=[{name: ring, particles: [0, 1, 2], closed: true, young: 1, diameter: 0.1}]'
with 'rods.0.particles=[0, 1, 9]'
with 'rods.0.particles=[0, 1, 1]'
with 'rods.0.particles=[0, 1, 0]'
with 'rods.0.particles=[0, 1, 2, 3, 0]' rods.0.closed=true
with rods.0.closed=true
with rods.0.twist=free
with rods.0.twist=much
with rods.0.twist=1e10
with rods.0.twist_rate=0
with rods.0.young=0
with rods.0.width=0.2
with rods.0.width=-1
with 'rods.0.width_along=[0, 0, 1]'
with rods.0.width=0.2 'rods.0.width_along=[0, 0, 0]'
with rods.0.width=0.2 'rods.0.width_along=[1, 0, 0]'
with rods.0.rest=curved
with rods.0.poisson=0.6
with rods.0.diameter=1e-200
with variational.material_step=1
with box.boundary=periodic 'rods.0.particles=[0, 3, 5]'
with engine=hard
sed 's/dimension: 3/dimension: 2/; s/, 3\]/]/g' rod.yaml > flat.yaml
try check flat.yaml
# Lists of neighbours follow the space that rods occupy, not a far larger open box: there each would contain all particles.
python3 - << 'END' > many.yaml
starts = [(2 + 0.3 * a, 2 + 0.3 * b) for a in range(20) for b in range(20)]
places = [[round(2 + 0.12 * k, 2), round(y, 1), round(z, 1)] for y, z in starts for k in range(10)]
rods = ", ".join(f"{{name: r{n}, particles: {{from: {10 * n}, to: {10 * n + 9}}}, young: 1000, diameter: 0.1}}" for n in range(400))
print(f"""carom: 1
engine: variational
box: {{size: 10, boundary: open}}
species: {{bead: {{diameter: 0.1, mass: 1}}}}
particles: [{{species: bead, place: {{at: {places}}}, velocity: {{uniform: [-1, 1]}}}}]
rods: [{rods}]
variational: {{stiffness: 1e4}}
run: {{until: {{time: 0.001}}}}""")
END
"$CAROM" run many.yaml -q --threads 1 --json small.json
"$CAROM" run many.yaml -q --threads 1 --force --set box.size=600 --json large.json
expect 'short lists' python3 -c 'import json
small, large = (json.load(open(name + ".json"))["peak_rss_bytes"] for name in ("small", "large"))
assert large < 1.2 * small, (small, large)'
# Two particles of a rod that nearly coincide set the step of all its edges.
sed 's/at: \[\[1, 3, 3\].*5, 4, 3\]\]/at: [[1, 3, 3], [1.5, 3, 3], [2, 3, 3], [2.5, 3, 3], [2.501, 3, 3], [3, 3, 3], [3.5, 3, 3], [4, 3, 3], [4.5, 3, 3], [5, 3, 3], [5.5, 3, 3]]/
    s/to: 4}, young/to: 10}, young/; s/0, 1, 3, 4\]/0, 10]/; s/diameter: 0.1, mass/diameter: 0.0005, mass/; s/, twist_rate.*}$/}/' rod.yaml > near.yaml
try check near.yaml
