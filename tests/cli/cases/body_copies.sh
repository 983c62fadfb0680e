# Detects copies of bodies that are lost in files, reports, verification, pictures or resumed runs, and invalid ones that are
# accepted.
cat > dice.yaml << 'END'
carom: 1
engine: variational
seed: 3
box: {size: [3, 3, 5], boundary: wall}
species: {stone: {diameter: 1, density: 1}}
meshes:
  - {name: floor, shape: {box: {size: [2.9, 2.9, 0.2]}}, place: {at: [1.5, 1.5, 0.2]}, rigid: true, thickness: 0.1}
  - {name: die, shape: {box: {size: [0.5, 0.5, 0.5]}}, thickness: 0.1}
  - {name: pill, shape: {capsule: {length: 0.5, radius: 0.2, around: 5}}, thickness: 0.1}
bodies:
  - {name: dice, mesh: die, density: 1, copies: {count: 4, place: {random: {region: {box: {from: [0, 0, 0.4], to: [3, 3, 3]}}}}}}
  - {name: pills, mesh: pill, density: 2, copies: {count: 2, velocity: {maxwell: 1}}}
fields: {gravity: [0, 0, -5]}
contacts: [{between: [stone, stone], restitution: 0.5, friction: 0.3}, {between: [stone, wall], restitution: 0.5, friction: 0.3}]
run: {until: {time: 0.6}}
output: {frames: {every: 0.2}}
END
try check dice.yaml | grep -v -e cost -e trial
"$CAROM" run dice.yaml --quiet --threads 1 --json dice.json
"$CAROM" run dice.yaml -o two.h5 --threads 2 --quiet --json two.json
expect 'two threads' test "$(hash_in dice.json)" = "$(hash_in two.json)"
"$CAROM" run dice.yaml -o part.h5 --quiet --set run.until.time=0.35
"$CAROM" run dice.yaml -o part.h5 --resume --quiet --json part.json
expect 'a resumed run' test "$(hash_in dice.json)" = "$(hash_in part.json)"
"$CAROM" run dice.yaml -o seed.h5 --seed 4 --quiet --json seed.json
expect 'another seed differs' test "$(hash_in dice.json)" != "$(hash_in seed.json)"
try verify dice.h5 | sed -n 1,2p
try info dice.h5 | grep -A3 bodies$
"$CAROM" render dice.h5 -o dice.png > /dev/null 2>&1
echo "picture: exit $?"
"$CAROM" run dice.yaml -o fewer.h5 --quiet --set bodies.0.copies.count=2 --set run.until.time=0.1
"$CAROM" info fewer.h5 | grep -A2 bodies$
# The names of many meshes are stored in another way.
sed 's/size: \[3, 3, 5\]/size: [9, 9, 9]/; s/to: \[3, 3, 3\]/to: [9, 9, 9]/; s/count: 4/count: 150/' dice.yaml > many.yaml
"$CAROM" run many.yaml --quiet --set run.until.time=0.01
try verify many.h5 | sed -n 1,2p
"$CAROM" info many.h5 | grep -A1 bodies$ | cut -c1-40
# Invalid copies.
refuse() # what, sed script
{
    printf '\n%s\n' "$1"
    sed "$2" dice.yaml > bad.yaml
    try check bad.yaml
}
refuse 'no copies' 's/count: 4/count: 0/'
refuse 'no number' 's/copies: {count: 2, /copies: {/'
refuse 'too full' 's/count: 4/count: 60/'
refuse 'too large' 's/size: \[0.5, 0.5, 0.5\]/size: [0.5, 0.5, 4]/'
refuse 'without a mesh' 's/name: dice, mesh: die, density: 1/name: dice, particles: [0, 1]/'
refuse 'a mesh without a body' 's/{name: dice, mesh: die, density: 1, copies/{name: dice, density: 1, copies/'
refuse 'copies at the mesh' 's/name: die,/name: die, copies: {count: 3},/'
refuse 'an open mesh' 's/shape: {box: {size: \[0.5, 0.5, 0.5\]}}/shape: {tube: {radius: 0.3, length: 0.5, around: 5, along: 1}}/'
refuse 'on a lattice' 's/{random: {region.*]}}}}/fcc/'
refuse 'other orientations' 's/count: 4/count: 4, orientation: {along: [1, 0, 0]}/'
refuse 'a spin for each' 's/maxwell: 1}/maxwell: 1}, angular_velocity: {each: [0, 0, 1]}/'
refuse 'intersecting' 's/count: 4, place: {random: {region.*]}}}}/place: {at: [[1, 1, 2], [1.2, 1, 2]]}/'
refuse 'beyond the box' 's/count: 4, place: {random: {region.*]}}}}/place: {at: [[1, 1, 2], [0.1, 1, 2]]}/'
refuse 'inside of a copy' 's/copies: {count: 2, /copies: {count: 2, place: {random: {inside: die}}, /'
refuse 'driven' 's/^fields/drives: [{name: held, mesh: die}]\nfields/'
refuse 'a side of zero' 's/size: \[0.5, 0.5, 0.5\]/size: [0.5, 0, 0.5]/'
refuse 'in hard' 's/variational/hard/'
