# Detects a manual page that man cannot render without complaint, or that lacks an option.
command -v man > /dev/null || skip 'no man'
"$CAROM" help --man > carom.1
MANWIDTH=100 MANROFFOPT='' man --warnings=w -l carom.1 > page 2> complaints
expect 'man has no complaint' test ! -s complaints
expect 'it names every command' bash -c 'for c in run init check info export verify shape help; do grep -q "carom $c" page || exit 1; done'
expect 'it names every option' bash -c '"$CAROM" run --help | grep -oE -- "--[a-z]+" | while read -r o; do grep -qe "$o" page || exit 1; done'
