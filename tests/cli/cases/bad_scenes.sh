# Detects wrong messages for unusable scenes: place, error, suggestion; exit 65.
a_scene > gas.yaml
# change SED-SCRIPT : the gas with one change, checked.
change() { check_changed gas.yaml "$1"; }
change 's/diameter: 1/diametre: 1/'
change 's/diameter: 1/diameter: one/'
change 's/diameter: 1/diameter: -1/'
change 's/mass: 1/mass: 0/'
change 's/mass: 1/mass: nan/'
change 's/mass: 1/mass: .inf/'
change 's/mass: 1/mass: 1e400/'
change 's/mass: 1/mass: 1kg/'
change 's/mass: 1/mass: 1,5/'
change 's/packing_fraction: 0.2/packing_fraction: 0.75/'
change 's/packing_fraction: 0.2/size: [1, 1]/'
change 's/packing_fraction: 0.2/size: 2/'
change '/^engine/d'
change 's/engine: hard/engine: haard/'
change 's/^carom: 1/carom: 2/'
change 's/^seed: 1/seed: 1\nseed: 2/'
change 's/^seed/\tseed/'
change 's/species: grain/species: grian/'
change 's/count: 108/count: 1.5/'
change 's/place: fcc/place: fccc/'
change 's/dimension: 3/dimension: 4/'
change 's/until: \{time: 1\}/until: {}/'
change 's/what: energy/what: enrgy/'
change 's/^seed: 1/seed: \&a 1/'
change 's/^run/meshes: [bunny.obj]\nrun/'
change 's/^run/contacts: [{between: [grain, grain], restitution: 1.5}]\nrun/'
# Several faults are reported together.
change 's/diameter/diametre/; s/what: energy/what: enrgy/; s/fcc/fccc/'
# Files that are not scenes.
: > empty.yaml
try check empty.yaml
printf '\x00\x01\x02\xff\xfe' > binary.yaml
try check binary.yaml
echo 'just text' > text.yaml
try check text.yaml
printf 'carom: 1\n--- \ncarom: 1\n' > two.yaml
try check two.yaml
mkdir folder
try check folder
# Line ends and byte order marks are no faults.
sed 's/$/\r/' gas.yaml > crlf.yaml
expect 'CRLF is read' bash -c '"$CAROM" check crlf.yaml > /dev/null'
{ printf '\xef\xbb\xbf' && cat gas.yaml; } > bom.yaml
expect 'a BOM is read' bash -c '"$CAROM" check bom.yaml > /dev/null'
# Impossible initial states.
cat > overlap.yaml << END
carom: 1
engine: hard
dimension: 2
box: {size: [10, 10], boundary: wall}
species:
  disk: {diameter: 1}
particles:
  - {species: disk, place: {at: [[2, 2], [2.5, 2]]}}
  - {species: disk, place: {at: [[5, 5], [9.8, 5]]}}
run: {until: {time: 1}}
END
try check overlap.yaml
# Invalid overrides.
try check gas.yaml --set raduis=1
try check gas.yaml --set species.grain.mass=-1
try check gas.yaml --set particles.7.count=1
