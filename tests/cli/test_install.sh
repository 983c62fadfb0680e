#!/usr/bin/env bash
# Detects files missing from an installation: the test uses command, header, library, pkg-config and CMake package from an
# otherwise empty folder.
set -u
[ "${CAROM_SANITIZE:-0}" = 0 ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
check() { # check NAME COMMAND...
    local name=$1
    shift
    if "$@" > "$work/output" 2>&1; then
        echo "$name: yes"
    else
        echo "$name: NO ($*)"
        cat "$work/output"
        failed=1
    fi
}

prefix="$work/a prefix"
check 'it installs' cmake --install "$CAROM_BUILD" --prefix "$prefix"
for file in bin/carom include/carom/carom.h lib/libcarom.so lib/pkgconfig/carom.pc lib/cmake/carom/caromConfig.cmake \
    share/man/man1/carom.1 share/bash-completion/completions/carom share/zsh/site-functions/_carom \
    share/fish/vendor_completions.d/carom.fish; do
    check "$file is there" test -s "$prefix/$file"
done
check 'the command runs from where it is' "$prefix/bin/carom" --version
# The absolute symbol is the name of the version.
check 'the library shows its interface only' bash -c \
    '! nm -D --defined-only "$1" | awk "\$2 != \"A\" { print \$3 }" | grep -v "^carom_"' - "$prefix/lib/libcarom.so"
check 'every function of the header is in it' bash -c \
    'grep -oE "carom_[a-z_]+\(" "$1/include/carom/carom.h" | tr -d "(" | sort -u | while read -r name; do
        nm -D --defined-only "$1/lib/libcarom.so" | grep -qw "$name" || { echo "$name"; exit 1; }; done' - "$prefix"

scene=$CAROM_SOURCE/examples/newtons-cradle.yaml
# pkg-config escapes a blank in the prefix: hence eval.
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
check 'pkg-config builds the example' bash -c \
    'eval "${CC:-cc} -Wall -Wextra -Werror $(pkg-config --cflags carom) \"$1\" -o \"$2\" $(pkg-config --libs carom)"' - \
    "$CAROM_SOURCE/examples/embed/gas.c" "$work/gas"
check 'it runs a scene' bash -c 'LD_LIBRARY_PATH="$1" "$2" "$3" | tee "$4"; exit "${PIPESTATUS[0]}"' - \
    "$prefix/lib" "$work/gas" "$scene" "$work/said"
check 'and says how it ended' grep -qE '^carom [0-9.]+: 5 particles at time [0-9.]+, stopped by (no_events|time)$' "$work/said"
check 'CMake finds the package' cmake -S "$CAROM_SOURCE/examples/embed" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix"
check 'CMake builds the example' cmake --build "$work/build"
check 'it runs, too' bash -c '"$1" "$2" | cmp - "$3"' - "$work/build/gas" "$scene" "$work/said"
check 'a potential of its own, too' bash -c '"$1" | tee "$2"; exit "${PIPESTATUS[0]}"' - "$work/build/trap" "$work/trap said"
check 'and its energy stays' grep -qE ': 16\.02[0-9]* at the start, 16\.0[0-9]* at time 20$' "$work/trap said"
check 'collisions as they happen, too' bash -c '"$1" "$2" 50 | grep -q "^50 collisions"' - "$work/build/events" "$CAROM_SOURCE/examples/billiard-2d.yaml"
if command -v c++ > /dev/null; then
    echo '#include <carom/carom.h>' > "$work/header.cpp"
    check 'C++ reads the header' c++ -Wall -Werror -fsyntax-only "-I$prefix/include" "$work/header.cpp"
fi
check 'nothing is written in the working folder' bash -c 'cd "$1" && mkdir empty && cd empty && LD_LIBRARY_PATH="$2/lib" ../gas "$3" && test -z "$(ls)"' - \
    "$work" "$prefix" "$scene"
exit $failed
