# Detects accepted scenes that the engine `variational` cannot run, messages without a remedy, and `run` differing
# from `check`; exit 65.
a_scene_of() { # [DIMENSION]
    cat << END
carom: 1
engine: variational
dimension: ${1:-2}
box: {size: 10, boundary: wall}
species:
  a: {diameter: 1, mass: 1}
  b: {diameter: 0.5, mass: 4}
planes:
  - {name: ramp, point: [0, 0$([ "${1:-2}" = 2 ] || echo ', 0')], normal: [1, 1$([ "${1:-2}" = 2 ] || echo ', 0')]}
particles:
  - {species: a, place: {at: $([ "${1:-2}" = 2 ] && echo '[[3, 3], [5, 3], [7, 3]]' || echo '[[3, 3, 5], [5, 3, 5], [7, 3, 5]]')}}
  - {species: b, place: {at: $([ "${1:-2}" = 2 ] && echo '[[3, 7], [5, 7], [7, 7]]' || echo '[[3, 7, 5], [5, 7, 5], [7, 7, 5]]')}, velocity: zero}
fields: {gravity: $([ "${1:-2}" = 2 ] && echo '[0, -1]' || echo '[0, -1, 0]')}
run: {until: {time: 10}}
END
}
a_scene_of > s.yaml
a_scene_of 3 > s3.yaml
with() { check_with s.yaml "$@"; }
expect 'as it is it runs' bash -c '"$CAROM" check s.yaml > /dev/null && "$CAROM" check s3.yaml > /dev/null'
# Starts that overlap.
with 'particles.0.place={at: [[3, 3], [3.9, 3], [7, 3]]}'
with 'particles.0.place={at: [[3, 3], [9.8, 3], [7, 3]]}'
with 'segments=[{name: rod, pairs: [[0, 5]], diameter: 0.2, species: a}]'
with 'segments=[{name: rod, pairs: [[0, 2]], diameter: 0.2, species: a}]'
with 'segments=[{name: rods, pairs: [[0, 5], [2, 3]], diameter: 0.2, species: a}]'
with 'segments=[{name: rod, pairs: [[0, 1]], diameter: 0.2, species: a}, {name: again, pairs: [[1, 0]], diameter: 0.1, species: a}]'
# Thickness, stiffness, steps.
with variational.eta=-0.1
with variational.eta=0.3
with variational.eta=1e-320
with variational.eta=1e-12
with box.size=1e30
with run.until.time=1e30
with variational.stiffness=-1
with variational.stiffness=.inf
with variational.stiffness=1e300 variational.eta=1e-10
with variational.step=1 variational.stiffness=100
with variational.step=-1
with variational.courant=1.5
with variational.courant=0
with variational.exponent=7
with variational.step_law=1
with variational.step_law=nan
with variational.stifness=3
with 'fields={gravity: [0, 0]}'
with 'springs=[{name: ties, pairs: [[0, 1]], stiffness: 100}]' variational.material_step=0.5
with 'springs=[{name: ties, pairs: [[0, 1]], stiffness: 1, damping: 100}]' variational.material_step=0.5
with 'hinges=[{name: bends, triples: [[0, 1, 2]], stiffness: 100}]' variational.material_step=0.5
# Masses.
with species.a.mass=0
with species.a.mass=.inf
with species.a.mass=-2
with species.a.mass=1e-300 species.b.mass=1e300 'particles.1.velocity={maxwell: 1e200}'
# Missing elements, and unsupported ones.
with 'springs=[{name: ties, pairs: [[0, 6]], stiffness: 1}]'
with 'springs=[{name: ties, pairs: [[0, 0]], stiffness: 1}]'
with 'springs=[{name: ties, pairs: [[0, 1]], stiffness: -1}]'
with 'springs=[{name: ties, pairs: [[0, 1]], stiffness: 1, damping: -1}]'
with 'hinges=[{name: bends, triples: [[0, 1]], stiffness: 1}]'
with 'segments=[{name: rod, pairs: [[0, 1]], diameter: 0.2, species: c}]'
with 'segments=[{name: rod, pairs: [[0, 1]], diameter: 0, species: a}]'
with 'segments=[{name: rod, pairs: [[0, 1]], diameter: 0.01, species: a}]' variational.eta=0.02
with 'bodies=[{name: one, particles: [0, 1]}, {name: two, particles: [1, 2]}]'
with 'bodies=[{name: one, particles: [0, 0]}]'
with 'bodies=[{name: one, particles: [0, 9]}]'
with 'bodies=[{name: one, particles: [0, 1]}]' 'drives=[{name: stop, particles: [1]}]'
with 'drives=[{name: stop, particles: [7]}]'
with 'drives=[{name: stop, plane: rampe}]'
with 'drives=[{name: one, plane: ramp}, {name: two, plane: ramp}]'
with 'drives=[{name: one, particles: [0], motion: [{time: 2, velocity: [0, 0]}, {time: 1, velocity: [0, 0]}]}]'
with 'drives=[{name: one, particles: [0], motion: [{time: 2, velocity: [.inf, 0]}]}]'
with 'drives=[{name: one, particles: [0], path: [{time: 2, by: [1, 0]}, {time: 1, by: [0, 0]}]}]'
with 'drives=[{name: one, particles: [0], path: [{time: 2}]}]'
with variational.stiffness=100 'drives=[{name: one, particles: [0], path: [{time: 1e-300, by: [1e300, 0]}]}]'
with 'drives=[{name: one, particles: [0], motion: [{velocity: [1, 0]}], path: [{time: 2, by: [1, 0]}]}]'
# Driven elements that would collide with other driven elements or walls.
moves='motion: [{time: 1, velocity: [1, 0]}, {time: 3, velocity: [0, 0]}]'
with "drives=[{name: left, particles: [0], $moves}, {name: right, particles: [1]}]"
with "drives=[{name: left, particles: [0, 3], $moves}, {name: right, particles: [1, 4], motion: [{time: 0, velocity: [-0.5, 0]}]}]"
with "drives=[{name: out, particles: [2], motion: [{time: 0, velocity: [1, 0]}]}]"
with "drives=[{name: out, particles: [0], motion: [{time: 0, velocity: [-1, -1]}]}]"
with "drives=[{name: lid, plane: ramp, motion: [{time: 0, velocity: [1, 1]}]}, {name: post, particles: [1]}]"
with 'segments=[{name: bat, pairs: [[3, 5]], diameter: 0.2, species: b}]' 'particles.1.place={at: [[3, 7], [5, 8], [7, 7]]}' \
    'drives=[{name: swing, particles: [3, 5], motion: [{time: 0, velocity: [0, -1]}]}, {name: post, particles: [1]}]'
