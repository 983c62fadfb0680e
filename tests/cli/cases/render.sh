# Detects wrong drawings and refusals of carom render.
a_scene 32 1 > gas.yaml
quiet_run gas.yaml --keep-checkpoint
"$CAROM" render gas.h5 -o probe.png 2> .why || { grep -q 'without cairo' .why && skip 'carom was built without cairo'; }
rm -f probe.png

# size_of PICTURE : width and height of a PNG.
size_of() {
    od -An -j16 -N8 -tu1 "$1" | awk '{ print ((($1 * 256 + $2) * 256 + $3) * 256 + $4) " x " ((($5 * 256 + $6) * 256 + $7) * 256 + $8) }'
}

try render gas.h5
size_of gas.png
try render gas.h5
try render gas.h5 --force --size 200x150
size_of gas.png
try render gas.h5 -o first.png --frame 0 --colour speed --camera 90,-20,2 --dark --size 100x100
try render gas.h5 -o f-%02d.png --size 64x64
ls f-*.png
try render gas.h5 -o g-%d.png --frame 1 --size 64x64
ls g-*.png
"$CAROM" render gas.h5 -o report.png --size 64x64 --json - 2> .why | grep -v '_s"'

echo '--- the same bytes with any number of threads'
OMP_NUM_THREADS=1 "$CAROM" render gas.h5 -o one.png 2> .why && OMP_NUM_THREADS=2 "$CAROM" render gas.h5 -o two.png 2> .why
expect 'the same picture' cmp one.png two.png

echo '--- the view of the scene, and options that override it'
{ a_scene 32 1; echo 'view: {azimuth: 70, elevation: 40, zoom: 2}'; } > seen.yaml
quiet_run seen.yaml
for picture in 'seen said' 'gas asked --camera 70,40,2' 'seen turned --camera 30,22' 'gas zoomed --camera 30,22,2'; do
    read -r of name options <<< "$picture"
    # shellcheck disable=SC2086
    "$CAROM" render "$of.h5" -o "$name.png" $options 2> .why
done
expect 'as it says' cmp said.png asked.png
expect 'angles alone leave the zoom' cmp turned.png zoomed.png

echo '--- meshes solid, transparent, as edges, hidden; and the section of the picture'
cat > cup.obj << 'END'
v 0 0 0
v 4 0 0
v 0 4 0
v 0 0 4
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
END
{ a_scene 32 1 | sed 's/^box:.*/box: {size: [4, 4, 4], boundary: open}/; s/place: fcc/place: {at: [[6, 6, 6]]}/; s/count: 32, //'
  echo 'meshes: [{name: cup, file: cup.obj, rigid: true}]'; } > cup.yaml
quiet_run cup.yaml
for look in solid transparent edges hidden; do "$CAROM" render cup.h5 -o "$look.png" --meshes $look --size 120x100 2> .why; done
for pair in 'solid transparent' 'transparent edges' 'edges hidden'; do
    # shellcheck disable=SC2086
    expect "$pair differ" test "$(cmp ${pair/ /.png }.png > .why; echo $?)" = 1
done
"$CAROM" render cup.h5 -o usual.png --size 120x100 2> .why
expect 'solid is the usual look' cmp usual.png solid.png
"$CAROM" run cup.yaml -o clear.h5 --quiet --set view.meshes=transparent
"$CAROM" render clear.h5 --size 120x100 2> .why
expect 'as the scene says' cmp clear.png transparent.png
"$CAROM" run cup.yaml -o framed.h5 --quiet --set 'view.low=[0,0,0]' --set 'view.high=[4,4,4]'
"$CAROM" render framed.h5 --size 120x100 2> .why
expect 'another part of space' test "$(cmp framed.png solid.png > .why; echo $?)" = 1
try check cup.yaml --set 'view.low=[0,0,0]'
try check cup.yaml --set 'view.low=[0,0,0]' --set 'view.high=[4,0,4]'
try render cup.h5 -o x.png --meshes glass

