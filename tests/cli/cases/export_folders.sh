# Detects exports that do not make their folders, results without an author, and a progress bar in a redirected file.
cat > r.yaml <<'EOF'
carom: 1
engine: hard
box: {size: 4}
species: {grain: {diameter: 1}}
particles: [{species: grain, count: 2, place: random}]
run: {until: {time: 1}}
output: {frames: {every: 1}}
EOF
CAROM_AUTHOR='Ada Lovelace' quiet_run r.yaml
grep -c 'Ada Lovelace' r.h5
try export r.h5 --to xyz -o new/deep/r.xyz
try export r.h5 --to vtp -o new/vtp/r
ls new/deep new/vtp new/vtp/r
grep -o 'file=.*' new/vtp/r.pvd
try export r.h5 --to vtp -o frames/
ls frames frames.pvd
touch file
try export r.h5 --to csv -o file/r.csv
try verify r.h5