with 'box.boundary=periodic' 'planes=[]' \
    'drives=[{name: round, particles: [0], motion: [{time: 0, velocity: [-1, 0]}]}, {name: post, particles: [2]}]'
with 'segments=[{name: bat, pairs: [[3, 5]], diameter: 0.2, species: b}]' 'particles.1.place={at: [[3, 7], [5, 8], [7, 7]]}' \
    'drives=[{name: down, particles: [3], motion: [{time: 0, velocity: [0, -1]}]}, {name: pivot, particles: [5]}]'
fine() { "$CAROM" check s.yaml --set "$1" > out.txt; }
expect 'those that stop before are fine' fine \
    'drives=[{name: left, particles: [0], motion: [{time: 1, velocity: [1, 0]}, {time: 2, velocity: [0, 0]}]}, {name: right, particles: [1]}]'
expect 'those that come after the end are fine' fine \
    'drives=[{name: left, particles: [0], motion: [{time: 9.5, velocity: [1, 0]}]}, {name: right, particles: [1]}]'
expect 'those that pass each other are fine' fine \
    'drives=[{name: left, particles: [0], motion: [{time: 0, velocity: [0.5, 0]}]}, {name: right, particles: [5], motion: [{time: 0, velocity: [-0.5, 0]}]}]'
expect 'those that go along a wall are fine' fine \
    'drives=[{name: along, particles: [2], motion: [{time: 0, velocity: [0, 0.6]}]}]'
# Boxes.
with 'box.boundary=periodic'
with 'box.boundary=[periodic, wall]' 'planes.0.normal=[0, 1]' 'planes.0.point=[0, 0]' 'drives=[{name: out, particles: [0], motion: [{time: 0, velocity: [3, -0.5]}]}]'
with 'box.boundary=periodic' 'planes=[]' 'segments=[{name: rod, pairs: [[0, 1], [3, 5]], diameter: 0.2, species: a}]' \
    'particles.1.place={at: [[3, 7], [5, 8], [7, 7]]}'
with 'box.boundary=periodic' 'planes=[]' 'box.size=[10, 1.5]' 'particles.0.place={at: [[3, 1]]}' 'particles.1.place={at: [[5, 1]]}'
# Dimensions and combinations.
try check s3.yaml --set 'hinges=[{name: bends, triples: [[0, 1, 2]], stiffness: 1}]'
try check s3.yaml --set 'bodies=[{name: line, particles: [0, 1, 2]}]'
with 'contacts=[{between: [a, a], stick: always}]'
with 'contacts=[{between: [a, a], friction: -1}]'
with 'contacts=[{between: [a, a], restitution: 1.5}]'
with 'particles.0.place={compress: {rate: 0.1}}' 'particles.0.count=3' 'bodies=[{name: bar, particles: [0, 1]}]' 'planes=[]'
# A run has the same messages, and leaves no files.
try run s.yaml --set "drives=[{name: left, particles: [0], $moves}, {name: right, particles: [1]}]"
try run s.yaml --set variational.step=1 --set variational.stiffness=100
try run s.yaml --set 'springs=[{name: ties, pairs: [[0, 1]], stiffness: 100}]' --set variational.material_step=0.5
expect 'nothing is left' test "$(echo s.h5*)" = 's.h5*'