echo '--- molecules: colours, and option --whole'
{ a_scene 4 1 | sed 's/^box:.*/box: {size: [10, 10, 10], boundary: periodic}/; s/place: fcc/place: {at: [[9.4, 5, 5], [0.5, 5, 5], [4, 4, 5], [5.1, 4, 5]]}/; s/count: 4, //'
  echo 'bonds: [{name: pairs, chain: {from: 0, to: 3}, length: 2, shortest: 1, longest: 1.2}]'; } > pairs.yaml
quiet_run pairs.yaml
"$CAROM" render pairs.h5 -o plain.png --frame 0 --size 120x100 2> .why
for option in '--colour molecule' --whole; do
    # shellcheck disable=SC2086
    try render pairs.h5 -o "some.png" --frame 0 --size 120x100 $option --force
    expect 'another picture' test "$(cmp some.png plain.png > .why; echo $?)" = 1
done
"$CAROM" run pairs.yaml -o whole.h5 --quiet --set view.whole=true
"$CAROM" render whole.h5 --frame 0 --size 120x100 2> .why
expect 'as the scene says' cmp whole.png some.png
try render gas.h5 -o x.png --colour molecule

echo '--- with and without ambient occlusion'
"$CAROM" render gas.h5 -o shaded.png --size 120x100 2> .why
try render gas.h5 -o unshaded.png --size 120x100 --unshaded
expect 'another picture' test "$(cmp shaded.png unshaded.png > .why; echo $?)" = 1

echo '--- invalid requests'
try render
try render gone.h5
try render gas.yaml
try render gas.h5.checkpoint
try render gas.h5 -o x.png --frame 3
try render gas.h5 -o x.png --frame first
try render gas.h5 -o x.png --frame 99999999999999999999
try render gas.h5 -o x.png --frame all
for size in 0x0 10x10 100 100x 100x-5 100x100x100 99999x99999 100000x100000 16000x16000; do
    try render gas.h5 -o x.png --size "$size"
done
for camera in 1 1,2,3,4 north,up 0,91 0,nan inf,0 0,0,0 0,0,-1 1,2,; do
    try render gas.h5 -o x.png --camera "$camera"
done
sed 's/dimension: 3/dimension: 2/; s/place: fcc/place: random/' gas.yaml > plane.yaml
quiet_run plane.yaml
try render plane.h5 -o x.png --camera 30,22
try render plane.h5 -o near.png --camera 0,0,2
try render gas.h5 -o x.png --rate 5
try render gas.h5 -o x-%d.png --rate 5
try render gas.h5 -o x.mp4 --rate 0
try render gas.h5 -o x.mp4 --rate fast
try render gas.h5 -o x.png --colour hue
try render gas.h5 -o x.png --colour cluster
try render gas.h5 -o x.png --colour strain
try render gas.h5 -o x.png --colour layers
try render gas.h5 -o x.gif
try render gas.h5 -o x%s.png
try render gas.h5 -o x%d%d.png
try render gas.h5 -o x%9999999999d.png
try render gas.h5 -o gas.yaml/x.png
try render gas.h5 -o gas.yaml/x.mp4
try render gas.h5 -o gas.h5 --force
try render gas.h5 -o x.png --json gas.h5 --force
try render gas.h5 -o x.png --json x.png
head -c 3000 gas.h5 > cut.h5
try render cut.h5
expect 'no picture was left' test -z "$(ls x* cut.png 2> .why)"
expect 'the result is still one' "$CAROM" verify gas.h5 > .why

echo '--- without ffmpeg'
mkdir tools
PATH=$PWD/tools "$CAROM" render gas.h5 -o film.mp4 2>&1
echo "  = $?"
cat > tools/ffmpeg << 'END'
#!/bin/sh
echo 'no such encoder' >&2
exit 3
END
chmod +x tools/ffmpeg
PATH=$PWD/tools "$CAROM" render gas.h5 -o film.mp4 2>&1
echo "  = $?"
expect 'no film was left' test -z "$(ls film* 2> .why)"
