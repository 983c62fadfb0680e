# Detects a limit of the energy balance in `verify` that is too low where all contacts begin at once: all forces then oppose
# the motion, and the errors of their steps add up.
cat > gas.yaml <<'EOG'
carom: 1
engine: variational
seed: 1
box: {packing_fraction: 0.45, boundary: periodic}
species: {sphere: {diameter: 1, mass: 1}}
particles: [{species: sphere, count: 4000, place: fcc, velocity: {maxwell: 1}}]
variational: {eta: 0.2}
output: {frames: {every: 0.05}}
run: {until: {time: 0.2}}
EOG
"$CAROM" run gas.yaml --quiet
"$CAROM" verify gas.h5 | tail -n +4
