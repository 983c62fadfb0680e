# Detects scenes that ask for what their runs cannot reach and get no warning before the run, and warnings without a reason.
cat > fill.yaml << 'END_SCENE'
carom: 1
engine: variational
seed: 5
box: {size: [8, 8, 12], boundary: open}
species: {grain: {diameter: 1, density: 1}}
particles:
  - {species: grain, count: 1000, velocity: {each: [0, 0, -2]}, place: {inflow: {region: {box: {from: [1, 1, 5], to: [4, 4, 7]}}, rate: 100}}}
meshes: [{name: tray, rigid: true, thickness: 0.2, shape: {disk: {radius: 2, rings: 3}}, place: {at: [6, 6, 1]}}]
outflow: [{name: below, region: {box: {from: [-9, -9, -9], to: [18, 18, 4]}}, every: 0.5}]
run: {until: {time: 10}}
END_SCENE
# warned SED-SCRIPT [SCENE] : the warnings of a changed scene
warned() {
    sed -E "$1" "${2:-fill.yaml}" > changed.yaml
    "$CAROM" check changed.yaml --trial 0 > told 2>&1 || cat told
    grep warning told
}
# rate NAME VOLUME SED-SCRIPT : particles that move away per time, of the volume VOLUME; an awk expression
rate() {
    warned "$3" > told_rate
    expect "$1" test "$(sed -E 's/.*filled, ([0-9.]+) .*/\1/' told_rate)" = "$(awk "BEGIN {pi = atan2(0, -1); printf \"%.3g\", $2}")"
}
try check fill.yaml
rate 'a box: 3 x 3 at speed 2' '9 * 2 / (pi / 6)' ''
rate 'an oblique velocity' '(9 * 2 + 6 * 1.5) / (pi / 6)' 's/\[0, 0, -2\]/[0, 1.5, -2]/'
rate 'from rest under gravity: as fast as at the end of the region' '9 * 2 / (pi / 6)' 's/\[0, 0, -2\]/[0, 0, 0]/; s/^run/fields: {gravity: [0, 0, -1]}\nrun/'
rate 'against gravity' '9 * (1 + sqrt(5) + 1) / (pi / 6)' 's/\[0, 0, -2\]/[0, 0, 1]/; s/^run/fields: {gravity: [0, 0, -1]}\nrun/'
rate 'a ball' '2 * pi * 1.5 ^ 2 / (pi / 6)' 's/box: \{from: \[1, 1, 5\], to: \[4, 4, 7\]\}/ball: {centre: [4, 4, 8], radius: 1.5}/'
rate 'a cylinder along the velocity' '2 * pi * 1.5 ^ 2 / (pi / 6)' 's/box: \{from: \[1, 1, 5\], to: \[4, 4, 7\]\}/cylinder: {from: [4, 4, 7], to: [4, 4, 9], radius: 1.5}/'
rate 'a cylinder across it' '2 * 2 * 3 / (pi / 6)' 's/box: \{from: \[1, 1, 5\], to: \[4, 4, 7\]\}/cylinder: {from: [4, 4, 8], to: [4, 6, 8], radius: 1.5}/'
echo '# a rate that the region permits, and random velocities'
warned 's/rate: 100/rate: 34/; s/count: 1000/count: 341/'
warned 's/\{each: \[0, 0, -2\]\}/{maxwell: 1}/'
echo '# none: no rate to be reached'
warned 's/count: 1000/count: 0/; s/^run/variational: {stiffness: 1}\nrun/'
echo '# at rest'
warned 's/\[0, 0, -2\]/[0, 0, 0]/; s/^run/variational: {stiffness: 1}\nrun/'
echo '# in 2 dimensions: 3 x 2 / (pi / 4)'
cat > flat.yaml << 'END_SCENE'
carom: 1
engine: hard
dimension: 2
seed: 5
box: {size: [8, 8], boundary: open}
species: {grain: {diameter: 1, density: 1}}
particles: [{species: grain, count: 100, velocity: {each: [0, -2]}, place: {inflow: {region: {box: {from: [1, 5], to: [4, 7]}}, rate: 10}}}]
run: {until: {time: 20}}
END_SCENE
warned '' flat.yaml
echo '# numbers that the run does not reach'
warned 's/rate: 100/rate: 10/'
warned 's/rate: 100/rate: 10/; s/count: 1000/count: 101/'
warned 's/rate: 100/rate: 10, end: 3.95/; s/count: 1000/count: 41/'
warned 's/rate: 100/rate: 100, start: 11/'
echo '# outflows: half of the places, all of them, another time, a side'
warned 's/rate: 100/rate: 10/; s/count: 1000/count: 20/; s/18, 18, 4\]/18, 18, 6]/'
warned 's/rate: 100/rate: 10/; s/count: 1000/count: 20/; s/18, 18, 4\]/18, 18, 7]/'
warned 's/rate: 100/rate: 10/; s/count: 1000/count: 20/; s/18, 18, 4\]/18, 18, 7]/; s/every: 0.5/every: 0.5, start: 5/'
warned 's/rate: 100/rate: 10/; s/count: 1000/count: 20/; s/from: \[1, 1, 5\]/from: [1, 1, 10]/; s/to: \[4, 4, 7\]/to: [4, 4, 14]/; s/region: \{box: \{from: \[-9.*18, 4\]\}\}/side: z+/'
warned 's/rate: 100/rate: 10/; s/count: 1000/count: 20/; s/every: 0.5/every: 0.5, start: 11/'
warned 's/rate: 100/rate: 10/; s/count: 1000/count: 20/; s/every: 0.5/every: 11/'
warned 's/rate: 100/rate: 10/; s/count: 1000/count: 20/; s/time: 10/time: 10, rest: {slower: 0.1, for: 11, every: 1}/'
echo '# meshes and drives after the end'
still='s/rate: 100/rate: 10/; s/count: 1000/count: 20/'
warned "$still; s/1\\]\\}\\}\\]/1]}, appear: {time: 11, every: 1}, vanish: {when: {slower: 1, every: 12}}}]/"
warned "$still; s/^run/drives: [{name: lift, mesh: tray, motion: [{velocity: [0, 0, 1]}, {time: 12, velocity: [0, 0, 0]}]}]\\nrun/"
warned "$still; s/^run/drives: [{name: lift, mesh: tray, motion: [{velocity: [0, 0, 1]}, {time: 12, velocity: [0, 0, 2]}]}]\\nrun/"
warned "$still; s/^run/drives: [{name: lift, mesh: tray, path: [{time: 20, by: [0, 0, 1]}]}]\\nrun/"
warned "$still; s/^run/drives: [{name: lift, mesh: tray, motion: [{velocity: [0, 0, 1]}], start: {when: {slower: 1, every: 12}}}]\\nrun/"
echo '# a sphere inside another one of a clump'
warned "$still; s/^outflow/clumps: [{name: nut, species: grain, spheres: [{at: [0, 0, 0], diameter: 1}, {at: [0.1, 0, 0], diameter: 0.7}, {at: [0.2, 0, 0], diameter: 0.7}]}]\\noutflow/"
echo '# particles with two springs or hinges; none for different ones'
cat > linked.yaml << 'END_SCENE'
carom: 1
engine: variational
dimension: 2
box: {size: 10}
species: {bead: {diameter: 0.5, density: 1}}
particles: [{species: bead, place: {at: [[1, 1], [2, 1], [3, 1], [4, 1], [5, 5], [6, 5]]}}]
variational: {stiffness: 1000}
run: {until: {time: 0.1}}
END_SCENE
linked() { warned "\$a $1" linked.yaml; }
linked 'springs: [{name: net, pairs: [[4, 5], [1, 0]], stiffness: 1}, {name: rope, chain: {from: 0, to: 3}, stiffness: 1}]'
linked 'springs: [{name: net, pairs: [[1, 0], [3, 2]], stiffness: 1}, {name: rope, chain: {from: 0, to: 3}, stiffness: 1}]'
linked 'springs: [{name: net, pairs: [[4, 5], [2, 0]], stiffness: 1}, {name: rope, chain: {from: 0, to: 3}, stiffness: 1}]'
linked 'hinges: [{name: net, triples: [[0, 2, 1], [3, 2, 1]], stiffness: 1}, {name: rope, chain: {from: 0, to: 3}, stiffness: 1}]'
echo '# a run says it at its start, and not again at its end; others read it in JSON'
sed "$still; s/1\\]}}\\]/1]}, vanish: {time: 11}}]/; s/every: 0.5/every: 0.5, start: 11/" fill.yaml > run.yaml
try run run.yaml --quiet
"$CAROM" check run.yaml --json --trial 0 | grep -A4 '"warnings"'
