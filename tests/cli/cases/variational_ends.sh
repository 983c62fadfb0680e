# Detects ends of driven scenes without a status of their own, a report, or a readable result.
cat > s.yaml << 'END'
carom: 1
engine: variational
dimension: 2
box: {size: 8, boundary: open}
species: {jaw: {diameter: 1}, a: {diameter: 0.5}}
particles:
  - {species: jaw, place: {at: [[2, 4], [6, 4]]}}
  - {species: a, place: {at: [[4, 4]]}, velocity: {each: [0.1, 0]}}
drives:
  - {name: left, particles: [0], motion: [{time: 0, velocity: [1, 0]}, {time: 1.45, velocity: [0, 0]}]}
  - {name: right, particles: [1], motion: [{time: 0, velocity: [-1, 0]}, {time: 1.45, velocity: [0, 0]}]}
contacts: [{between: [jaw, a], restitution: 0.5}]
output: {frames: {every: 0.5}}
run: {until: {time: 4}}
END
try run s.yaml -o r.h5 --quiet --json r.json
expect 'the summary says so' grep -q '"stop": *"squeezed"' r.json
expect 'the result is whole' bash -c '"$CAROM" verify r.h5 > /dev/null'
# A rod too long for its box: its nearest image is ambiguous.
cat > torn.yaml << 'END'
carom: 1
engine: variational
dimension: 2
box: {size: 8, boundary: periodic}
species: {a: {diameter: 0.4}}
particles: [{species: a, place: {at: [[3.5, 4], [4.5, 4]]}, velocity: {each: [[-1, 0], [1, 0]]}}]
segments: [{name: rod, pairs: [[0, 1]], diameter: 0.4, species: a}]
run: {until: {time: 9}}
END
try run torn.yaml -o t.h5 --quiet --json t.json
expect 'the summary says so' grep -q '"stop": *"stretched"' t.json
expect 'the result is whole' bash -c '"$CAROM" verify t.h5 > /dev/null'
try run torn.yaml -o t.h5 --resume --quiet
# A spring, and an arm of a hinge, that exceed 0.49 of the box.
for link in 'springs=[{name: s, pairs: [[0, 1]], stiffness: 0.01}]' 'hinges=[{name: h, triples: [[0, 1, 2]], stiffness: 0.01}]'; do
    sed '/^segments/d; s/\[4.5, 4\]\]/[4.5, 4], [5.5, 4]]/; s/\[1, 0\]\]/[1, 0], [1, 0]]/' torn.yaml > linked.yaml
    try run linked.yaml -o l.h5 --force --quiet --json l.json --set "$link"
    expect 'the summary says so' grep -q '"stop": *"stretched"' l.json
    try run linked.yaml -o l.h5 --resume --quiet --set "$link"
    try run linked.yaml --quiet --set "$link" --set 'particles.0.place.at.0=[0.52, 4]'
    try run linked.yaml -o l.h5 --force --quiet --json l.json --set "$link" --set variational.reference=true
done
# No further events, and no limit of the time.
cat > quiet.yaml << 'END'
carom: 1
engine: variational
dimension: 2
box: {size: 8, boundary: open}
species: {a: {diameter: 0.4}}
particles: [{species: a, place: {at: [[3, 4], [5, 4]]}, velocity: {each: [[-1, 0], [1, 0]]}}]
run: {until: {collisions: 1}}
END
try run quiet.yaml -o q.h5 --quiet
try run quiet.yaml -o q.h5 --force --quiet --set 'particles.0.velocity=zero' --set variational.stiffness=1
try run quiet.yaml -o q.h5 --force --quiet --set 'drives=[{name: all, particles: [0, 1]}]' --set variational.stiffness=1
# Stiff layers do not tick long before contact, which would take an hour.
cat > stiff.yaml << 'END'
carom: 1
engine: variational
dimension: 2
box: {size: 8, boundary: open}
species: {a: {diameter: 0.4}}
particles: [{species: a, place: {at: [[3, 4], [5, 4]]}, velocity: {each: [[1, 0], [-1, 0]]}}]
variational: {stiffness: 1e24}
run: {until: {time: 1}}
END
try run stiff.yaml -o k.h5 --quiet --json k.json
expect 'they have met' grep -q '"collision": *1,' k.json
