# Detects inputs that a command overwrites, and resumed runs that read other files than they began with.
cat > ball.obj << 'OBJ'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
OBJ
cat > ball.yaml << 'SCENE'
carom: 1
engine: hard
box: {size: [10, 10, 10], boundary: wall}
species: {a: {diameter: 1}}
meshes: [{name: ball, file: ball.obj, rigid: true, place: {at: [5, 5, 5]}}]
particles: [{species: a, count: 10, place: random, velocity: {maxwell: 1}}]
run: {until: {time: 1}}
output: {frames: {every: 0.25}}
SCENE
quiet_run ball.yaml -o r.h5
for format in xyz csv h5md; do try export r.h5 --to $format -o r.h5 --force; done
ln -s r.h5 link.h5
try export link.h5 --to xyz -o ./r.h5 --force
expect 'the result is whole' bash -c '"$CAROM" verify r.h5 > /dev/null'
cp r.h5 'r%d.h5'
try render 'r%d.h5'
# Another mesh under the same name.
sed -i 's/^v 0 0 1/v 0 0 2/' ball.obj
try run ball.yaml -o r.h5 --resume -q --set run.until.time=2
sed -i 's/^v 0 0 2/v 0 0 1/' ball.obj
try run ball.yaml -o r.h5 --resume -q --set run.until.time=2
# A mesh without triangles after a repair.
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n' > flat.obj
try check ball.yaml --set meshes.0.file=flat.obj
try check ball.yaml --set meshes.0.file=flat.obj --set 'meshes.0.repair=[weld, drop_unreferenced]'
# Impossible numbers.
printf 'carom: 1\nscene: ball.yaml\nseeds: [1]\nmeasure: [momentum.3]\nparameters: {run.until.time: [1]}\n' > s.yaml
try sweep s.yaml
sed -i 's/momentum.3/box.01/' s.yaml
try sweep s.yaml
# A sweep over a scene with another mesh under the same name.
printf 'carom: 1\nscene: ball.yaml\nseeds: [1]\nparameters: {run.until.time: [1]}\n' > s.yaml
quiet_run_sweep() { "$CAROM" sweep s.yaml -o runs -q > /dev/null 2>&1; echo "  = $?"; }
quiet_run_sweep
sed -i 's/^v 0 0 1/v 0 0 2/' ball.obj
try sweep s.yaml -o runs -q
try sweep s.yaml -o runs -q --force
expect 'both rows are there' test "$(wc -l < runs/rows.jsonl)" = 2
try sweep s.yaml -o runs -q
