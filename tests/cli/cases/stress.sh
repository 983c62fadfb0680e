# Detects stress, fields and forces of contacts that depend on threads, the reference path or a resumed run, that affect the
# motion, or that accept invalid scenes.
python=$(python_with h5py) || skip 'no h5py'
observed() { "$python" -c 'import json, sys; print(json.dumps(json.load(open(sys.argv[1]))["observables"]))' "$1" > "$2"; }
# same WHAT RESULT OTHER : observables and state
same() {
    observed "$2.json" "$2.txt" && observed "$3.json" "$3.txt"
    expect "$1: the same observables" cmp -s "$2.txt" "$3.txt"
    expect "$1: the same state" test "$(hash_in "$2.json")" = "$(hash_in "$3.json")"
}
# A layer of rough grains between two walls, which comes to rest on a plane and a mesh.
cat > layer.yaml << 'END'
carom: 1
engine: variational
dimension: 3
seed: 2
box: {size: [4, 4, 9], boundary: [periodic, periodic, wall]}
species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.7, mass: 0.5}}
meshes: [{name: plate, rigid: true, thickness: 0.2, species: a, shape: {disk: {radius: 1.5, rings: 3}}, place: {at: [2, 2, 0.5]}}]
particles: [{species: {a: 1, b: 1}, count: 40, place: {random: {region: {box: {from: [0, 0, 1.2], to: [4, 4, 8]}}}}, velocity: {maxwell: 1}}]
contacts:
  - {between: [a, a], restitution: 0.5, friction: 0.3, rolling_friction: 0.1}
  - {between: [a, b], restitution: 0.5, friction: 0.3}
  - {between: [b, b], restitution: 0.5}
  - {between: [a, wall], restitution: 0.5, friction: 0.3}
  - {between: [b, wall], restitution: 0.5}
fields: {gravity: [0, 0, -1]}
variational: {rotation: true, courant: 0.2}
run: {until: {time: 6}}
observe:
  - {what: stress, axis: z, bins: 5, every: 0.5}
  - {what: stress, species: b, every: 1.5, name: small}
  - {what: fields, cells: [1, 1, 18], width: 0.5, every: 1, start: 2}
  - {what: force_distribution, walls: true, bins: 10, every: 0.75}
  - {what: dissipation, every: 1}
  - {what: energy, species: a, every: 1, name: large}
END
"$CAROM" run layer.yaml --threads 1 --quiet --json layer.json
observed layer.json layer.txt
grep -oE '"quantity": "[a-z_]*"' layer.txt
expect 'all have values' test "$(grep -cE 'NaN|null' layer.txt)" = 0
for way in '--threads 2' '--set variational.reference=true' 'stored' 'resumed'; do
    case $way in
        stored)
            stored_scene layer.h5 > stored.yaml
            "$CAROM" run stored.yaml -o other.h5 --threads 1 --force --quiet --json other.json
            ;;
        resumed)
            "$CAROM" run layer.yaml -o other.h5 --threads 1 --force --quiet --set run.until.time=3.2
            "$CAROM" run layer.yaml -o other.h5 --threads 2 --resume --quiet --json other.json
            ;;
        *) # shellcheck disable=SC2086
            "$CAROM" run layer.yaml -o other.h5 $way --force --quiet --json other.json ;;
    esac
    same "$way" layer other
done
"$CAROM" run layer.yaml -o other.h5 --set 'observe=[]' --force --quiet --json other.json
expect 'the same state without observables' test "$(hash_in layer.json)" = "$(hash_in other.json)"
# Impacts of `hard`.
sed -E 's/engine: variational/engine: hard/; /^variational/d; s/, (rolling_)?friction: 0.[13]//g; /force_distribution/d' layer.yaml > impacts.yaml
sed -i 's/time: 6/time: 2/; s/, start: 2//; s/^fields/hard: {collapse: {policy: tc, tc: 1e-3}}\nfields/' impacts.yaml
"$CAROM" run impacts.yaml --quiet --json impacts.json
"$CAROM" run impacts.yaml -o other.h5 --force --quiet --set run.until.time=0.7
"$CAROM" run impacts.yaml -o other.h5 --resume --quiet --json other.json
same 'hard, resumed' impacts other
"$CAROM" run impacts.yaml -o other.h5 --set 'observe=[]' --force --quiet --json other.json
expect 'hard: the same state without observables' test "$(hash_in impacts.json)" = "$(hash_in other.json)"
try run impacts.yaml -o other.h5 --force --threads 2
# Invalid scenes.
wrong() { echo "# $1" && check_changed "${2-layer.yaml}" "$1"; }
wrong 's/axis: z/axis: w/'
wrong 's/axis: z, bins: 5/bins: 5/'
wrong 's/bins: 5/bins: 0/'
wrong 's/\[1, 1, 18\]/[1, 18]/'
wrong 's/\[1, 1, 18\]/[1, 0, 18]/'
wrong 's/width: 0.5/width: 0/'
wrong 's/width: 0.5, //'
wrong 's/width: 0.5/width: 3/'
wrong 's/species: b, every: 1.5/species: c, every: 1.5/'
wrong 's/what: stress, axis: z, bins: 5/what: force_distribution/' impacts.yaml
wrong 's/policy: tc, tc: 1e-3/policy: sleep, speed: 0.1/' impacts.yaml
