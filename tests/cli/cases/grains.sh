# Detects observables of granular matter that depend on threads, the reference path or a resumed run, differ from what is known
# before the run, or accept invalid scenes.
python=$(python_with h5py) || skip 'no h5py'
number() { "$python" -c 'import json, sys
for path in sys.argv[2:]:
    value = json.load(open(sys.argv[1]))["observables"]
    for key in path.split("."): value = value[int(key) if isinstance(value, list) else key]
    print(path, "%.12g" % value)' "$@"; }
# Three particles fly round a periodic box without collisions: 3, 1 and -2 boxes per unit of time through x = 1.25 (the masses
# are 1, 2, 4), half of them through a hole in its lower half.
for engine in hard variational; do
    for dimension in 2 3; do
        deep=$([ "$dimension" = 3 ] && echo ', 2' || echo '')
        flat=${deep:+, 0}
        cat > flight.yaml << END
carom: 1
engine: $engine
dimension: $dimension
box: {size: 4}
species: {a: {diameter: 0.1, mass: 1}, b: {diameter: 0.1, mass: 2}, c: {diameter: 0.1, mass: 4}}
particles:
  - {species: a, place: {at: [[0.5, 0.5$deep]]}, velocity: {each: [[12, 0$flat]]}}
  - {species: b, place: {at: [[0.5, 1.5$deep]]}, velocity: {each: [[4, 0$flat]]}}
  - {species: c, place: {at: [[0.5, 2.5$deep]]}, velocity: {each: [[-8, 0$flat]]}}
run: {until: {time: 10}}
observe:
  - {what: mass_flow, point: [1.25, 1$deep], normal: [2, 0$flat], every: 2, name: all}
  - {what: mass_flow, point: [1.25, 1$deep], normal: [-1, 0$flat], radius: 0.75, every: 2.5, name: hole}
  - {what: temperature, species: c, every: 5, name: heavy}
END
        "$CAROM" run flight.yaml --quiet --force --json flight.json
        echo "# $engine in $dimension dimensions"
        number flight.json all.mean all.number_flow.mean all.forward_mass_flow.mean all.forward_number_flow.mean hole.mean \
            hole.forward_number_flow.mean heavy.mean
    done
done
"$CAROM" export flight.h5 --to csv --what all -o flow.csv > /dev/null 2>&1 && cat flow.csv
# Lattices, with gaps of 1 and 14 % of the diameter.
for lattice in 'sc 3 64' 'fcc 3 108'; do
    read -r place dimension count <<< "$lattice"
    cat > lattice.yaml << END
carom: 1
engine: hard
dimension: $dimension
box: {packing_fraction: 0.5}
species: {a: {diameter: 1}}
particles: [{species: a, count: $count, place: $place}]
run: {until: {time: 1}}
observe: [{what: coordination, gap_ratio: 0.3, every: 1}, {what: fabric, gap: 0.3, every: 1}]
END
    "$CAROM" run lattice.yaml --quiet --force --json lattice.json
    number lattice.json coordination.mean coordination.rattlers.mean
    number lattice.json fabric.mean | sed 's/ [0-9.]*e-1[5-9]$/ 0/'
done
# A gas that settles, in all ways of computing.
cat > settle.yaml << 'END'
carom: 1
engine: hard
dimension: 2
seed: 4
box: {size: [20, 30], boundary: [periodic, wall]}
species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.7, mass: 0.5}}
particles: [{species: {a: 1, b: 1}, count: 150, place: random, velocity: {maxwell: 1}}]
contacts: [{between: [a, a], restitution: 0.8}, {between: [a, b], restitution: 0.8}, {between: [b, b], restitution: 0.8}]
fields: {gravity: [0, -1]}
hard: {collapse: {policy: tc, tc: 1e-3}}
run: {until: {time: 12}}
observe:
  - {what: mass_flow, point: [5, 4], normal: [0, -1], radius: 3, every: 0.5}
  - {what: mass_flow, point: [5, 4], normal: [1, 0], every: 0.5}
  - {what: coordination, walls: true, every: 1}
  - {what: fabric, gap: 0.05, every: 1}
  - {what: mixing, between: [b, a], cell: 3, every: 1}
  - {what: free_surface, bin: 2, from: 2, to: 18, every: 1}
  - {what: temperature, species: b, every: 1}
