# Detects accepted meshes that the engine `variational` cannot run: too close, or driven into each other; exit 65.
cat > m.yaml << END
carom: 1
engine: variational
box: {size: 10, boundary: open}
species: {a: {diameter: 0.5}}
particles: [{species: a, place: {at: [[5, 5, 9]]}, velocity: {each: [[0, 0, -1]]}}]
meshes:
  - {name: rock, shape: {solid: {kind: octahedron, radius: 1}}, place: {at: [5, 5, 3]}, thickness: 0.1, rigid: true}
  - {name: hammer, shape: {rectangle: {length: 2, width: 2, along: 1, across: 1}}, place: {at: [5, 5, 6]}, thickness: 0.1,
     rigid: true}
  - {name: sheet, shape: {rectangle: {length: 2, width: 2, along: 4, across: 4}}, place: {at: [2, 2, 6]}, thickness: 0.1,
     stretch: 10}
run: {until: {time: 4}}
END
with() { check_with m.yaml "$@"; }
expect 'as it is it runs' bash -c '"$CAROM" check m.yaml > /dev/null'
# Thickness: neighbours in a sheet, two meshes, a particle.
with 'meshes.2.thickness=0.4'
with 'meshes.2.place.at=[5, 5, 5.95]'
with 'particles.0.place.at=[[5, 5, 6.28]]'
with 'variational.eta=0.06'
# Held meshes.
with 'drives=[{name: blow, mesh: hammer, motion: [{time: 0.5, velocity: [0, 0, -1]}]}]'
with 'drives=[{name: blow, mesh: sheet, within: {from: [0, 0, 0], to: [1.1, 10, 10]}, motion: [{time: 0, velocity: [1, 1, 0]}]}]'
with 'drives=[{name: ball, particles: [0], motion: [{time: 1, velocity: [0, 0, -2]}]}]'
expect 'in time it stops' bash -c \
    '"$CAROM" check m.yaml --set "drives=[{name: blow, mesh: hammer, motion: [{time: 0.5, velocity: [0, 0, -1]}, {time: 2, velocity: [0, 0, 1]}]}]" > /dev/null'
