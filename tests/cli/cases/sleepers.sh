# Detects sleeping disks that absorb no momentum from others, and a floor that absorbs none.
cat > pile.yaml <<'END'
carom: 1
engine: hard
dimension: 2
seed: 461
box: {size: [4.3758, 3.06306], boundary: wall}
species: {a: {diameter: 1.3}}
particles: [{species: a, count: 4, place: random, velocity: {maxwell: 1}}]
contacts: [{between: [a, a], restitution: 0.9}, {between: [a, wall], restitution: 0.3}]
fields: {gravity: [0, -1]}
hard: {collapse: {policy: sleep, speed: 0.1}}
run: {until: {time: 20, events: 3000}}
output: {frames: {every: 0.5}}
END
quiet_run pile.yaml
try verify pile.h5
