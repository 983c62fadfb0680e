#!/usr/bin/env bash
# Runs the tests of the Python package with several interpreters, and the library of build/release (or CAROM_LIBRARY).
#   tools/python_matrix.sh                      with python3.9 and later on the search path and in pyenv
#   tools/python_matrix.sh PYTHON[:FOLDER]...   with these; FOLDER contains numpy for the interpreter
# An interpreter without numpy only compiles the package: this detects syntax that it does not know. CAROM_TIER selects tests as
# in python/tests/run.py (here quick, if it is not set).
set -u
cd "$(dirname "$0")/.." || exit 1
export CAROM_LIBRARY=${CAROM_LIBRARY:-$PWD/build/release/libcarom.so} CAROM_TIER=${CAROM_TIER:-quick}
export CAROM=${CAROM:-$PWD/build/release/carom} CAROM_SOURCE=${CAROM_SOURCE:-$PWD} PYTHONDONTWRITEBYTECODE=1
temporary=$(mktemp -d) || exit 1
trap 'rm -rf "$temporary"' EXIT

failed=0 seen=' '
interpreters=("$@")
if [ $# -eq 0 ]; then
    shopt -s nullglob
    for folder in ${PATH//:/ } "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin; do
        interpreters+=("$folder"/python3.[0-9] "$folder"/python3.[0-9][0-9])
    done
fi

compile='import glob, sys
for path in sorted(glob.glob("python/**/*.py", recursive=True) + glob.glob("packaging/wheel/*.py")):
    with open(path, encoding="utf-8") as file:
        compile(file.read(), path, "exec")'

for entry in "${interpreters[@]}"; do
    python=${entry%%:*}
    if [ "$entry" != "$python" ]; then # an environment, since tests start interpreters of their own
        rm -rf "$temporary/venv"
        "$python" -m venv --without-pip "$temporary/venv" || { failed=1 && continue; }
        echo "${entry#*:}" > "$(echo "$temporary"/venv/lib/python3*/site-packages)/numpy.pth"
        python=$temporary/venv/bin/python
    fi
    # A shim of pyenv for a version that is not selected does not run.
    version=$("$python" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3]) if sys.version_info >= (3, 9) else None' 2> /dev/null)
    case $version in '' | None) continue ;; esac
    real=$("$python" -c 'import os, sys; print(os.path.realpath(sys.executable))')
    case $seen in *" $real "*) continue ;; esac
    seen="$seen$real "
    numpy=$("$python" -c 'import numpy; print(numpy.__version__)' 2> /dev/null)
    if ! "$python" -c "$compile" > "$temporary/log" 2>&1; then
        result='does not compile'
    elif [ -z "$numpy" ]; then
        echo "Python $version without numpy: compiles"
        continue
    elif "$python" python/tests/run.py > "$temporary/log" 2>&1; then
        echo "Python $version with numpy $numpy: $(tail -n 1 "$temporary/log")"
        continue
    else
        result='tests fail'
    fi
    tail -n 60 "$temporary/log"
    echo "Python $version with numpy ${numpy:-missing}: $result ($real)"
    failed=1
done
[ "$seen" != ' ' ] || { echo 'no interpreter found'; failed=1; }
exit $failed
