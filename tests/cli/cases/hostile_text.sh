# Detects text that is no scene, or is hostile, with several messages, a wrong place, or a long run time.
text() { # text PRINTF-FORMAT : a scene of that text, checked
    # shellcheck disable=SC2059
    printf -- "$1" > s.yaml
    try check s.yaml
}
text 'carom: 1\ntitle: "open\nengine: hard\n'
text 'carom: 1\ntitle: [a, b\n'
text 'carom: 1\nbox: {size: 3\n'
text 'carom: 1\ntitle: [\n\n'
text 'carom: 1\nengine\n'
text 'carom: 1\n  engine: hard\n'
text 'carom: 1\ntitle: a: b\n'
text 'carom: 1\ntitle: %%x\n'
text 'carom: 1\ntitle: !!str x\n'
text 'carom: 1\n? [a, b]\n: c\n'
text '- carom: 1\n'
text '%%YAML 9.9\n---\ncarom: 1\n'
# Bytes.
text 'carom: 1\nti\0tle: x\n'
text 'carom: 1\ntitle: \a\n'
text 'carom: 1\ntitle: M\xfcller\n'
text '\xff\xfec\0a\0r\0o\0m\0:\0'
text 'carom: 1\ntitle: "a\\0b"\n'
head -c 100000 "$CAROM" > binary.yaml
try check binary.yaml
# An alias bomb is not set off; merges and anchors are refused alike.
cat > bomb.yaml << 'END'
carom: 1
a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
END
try check bomb.yaml
a_scene | sed 's/^seed: 1/seed: *one/; s/mass: 1/<<: {mass: 1}/' > merge.yaml
try check merge.yaml
# Too deep, too long, too many.
{ printf 'carom: '; head -c 100000 /dev/zero | tr '\0' '['; } > deep.yaml
try check deep.yaml
for ((i = 0; i < 2000; i++)); do printf '%*sa:\n' $i ''; done > steps.yaml
try check steps.yaml
{ printf 'carom: 1\n'; head -c 1000000 /dev/zero | tr '\0' 'k'; printf ': 3\n'; } > key.yaml
try check key.yaml
long=$(head -c 60000 /dev/zero | tr '\0' 'k')
a_scene | sed "s/^seed: 1/titel: $long/" > value.yaml
try check value.yaml
a_scene | sed "s/^species:/{title: $long, titel: 1}/" > line.yaml
try check line.yaml
a_scene | sed "s/^seed: 1/seed: ${long//k/1}/" > number.yaml
try check number.yaml
a_scene > many.yaml
for ((i = 0; i < 300; i++)); do echo "unknown$i: 1"; done >> many.yaml
try check many.yaml
# A scene may come through a pipe.
a_scene > gas.yaml
mkfifo pipe
cat gas.yaml > pipe &
expect 'from a pipe' bash -c 'timeout 60 "$CAROM" check pipe > /dev/null'
expect 'from /dev/stdin' bash -c 'timeout 60 "$CAROM" check /dev/stdin < gas.yaml > /dev/null'
expect 'from -' bash -c 'timeout 60 "$CAROM" check - < gas.yaml > /dev/null'
INPUT=/dev/null try check -
INPUT=merge.yaml try check - --set engine=hrad
try check -- -
