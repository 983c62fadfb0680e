# Detects clumps that are lost in files, reports, verification or resumed runs, and invalid ones that are accepted.
cat > clumps.yaml << 'END'
carom: 1
engine: variational
seed: 3
box: {size: [5, 5, 9], boundary: wall}
species: {grain: {diameter: 0.8, density: 1}}
clumps:
  - {name: pair, species: grain, spheres: [{at: [0, 0, 0], diameter: 1}, {at: [0.6, 0, 0], diameter: 1}]}
  - {name: ball, species: grain, mass: 2, spheres: [{at: [7, 0, 0], diameter: 1}]}
  - {name: unused, species: grain, spheres: [{at: [0, 0, 0], diameter: 1}]}
particles:
  - {clump: pair, count: 8, place: random, velocity: {maxwell: 1}, angular_velocity: {maxwell: 1}}
  - {species: grain, count: 3, place: random}
  - {clump: ball, count: 2, place: {at: [[1, 1, 8], [4, 4, 8]]}, orientation: fixed}
  - {clump: pair, count: 2, place: random}
fields: {gravity: [0, 0, -1]}
contacts: [{between: [grain, grain], restitution: 0.5, friction: 0.3}, {between: [grain, wall], restitution: 0.5, friction: 0.3}]
variational: {rotation: true, courant: 0.2}
run: {until: {time: 3}}
output: {frames: {every: 0.5}}
END
try check clumps.yaml
"$CAROM" run clumps.yaml --quiet --threads 1 --json clumps.json
"$CAROM" run clumps.yaml -o two.h5 --threads 2 --quiet --json two.json
expect 'two threads' test "$(hash_in clumps.json)" = "$(hash_in two.json)"
"$CAROM" run clumps.yaml -o all_pairs.h5 --set variational.reference=true --quiet --json all_pairs.json
expect 'the reference' test "$(hash_in clumps.json)" = "$(hash_in all_pairs.json)"
"$CAROM" run clumps.yaml -o part.h5 --quiet --set run.until.time=1.3
"$CAROM" run clumps.yaml -o part.h5 --resume --quiet --json part.json
expect 'a resumed run' test "$(hash_in clumps.json)" = "$(hash_in part.json)"
try verify clumps.h5
try info clumps.h5 | grep -A3 clumps$
# The clump of each sphere: in the result and in exports.
"$CAROM" export clumps.h5 --to csv -o clumps.csv
"$CAROM" export clumps.h5 --to xyz -o clumps.xyz
"$CAROM" export clumps.h5 --to vtp -o clumps.pvd
head -1 clumps.csv
grep '^6,' clumps.csv | awk -F, '{ printf "%s ", $NF } END { print "" }'
grep -o 'Properties=[^ ]*' clumps.xyz | uniq
expect 'the same in xyz' test "$(sed 1,2d clumps.xyz | head -25 | awk '{ print $NF }')" = "$(grep '^0,' clumps.csv | sed 's/.*,//')"
expect 'in vtp' grep -q 'type="Int32" Name="clump"' clumps/clumps_000000.vtp
# Clumps that enter and leave, beside others that are there from the start.
sed -e 's/count: 8, place: random/count: 8, place: {inflow: {region: {box: {from: [1, 1, 4], to: [4, 4, 8]}}, rate: 4}}/' \
    -e 's/^fields/outflow: [{name: out, region: {box: {from: [0, 0, 0], to: [5, 5, 1]}}, every: 0.5, start: 1.8}]\nfields/' \
    clumps.yaml > flow.yaml
try check flow.yaml
"$CAROM" run flow.yaml --quiet --threads 1 --json flow.json
"$CAROM" run flow.yaml -o two.h5 --force --threads 2 --quiet --json two.json
expect 'two threads' test "$(hash_in flow.json)" = "$(hash_in two.json)"
"$CAROM" run flow.yaml -o all_pairs.h5 --force --set variational.reference=true --quiet --json all_pairs.json
expect 'the reference' test "$(hash_in flow.json)" = "$(hash_in all_pairs.json)"
"$CAROM" run flow.yaml -o part.h5 --force --quiet --set run.until.time=1.3 2> told
cat told
"$CAROM" run flow.yaml -o part.h5 --resume --quiet --json part.json
expect 'a resumed run' test "$(hash_in flow.json)" = "$(hash_in part.json)"
python3 -c "
import json
flow = json.load(open('flow.json'))['flow']
print(*(flow[key] for key in ('entered', 'left', 'present')))"
try verify flow.h5
# The clumps of the spheres in exports, which leave absent ones out as a whole.
"$CAROM" export flow.h5 --to csv -o flow.csv
for frame in 0 2 4 6; do grep "^$frame," flow.csv | awk -F, '{ printf "%s ", $NF } END { print "" }'; done
# A result with absent clumps as the start of another scene: spheres that do not overlap, as single particles.
sed -e 's/at: \[0.6, 0, 0\], diameter: 1/at: [1.2, 0, 0], diameter: 0.9/' flow.yaml > apart.yaml
"$CAROM" run apart.yaml --quiet --set run.until.time=1 2> told
sed -e '/^clumps:/,/^particles:/{/^particles:/!d}' -e '/^  - {clump/d' -e 's/^particles:/particles: [{species: grain, place: {file: apart.h5}, velocity: file}]/' \
    -e '/^  - {species/d' -e '/^outflow/d' -e 's/diameter: 0.8, density/diameter: {uniform: [0.8, 1]}, density/' apart.yaml > again.yaml
try check again.yaml

