# Detects accepted text that only looks like a number, and accepted impossible numbers.
number() { # number KEY TEXT
    a_scene | sed "s/$1: [0-9.]*/$1: $2/" > s.yaml
    try check s.yaml
}
for text in nan NaN .nan inf -inf .inf Infinity 1e400 -1e400 1e-400 1.0.0 1_000 0x10 1d3 '1 2' 1,5 ١ '"1"' '[1]' '{a: 1}' \
    true '' - . e5 1e 0 -0 -1; do
    number diameter "$text"
done
for text in -1 1.5 1e20 18446744073709551616 nan many; do number count "$text"; done
for text in 0 0.8 1 1.5 -0.1; do number packing_fraction "$text"; done
contact() {
    a_scene | sed "s/^run/contacts: [{between: [grain, grain], restitution: $1}]\nrun/" > s.yaml
    try check s.yaml
}
for text in -0.1 1.0000001 nan; do contact "$text"; done
expect 'the ends are good' bash -c '"$CAROM" check s.yaml --set contacts.0.restitution=0 --set seed=18446744073709551615 > /dev/null'
