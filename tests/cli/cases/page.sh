# Detects wrong pages of carom view --save: other frames, other limits, references to other files, wrong refusals.
a_scene 32 1 > gas.yaml
quiet_run gas.yaml --set output.frames.every=0.1
"$CAROM" run gas.yaml -o first.h5 --set run.until.time=1e-3 --quiet

try view gas.h5 --save gas.html
try view gas.h5 --save gas.html
try view gas.h5 --save again.html --quiet
expect 'the same page again' cmp gas.html again.html
try view gas.h5 --save gas.html --force --frames 4
try view gas.h5 --save few.html --particles 5
expect 'few particles are smaller' test "$(wc -c < few.html)" -lt "$(wc -c < again.html)"
limit=$(($(wc -c < again.html) - 1000))
"$CAROM" view gas.h5 --save small.html --megabytes "${limit}e-6" 2> .why
expect 'the limit holds' test "$(wc -c < small.html)" -le "$limit"
expect 'fewer frames' grep -qE '^wrote small.html, ([2-9]|10) of 11 frames$' .why
try view first.h5 --save new/first.html
expect 'no reference to another file' test -z "$(grep -oE '(src|href)="[^d][^"]*"|@import|url\(' gas.html)"
expect 'no address but of a namespace' test -z "$(grep -oE 'https?://[^"]*' gas.html | grep -v '^http://www.w3.org/')"

echo '--- refusals'
try view gas.h5 --save tiny.html --megabytes 0.05 > .said
expect 'two frames are too many' grep -qE 'page with 2 frames has .* MB, above the limit of 0.05 MB; allow more' .said
try view gas.h5 --save one.html --frames 1
try view gas.h5 --save none.html --frames 0
try view gas.h5 --save none.html --particles 0
try view gas.h5 --save many.html --particles 150001
try view gas.h5 --save none.html --megabytes -1
try view gas.h5 --save gas.h5 --force
try view gas.h5 --save .
try view gas.h5 --save page.png
try view gas.h5 --save -
try view absent.yaml --save absent.html
try view gas.h5 --frames 3
try view gas.h5 --save served.html --port 8000
try view gas.h5 --save seeded.html --seed 2
try view gas.yaml --save gas.html
try view none.h5 --save none.html
expect 'nothing else was written' test "$(echo ./*.html)" = './again.html ./few.html ./gas.html ./small.html'
