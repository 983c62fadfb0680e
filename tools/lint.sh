#!/usr/bin/env bash
# Static checks: formatting, permitted includes of modules, warnings of clang, cppcheck, clang-tidy. No output without faults.
# `tools/lint.sh deep`: clang's analyzer follows calls and all paths (five times the time of clang-tidy).
set -u
cd "$(dirname "$0")/.." || exit 1
status=0
fail() {
    echo "lint: $1"
    status=1
}

# New files are checked before they are added.
mapfile -t sources < <(git ls-files -co --exclude-standard '*.c' '*.h')
clang-format --dry-run -Werror "${sources[@]}" || fail "formatting: run 'make format'"
tools/layers.sh || fail "layers"
bash -n tools/*.sh tests/cli/*.sh tests/cli/cases/*.sh .ci/run || fail "shell syntax"

cmake --preset clang > /dev/null || fail "no clang build"
cmake --build --preset clang --target carom_generated > /dev/null
sed -nE 's/^ *"command": "(.*)",$/\1/p' build/clang/compile_commands.json |
    sed -E 's/\\(.)/\1/g; s/ -o [^ ]+ -c / -fsyntax-only -Werror /' | sort -u | tr '\n' '\0' |
    xargs -0 -P "$(nproc)" -n 1 bash -c || fail "warnings of clang"

cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -j "$(nproc)" --suppressions-list=tools/cppcheck.txt \
    -I include -I src -I tests -D__x86_64__ -DCAROM_DIM=3 -DCAROM_REAL=0 -DCAROM_ROTATING=1 --enable=warning,portability src cli || fail "cppcheck"

# Each kernel is compiled in several variants; one of them is checked.
mkdir -p build/lint
awk 'BEGIN { RS = "}[,\n]*"; printf "[" }
     match($0, /"file": "[^"]*"/) && !seen[substr($0, RSTART, RLENGTH)]++ { printf "%s%s}", (n++ ? "," : ""), substr($0, index($0, "{")) }
     END { print "]" }' build/clang/compile_commands.json > build/lint/compile_commands.json
# Files that a translation unit includes are checked as parts of it.
mapfile -t tidied < <(git ls-files -co --exclude-standard 'src/*.c' 'cli/*.c' | while read -r file; do
    grep -q "/$file\"" build/lint/compile_commands.json && echo "$file"
done)
analyzer=(--extra-arg={-Xclang,-analyzer-config,-Xclang,mode=shallow})
[ "${1-}" != deep ] || analyzer=()
if [ ${#tidied[@]} -gt 0 ]; then
    printf '%s\n' "${tidied[@]}" |
        xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build/lint "${analyzer[@]}" 2> /dev/null || fail "clang-tidy"
fi
exit $status
