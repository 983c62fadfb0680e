# Detects initial states from files that contradict the scene and are accepted.
scene() { # scene NAME SPECIES ENTRY [MORE] : in a box of 8
    cat > "$1.yaml" << END
carom: 1
engine: hard
box: {size: [8, 8, 8], boundary: periodic}
species: $2
particles:
  - {$3}
run: {until: {time: 0.5}}
output: {frames: {every: 0.5}}
${4-}
END
}
again() { # again SPECIES ENTRY [MORE]
    scene s "$@"
    try check s.yaml
}
one='{a: {diameter: 1, mass: 1}, b: {diameter: 1, mass: 1}}'
scene gas "$one" 'species: {a: 1, b: 1}, count: 20, place: random, velocity: {maxwell: 1}'
quiet_run gas.yaml
file='place: {file: gas.h5}'
# Species: by name, those of the entry.
again '{b: {diameter: 1, mass: 1}, a: {diameter: 1, mass: 1}}' "species: {a: 1, b: 1}, $file"
quiet_run s.yaml
columns() { "$CAROM" export "$1.h5" --to csv -o out.csv --force > /dev/null && awk -F, -v f="$2" '$1 == f' out.csv | cut -d, -f"$3"; }
expect 'species go by name' test "$(columns gas 1 3-7)" = "$(columns s 0 3-7)"
again '{a: {diameter: 1}, c: {diameter: 1}}' "species: {a: 1, c: 1}, $file"
again "$one" "species: a, $file"
# Radii and masses.
again '{a: {diameter: 1.3, mass: 2}, b: {diameter: 1}}' "species: {a: 1, b: 1}, $file"
again '{a: {diameter: 1, mass: 2}, b: {diameter: 1}}' "species: {a: 1, b: 1}, $file"
again '{a: {diameter: 1.0000001, mass: 1}, b: {diameter: {uniform: [0.9, 1.1]}, mass: 1}}' "species: {a: 1, b: 1}, $file"
again '{a: {diameter: {uniform: [1.5, 2]}, density: 1}, b: {diameter: 1}}' "species: {a: 1, b: 1}, $file"
printf '2\nProperties=species:S:1:pos:R:3:radius:R:1:mass:R:1\na 1 1 1 0.5 1\na 3 3 3 1 8\n' > two.xyz
file='place: {file: two.xyz}'
again '{a: {diameter: 1, mass: 1}}' "species: a, $file"
again '{a: {diameter: {uniform: [1, 2]}, mass: 1}}' "species: a, $file"
again '{a: {diameter: {uniform: [1, 2]}, density: 1.909859317102744}}' "species: a, $file"
printf '2\nProperties=species:S:1:pos:R:3:radius:R:1:mass:R:1\na 1 1 1 0.5 1\na 3 3 3 0.5 2\n' > two.xyz
again '{a: {diameter: 1, density: 1}}' "species: a, $file"
# Clusters are not restored: an engine with clusters refuses them, others use the positions.
cat > clump.yaml << 'END'
carom: 1
engine: aggregation
dimension: 2
seed: 4
box: {size: [10, 10], boundary: periodic}
species: {s: {diameter: 1, mass: 1}}
particles:
  - {species: s, count: 16, place: square, velocity: {maxwell: 1}}
run: {until: {clusters: 4}}
output: {frames: {every: 0.1}}
END
quiet_run clump.yaml
sed -e 's/count: 16, place: square/place: {file: clump.h5}/' -e 's/clusters: 4/time: 1/' clump.yaml > s.yaml
try check s.yaml
try check s.yaml --set 'particles.0.place={file: clump.h5, frame: 0}'
try check s.yaml --set engine=hard --set 'particles.0.velocity=zero' --set 'output={frames: {every: 1}}'
# Spins and orientations are those of the file.
motion() { "$CAROM" export "$1.h5" --to csv -o out.csv --force > /dev/null && awk -F, -v f="$2" '$1 == f' out.csv | cut -d, -f4-9,14-; }
rough='contacts: [{between: [a, a], restitution: 1, tangential: 0.5}]'
start='count: 30, place: random, velocity: {maxwell: 1}, angular_velocity: {maxwell: 1}'
scene rough '{a: {diameter: 1}}' "species: a, $start" "$rough"
scene ovals '{a: {semi_axes: [0.8, 0.4, 0.4], mass: 1}}' "species: a, $start"
for name in rough ovals; do
    quiet_run $name.yaml
    "$CAROM" export $name.h5 --to xyz > /dev/null
    for from in h5 xyz; do
        sed "s/ $start/ place: {file: $name.$from}, velocity: file/; s/count:.*1}}/place: {file: $name.$from}, velocity: file}/" $name.yaml > s.yaml
        quiet_run s.yaml --force
        motion $name 1 > was.txt
        motion s 0 > is.txt
        expect "$name.$from goes on" python3 -c '
import math
rows = [[[float(x) for x in line.split(",")[1:]] for line in open(name)] for name in ("was.txt", "is.txt")]
assert len(rows[0]) == 30 and min(len(row) for row in rows[0]) > 8
assert all(math.isclose(a, b, abs_tol=1e-14) for was, now in zip(*rows, strict=True) for a, b in zip(was, now, strict=True))'
    done
done
try check s.yaml --set 'particles.0.orientation=random'
scene s '{a: {diameter: 1}}' 'species: a, place: {file: rough.h5}, angular_velocity: file'
try check s.yaml
again "$one" 'species: {a: 1, b: 1}, place: {file: gas.h5}, velocity: file, angular_velocity: file'
again '{a: {semi_axes: [0.8, 0.4, 0.4], mass: 1}}' 'species: a, place: {file: two.xyz}'
printf '1\n\na 1 1 1\n' > bare.xyz
again '{a: {semi_axes: [0.8, 0.4, 0.4], mass: 1}}' 'species: a, place: {file: bare.xyz}, orientation: file'
again "$one" 'species: a, count: 3, place: random, angular_velocity: file'
again '{a: {semi_axes: [0.8, 0.4, 0.4], mass: 1}}' 'species: a, count: 3, place: random, orientation: file'
again "$one" 'species: a, place: {array: grains}, velocity: array'
again "$one" 'species: a, count: 3, place: random, velocity: array'