END
observed() { "$python" -c 'import json, sys; print(json.dumps(json.load(open(sys.argv[1]))["observables"]))' "$1"; }
"$CAROM" run settle.yaml --threads 1 --quiet --json settle.json
observed settle.json | grep -oE '"quantity": "[a-z_]*"'
expect 'all have values' test "$(observed settle.json | grep -cE 'NaN|null')" = 0
stored_scene settle.h5 > stored.yaml
sed -n '/^observe/,/^output/p' stored.yaml
for way in '--threads 2' '--set hard.reference=true' 'stored' 'resumed'; do
    case $way in
        stored) "$CAROM" run stored.yaml -o other.h5 --threads 1 --force --quiet --json other.json ;;
        resumed)
            "$CAROM" run settle.yaml -o other.h5 --threads 1 --force --quiet --set run.until.time=5.25
            "$CAROM" run settle.yaml -o other.h5 --threads 1 --resume --quiet --json other.json
            ;;
        *) # shellcheck disable=SC2086
            "$CAROM" run settle.yaml -o other.h5 $way --force --quiet --json other.json ;;
    esac
    expect "$way: the same observables" test "$(observed settle.json)" = "$(observed other.json)"
done
"$CAROM" run settle.yaml -o other.h5 --set 'observe=[]' --force --quiet --json other.json
expect 'the same state without observables' test "$(hash_in settle.json)" = "$(hash_in other.json)"
"$CAROM" run settle.yaml --force --quiet --set engine=variational --set run.until.time=3 --json soft.json
observed soft.json | grep -oE '"(coordination|fabric|mixing|free_surface|mass_flow|temperature)[a-z0-9_]*": \{"quantity": "[a-z_]*"'
# Invalid scenes.
wrong() { echo "# $1" && check_changed settle.yaml "$1"; }
wrong 's/, normal: \[1, 0\]//'
wrong 's/normal: \[1, 0\]/normal: [0, 0]/'
wrong 's/normal: \[1, 0\]/normal: [1, 1]/'
wrong 's/normal: \[1, 0\]/normal: [1, 0, 0]/'
wrong 's/radius: 3/radius: -3/'
wrong 's/gap: 0.05/gap: 0.05, gap_ratio: 0.1/'
wrong 's/gap: 0.05/gap: -0.05/'
wrong 's/walls: true/planes: true/'
wrong 's/\[b, a\]/[b]/'
wrong 's/\[b, a\]/[b, b]/'
wrong 's/\[b, a\]/[b, c]/'
wrong 's/\[b, a\]/b/'
wrong 's/between: \[b, a\], //'
wrong 's/cell: 3/within: 0.5/'
wrong 's/species: b, every/species: d, every/'
wrong 's/gravity: \[0, -1\]/gravity: [0, 0]/'
wrong 's/from: 2/axis: [0, 1]/'
wrong 's/to: 18/to: 1/'
wrong 's/diameter: 0.7/semi_axes: [0.4, 0.3]/; s/^  - \{what: (mix|free|mass).*//'
wrong 's/diameter: 0.7/semi_axes: [0.4, 0.3]/; s/^  - \{what: (co|fab|mass).*//'
wrong 's/boundary: .*/boundary: periodic}/; s/^fields.*//; s/^hard.*/hard: {shear: {rate: 1}}/; s/^  - \{what: free.*//'
wrong 's/what: coordination/what: coordinaton/'
wrong 's/^observe:/observe:\n  - {what: chains, length: 7}/'
wrong 's/^observe:/observe:\n  - {what: chains, to: 150}/'
wrong 's/^observe:/observe:\n  - {what: chains, from: 9, to: 8}/'
