# Detects refusals of faulty meshes without the repair, and repairs that check, run or summary do not report.
{
    printf 'v %s\n' '0 0 0' '4 0 0' '4 4 0' '0 4 0' '0 0 4' '4 0 4' '4 4 4' '0 4 4'
    printf 'f %s\n' '1 4 3' '1 3 2' '5 6 7' '5 7 8' '1 2 6' '1 6 5' '2 3 7' '2 7 6' '3 4 8' '3 8 7' '4 1 5'
} > sound.obj
{ cat sound.obj && echo 'f 4 5 8'; } > cube.obj
{ cat sound.obj && echo 'f 4 8 5'; } > flipped.obj
{ cat cube.obj && printf 'v %s\n' '9 9 9' '8 8 8'; } > unused.obj
{ sed '$d' cube.obj && printf 'v %s\n' '0 4 0' '0 0 4' '0 4 4' && echo 'f 9 10 11'; } > twice.obj
cat > s.yaml << 'END'
carom: 1
engine: hard
box: {size: 12, boundary: wall}
species: {ball: {diameter: 1}}
particles: [{species: ball, count: 40, place: random, velocity: {maxwell: 1}}]
meshes:
  - {name: block, file: cube.obj, place: {at: [4, 4, 4]}, rigid: true}
run: {until: {time: 3}}
END
sees() { try check s.yaml "$@" | grep -vE '^  \|   (memory|a frame)'; }
sees
# Triangles of rigid meshes may have any orientation; those of a shell may not.
sees --set meshes.0.file=flipped.obj
shell='meshes=[{name: block, file: flipped.obj, place: {at: [4, 4, 4]}, thickness: 0.1, stretch: 100, bend: 1}]'
sees --set engine=variational --set "$shell"
sees --set engine=variational --set "${shell/file: flipped.obj/file: flipped.obj, repair: [orient]}"
# Vertices.
sees --set meshes.0.file=unused.obj
sees --set meshes.0.file=unused.obj --set 'meshes.0.repair=[drop_unreferenced]'
sees --set meshes.0.file=twice.obj
sees --set meshes.0.file=twice.obj --set 'meshes.0.repair=[weld]'
sed '$!b; s/.*/v 0 4.0000001 0\nv 1e-7 0 4\nf 9 10 8/' cube.obj > near.obj
sees --set meshes.0.file=near.obj --set 'meshes.0.place={at: [4, 4, 4]}' --set 'particles.0.place={random: {inside: block}}' \
    --set particles.0.count=9 --set 'meshes.0.repair=[weld]'
sees --set meshes.0.file=near.obj --set 'meshes.0.repair=[weld]' --set meshes.0.weld_within=1e-6
sees --set meshes.0.weld_within=1e-6
# Holes.
sees --set meshes.0.file=sound.obj --set 'particles.0.place={random: {inside: block}}' --set particles.0.count=9
sees --set meshes.0.file=sound.obj --set 'particles.0.place={random: {inside: block}}' --set particles.0.count=9 \
    --set 'meshes.0.repair=[fill]'
# All at once, in a run: the same as of the sound mesh.
"$CAROM" run s.yaml -q --json sound.json
"$CAROM" run s.yaml -o mended.h5 --json mended.json --set meshes.0.file=unused.obj \
    --set 'meshes.0.repair=[weld, drop_unreferenced, orient, fill]' 2>&1 | grep mesh
grep -A2 repairs mended.json
hash() { grep -o '"state_hash": "[0-9a-f]*"' "$1"; }
expect 'the same run' test "$(hash sound.json)" = "$(hash mended.json)"
expect 'it is verified' bash -c '"$CAROM" verify mended.h5 > /dev/null'
# Triangles without area, whose vertex nothing else has: the list that mends all, though the second follows from the first.
{ cat cube.obj && printf 'v %s\n' '2 0 0' && echo 'f 1 2 9'; } > flat.obj
sees --set meshes.0.file=flat.obj
sees --set meshes.0.file=flat.obj --set 'meshes.0.repair=[weld, drop_unreferenced]'
# A rigid mesh may intersect itself, and have edges of three triangles; a shell may not.
{ cat cube.obj && printf 'v %s\n' '2 2 2' '2 3 7' '3 2 7' && echo 'f 9 10 11' && echo 'f 1 3 9'; } > crossed.obj
sees --set meshes.0.file=crossed.obj
sees --set engine=variational --set "${shell/flipped/crossed}"
"$CAROM" run s.yaml -o crossed.h5 -q --set meshes.0.file=crossed.obj
expect 'and is no violation' bash -c '"$CAROM" verify crossed.h5 > /dev/null'
# Cases without a repair.
sees --set 'meshes.0.repair=[polish]'
sees --set meshes.0.repair=weld
sees --set 'meshes=[{name: ball, shape: {sphere: {radius: 1}}, repair: [weld], rigid: true}]'
sees --set meshes.0.file=cube.blend
