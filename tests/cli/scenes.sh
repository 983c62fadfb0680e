# Scenes of several cases, on standard output.
# shellcheck shell=bash

# a_scene [PARTICLES [TIME]] : a small gas.
a_scene() {
    cat << END
carom: 1
engine: hard
dimension: 3
seed: 1
box: {packing_fraction: 0.2, boundary: periodic}
species:
  grain: {diameter: 1, mass: 1}
particles:
  - {species: grain, count: ${1:-108}, place: fcc, velocity: {maxwell: 1}, zero_momentum: true}
run: {until: {time: ${2:-1}}}
observe:
  - {what: energy, every: 0.1}
output: {frames: {every: 0.5}}
END
}

# a_lossy_gas PACKING PARTICLES HARD OBSERVED : inelastic collisions; the settings of `hard`, and the observables.
a_lossy_gas() {
    cat << END
carom: 1
engine: hard
dimension: 3
seed: 1
box: {packing_fraction: $1, boundary: periodic}
species: {ball: {diameter: 1}}
particles:
  - {species: ball, count: $2, place: random, velocity: {maxwell: 1}}
contacts:
  - {between: [ball, ball], restitution: 0.9}
hard: $3
run: {until: {time: 3}}
observe: $4
output: {frames: {every: 0.5}}
END
}

# some_dust : aggregation between walls.
some_dust() {
    cat << 'END'
carom: 1
engine: aggregation
dimension: 2
seed: 1
box: {size: [20, 20], boundary: wall}
species:
  dust: {diameter: 1, mass: 1}
particles:
  - {species: dust, count: 49, place: square, velocity: {uniform: [-0.5, 0.5]}}
run: {until: {clusters: 1}}
END
}

# a_sweep : 15 runs of gas.yaml.
a_sweep() {
    cat << 'END'
carom: 1
scene: gas.yaml
seeds: 5
parameters: {box.packing_fraction: [0.1, 0.2, 0.3]}
measure: [time, state_hash, energy.kinetic, observables.energy.mean]
END
}
