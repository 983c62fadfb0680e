# Detects files replaced without --force.
a_scene > gas.yaml
quiet_run gas.yaml
before=$(cksum < gas.h5)
try run gas.yaml
expect 'the result is untouched' test "$before" = "$(cksum < gas.h5)"
quiet_run gas.yaml --force
try export gas.h5 --to xyz
try export gas.h5 --to xyz
try export gas.h5 --to xyz --force
# A run never replaces the input files of its scene, with or without --force.
printf '2\n\nball 1 1 1\nball 3 3 3\n' > two.xyz
cat > from.yaml << END
carom: 1
engine: hard
box: {size: [9, 9, 9], boundary: periodic}
species: {ball: {diameter: 1}}
particles:
  - {species: ball, place: {file: two.xyz}}
run: {until: {time: 0.1}}
END
kept=$(cksum two.xyz)
try run from.yaml -o two.xyz --force
try run from.yaml -o ./two.xyz --resume
ln two.xyz other.xyz
try run from.yaml -o other.xyz --force
try run from.yaml -o two.h5 --force --json two.xyz
ln two.xyz two.h5.checkpoint
try run from.yaml -o two.h5 --force
expect 'it is as it was' test "$kept" = "$(cksum two.xyz)"