# As clumps again.
sed -n '/^clumps:/,/^particles:/p' flow.yaml | head -n -1 > templates
"$CAROM" run flow.yaml --quiet --set run.until.time=1 -o start.h5 --force 2> told
cat > start.yaml << 'END_SCENE'
carom: 1
engine: variational
box: {size: [50, 50, 50], boundary: open}
species: {grain: {diameter: 0.8, density: 1}}
END_SCENE
cat templates >> start.yaml
cat >> start.yaml << 'END_SCENE'
particles:
  - {clump: pair, place: {file: start.h5}, velocity: file}
  - {species: grain, place: {file: start.h5}, velocity: file}
  - {clump: ball, place: {file: start.h5}, velocity: file}
variational: {rotation: true, stiffness: 1000}
run: {until: {time: 0.1}}
END_SCENE
try check start.yaml
try run start.yaml -o again.h5 --quiet
try info again.h5 | grep -A3 clumps$
start() # what, sed script
{
    printf '\n%s\n' "$1"
    sed "$2" start.yaml > bad.yaml
    try check bad.yaml
}
start 'without a template' '/clump: ./d; s/diameter: 0.8/diameter: {uniform: [0.8, 1]}/'
start 'another shape' 's/\[0.6, 0, 0\]/[0.6001, 0, 0]/'
start 'another diameter' 's/0.6, 0, 0\], diameter: 1/0.6, 0, 0], diameter: 0.9/'
start 'another number' 's/{clump: pair/{count: 8, clump: pair/'
start 'an orientation' 's/{clump: pair/{orientation: random, clump: pair/'
printf '3\nProperties=species:S:1:pos:R:3:velo:R:3\ngrain 1 1 1 0 0 0\ngrain 1.6 1 1 0 0 0\ngrain 4 4 4 0 0 0\n' > three.xyz
start 'an odd sphere' '/{species: g/d; /clump: ball/d; s/start.h5/three.xyz/'
sed -e 1s/3/2/ -e '$d' three.xyz > two.xyz
start 'no angular velocities' '/{species: g/d; /clump: ball/d; s/start.h5/two.xyz/'
start 'none needed' '/{species: g/d; /clump: ball/d; s/start.h5/two.xyz/; s/velocity: file/velocity: zero/'

# Invalid templates and entries.
refuse() # what, sed script
{
    printf '\n%s\n' "$1"
    sed "$2" clumps.yaml > bad.yaml
    try check bad.yaml
}
refuse 'a repeated sphere' 's/{at: \[0.6, 0, 0\], diameter: 1}/{at: [0, 0, 0], diameter: 1}/'
refuse 'an empty template' 's/spheres: \[{at: \[7, 0, 0\], diameter: 1}\]/spheres: []/'
refuse 'a sphere without size' 's/{at: \[7, 0, 0\], diameter: 1}/{at: [7, 0, 0], diameter: 0}/'
refuse 'two templates of one name' 's/name: unused/name: pair/'
refuse 'neither density nor mass' 's/density: 1}}/mass: 1}}/'
refuse 'density and mass' 's/mass: 2/mass: 2, density: 1/'
refuse 'an unknown template' 's/{clump: ball/{clump: bal/'
refuse 'a clump and a species' 's/{clump: ball/{species: grain, clump: ball/'
refuse 'neither a clump nor a species' 's/{clump: ball, /{/'
refuse 'an axis' 's/orientation: fixed/orientation: {along: [1, 0, 0]}/'
refuse 'fixed particles' 's/count: 3, place: random/count: 3, place: random, orientation: fixed/'
refuse 'a compression' 's/count: 8, place: random/count: 8, place: compress/'
inflow() # the rest of the list of places of an inflow, in a region
{
    printf '%s' "s/count: 8, place: random/count: 8, place: {inflow: {region: {$1}, rate: 1}}/"
}
refuse 'a box that is smaller than a clump' "$(inflow 'box: {from: [1, 1, 1], to: [4, 4, 2.1]}')"
refuse 'a cylinder that is smaller than a clump' "$(inflow 'cylinder: {from: [2.5, 2.5, 1], to: [2.5, 2.5, 2.1], radius: 2}')"
refuse 'a ball that is smaller than a clump' "$(inflow 'ball: {centre: [2.5, 2.5, 4], radius: 0.7}')"
refuse 'without rotation' 's/rotation: true, //; s/, angular_velocity: {maxwell: 1}//'
refuse 'overlap' 's/\[4, 4, 8\]/[1, 1.5, 8]/'
refuse 'outside' 's/\[4, 4, 8\]/[4, 4.8, 8]/'
refuse 'too many' 's/count: 8, place: random/count: 800, place: random/'
refuse 'a body of spheres of a clump' 's/^fields/bodies: [{name: both, particles: {from: 0, to: 16}}]\nfields/'
refuse 'a drive' 's/^fields/drives: [{name: push, particles: {from: 0, to: 1}, motion: [{time: 1, velocity: [1, 0, 0]}]}]\nfields/'
refuse 'impulses' 's/courant: 0.2/contact: impulses/; s/, friction: 0.3//g; s/restitution: 0.5/restitution: 1/g'
refuse 'a periodic box smaller than a clump' 's/size: \[5, 5, 9\], boundary: wall/size: [1.5, 5, 90], boundary: [periodic, wall, wall]/'
refuse 'the engine hard' 's/variational: .*//; s/engine: variational/engine: hard/; s/, friction: 0.3//g; s/, angular_velocity: {maxwell: 1}//'
refuse 'the engine aggregation' 's/variational: .*//; s/engine: variational/engine: aggregation/; s/, restitution: 0.5, friction: 0.3//g; s/, angular_velocity: {maxwell: 1}//'
