# Detects output paths that cannot be written and are refused only after work has been done.
a_scene > gas.yaml
mkdir folder
mkfifo pipe
ln -s nowhere/x nowhere.h5
ln -s round.h5 round.h5
for place in folder folder/ missing/x.h5 gas.yaml/x.h5 pipe /dev/null nowhere.h5 round.h5; do
    try run gas.yaml -q -o "$place"
    try run gas.yaml -q -o "$place" --force
done
name=$(printf 'x%.0s' {1..300})
expect 'a name too long' test "$(timeout 60 "$CAROM" run gas.yaml -o "$name" 2>&1)" = \
    "carom: error: cannot create '$name': File name too long; choose a folder that exists and can be written"
expect '/proc takes no files' bash -c '! timeout 60 "$CAROM" run gas.yaml -q -o /proc/x.h5 2> proc'
expect 'and says so' grep -q "^carom: error: cannot create '/proc/x.h5': " proc
for place in folder missing/x gas.yaml/x; do try run gas.yaml -q --json "$place"; done
expect 'nothing was made' test "$(ls -d -- *.h5 folder/* 2> /dev/null | tr '\n' ' ')" = 'nowhere.h5 round.h5 '
if [ "$(id -u)" -ne 0 ]; then
    mkdir closed
    chmod 555 closed
    expect 'a closed folder' bash -c '! timeout 60 "$CAROM" run gas.yaml -q -o closed/x.h5 2> closed.err'
    expect 'is named' grep -q 'Permission denied' closed.err
fi
# An old result next to a new name, and a checkpoint without its result.
touch old.h5 lone.h5.checkpoint
try run gas.yaml -q -o old.h5
try run gas.yaml -q -o lone.h5
# The set-up is long, but the refusal is immediate.
sed 's/place: fcc/place: compress/; s/0.2,/0.72,/' gas.yaml > slow.yaml
try run slow.yaml -q -o old.h5
try run slow.yaml -q -o missing/x.h5
# Exports.
quiet_run gas.yaml --keep-checkpoint
for target in folder missing/x.xyz gas.yaml/x.xyz; do try export gas.h5 --to xyz -o "$target" --force; done
try export gas.h5 --to vtp -o missing/x
try export gas.h5 --to csv -o folder
try export gas.h5 --to gsd
try export gas.h5.checkpoint --to xyz
try verify gas.h5.checkpoint
# No command waits for a pipe without a writer.
try info pipe
try verify pipe
try info folder
try info /dev/null
mkfifo stuck.h5.checkpoint
try run gas.yaml -q -o stuck.h5 --resume
touch stuck.h5
try run gas.yaml -q -o stuck.h5 --resume
