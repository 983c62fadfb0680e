#!/usr/bin/env bash
# Command-line tests: each file of cases/ runs the real command and is compared with its transcript in golden/.
#   tests/cli/run.sh [CASE]...            runs the named cases, or all
#   tests/cli/run.sh --update [CASE]...   rewrites their transcripts (check the diff before a commit)
# CAROM is the command to test. A case is a bash script, run in an empty folder with the functions below.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export CAROM=${CAROM:-$here/../../build/release/carom}
export CAROM_SOURCE=${CAROM_SOURCE:-$(cd "$here/../.." && pwd)}

# try ARGUMENT... : runs carom and writes command, output, messages and exit code (124: timeout) to the transcript.
try() {
    local code
    echo "\$ carom $*"
    [ "${1-}" != check ] || set -- check --trial 0 "${@:2}" # speeds are no transcript's
    timeout 120 "$CAROM" "$@" > .out 2> .err < "${INPUT:-/dev/null}"
    code=$?
    sed 's/^/  | /' .out
    sed 's/^/  ! /' .err
    echo "  = $code"
    rm -f .out .err
    return "$code"
}

# quiet_run SCENE ARGUMENT... : a run that must succeed; other tests check its numbers.
quiet_run() {
    "$CAROM" run "$@" --quiet || echo "carom run $* failed with $?"
}

# expect NAME COMMAND... : a condition that must hold; a failure appears in the transcript.
expect() {
    local name=$1
    shift
    if "$@"; then echo "$name: yes"; else echo "$name: NO ($*)"; fi
}

# wait_for COMMAND... : repeats it until it succeeds, for half a minute at most. For actions of another process.
wait_for() {
    local tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ "$tries" -lt 600 ] || return 1
        sleep 0.05
    done
}

# python_with MODULE : a Python that has the module, on standard output; status 1 if there is none.
python_with() {
    local python
    for python in python3 /usr/bin/python3; do
        "$python" -c "import $1" 2> /dev/null && echo "$python" && return
    done
    return 1
}

# skip REASON : if the machine cannot run the case.
skip() {
    echo "skipped: $*" >&2
    exit 77
}

# shellcheck source=tests/cli/scenes.sh
source "$here/scenes.sh"
# shellcheck source=tests/cli/results.sh
source "$here/results.sh"

# Runs one case; 0 passed, 1 failed, 77 skipped.
run_case() {
    local name=$1 code=0 golden=$here/golden/$1.txt folder
    folder=$(mktemp -d)
    (
        cd "$folder" || exit 1
        unset NO_COLOR CAROM_TOL_SCALE
        export LC_ALL=C TERM=dumb
        # shellcheck source=/dev/null
        source "$here/cases/$name.sh"
    ) > "$folder.txt" 2> "$folder.err"
    code=$?
    if [ $code -eq 77 ]; then
        cat "$folder.err"
    elif [ -n "$update" ]; then
        cp "$folder.txt" "$golden"
        code=0
    else
        # Messages of the shell (a killed job) are not part of the transcript; they are shown if it differs.
        code=0
        diff -u --label "$name: expected" --label "$name: got" "$golden" "$folder.txt" || { code=1 && cat "$folder.err"; }
    fi
    chmod -R u+w "$folder" 2> /dev/null
    rm -rf "$folder" "$folder.txt" "$folder.err"
    return $code
}

update=''
if [ "${1:-}" = --update ]; then
    update=yes
    shift
fi
[ $# -gt 0 ] || for file in "$here"/cases/*.sh; do
    name=${file##*/}
    set -- "$@" "${name%.sh}"
done
failed=0 skipped=0
for name in "$@"; do
    run_case "$name"
    case $? in
    0) ;;
    77) skipped=1 ;;
    *) failed=1 ;;
    esac
done
[ $failed -eq 0 ] || exit 1
# A single skipped case has the exit status that CTest expects.
if [ $# -eq 1 ] && [ $skipped -eq 1 ]; then exit 77; fi
exit 0
