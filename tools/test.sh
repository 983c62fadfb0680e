#!/usr/bin/env bash
# Builds and runs the tests: the quick tier with the release build; (`tools/test.sh all`) all tests with the release
# build and all but tests/physics under the sanitizers; or (`tools/test.sh ci`) all but the slow ones with the release
# build and those, without tests/physics and heavy ones, under the sanitizers. CONTRIBUTING.md lists the tiers. The last line is 'N passed, N failed', in test cases; the exit status is 0 if none failed.
set -u
cd "$(dirname "$0")/.." || exit 1
tier=${1:-quick}
jobs=$(nproc 2> /dev/null || echo 2)
passed=${CAROM_PASSED:-0} failed=${CAROM_FAILED:-0} # of checks that were made before

# Counts the cases in a verbose CTest log: those that Check reports for an executable, otherwise one for the executable.
count_cases='
/^[0-9]+: .*[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+/ {
    id = $1; sub(/:.*/, "", id)
    line = $0; gsub(/[^0-9 ]/, "", line); n = split(line, f, " ")
    checks[id] += f[n - 2]; bad[id] += f[n - 1] + f[n]
}
/^ *[0-9]+\/[0-9]+ Test +#[0-9]+:/ {
    id = $0; sub(/^[^#]*#/, "", id); sub(/:.*/, "", id)
    if ($0 ~ /\*\*\*Skipped/) next
    good = ($0 ~ / Passed /)
    if (checks[id] > 0) { pass += checks[id] - bad[id]; fail += bad[id] }
    else if (good) pass++
    if (!good && bad[id] == 0) fail++
}
END { print pass + 0, fail + 0 }'

# tell_failed PRESET LOG: the end of the output of each failed test.
tell_failed() {
    local id
    for id in $(sed -nE '/Passed|Skipped/!s/^ *[0-9]+\/[0-9]+ Test +#([0-9]+):.*/\1/p' "$2"); do
        echo "---- failed ($1): $(grep -m 1 -E "^ *[0-9]+/[0-9]+ Test +#$id:" "$2")"
        sed -nE "s/^$id: //p" "$2" | sed '1,/^Test timeout computed/d' | tail -n 40
    done
}

# run_preset PRESET TARGET [CTEST-ARGUMENT...]
run_preset() {
    local preset=$1 target=$2 log=build/$1/test.log build_log=build/$1.log
    shift 2
    echo "== $preset"
    # Configures each time: packages installed since then can enable more tests.
    if ! { cmake --preset "$preset" > "$build_log" &&
        cmake --build --preset "$preset" -j "$jobs" --target "$target" > "$build_log"; }; then
        cat "$build_log"
        rm -f "$build_log"
        echo "the $preset build failed"
        failed=$((failed + 1))
        return
    fi
    grep -E "warning:" "$build_log"
    rm -f "$build_log"
    ctest --test-dir "build/$preset" -V -j "$jobs" "$@" 2>&1 | tee "$log" | grep --line-buffered -E '^ *[0-9]+/[0-9]+ Test '
    tell_failed "$preset" "$log" | tee -a build/test.failed
    local counts
    read -r -a counts <<< "$(awk "$count_cases" "$log")"
    [ "${counts[0]}" -gt 0 ] || counts[1]=$((counts[1] + 1)) # nothing ran: that is a failure too
    echo "$preset: ${counts[0]} passed, ${counts[1]} failed"
    passed=$((passed + counts[0]))
    failed=$((failed + counts[1]))
}

mkdir -p build
rm -f build/test.summary build/test.failed
if [ "$tier" = all ]; then
    run_preset release all
    run_preset sanitize all -LE '^physics$'
elif [ "$tier" = ci ]; then
    run_preset release all -LE '^slow$'
    run_preset sanitize quick_tests -LE '^(physics|slow|heavy)$'
else
    run_preset release quick_tests -LE '^long$'
fi
# Repeats the failures, since the start of a long log may be lost.
if [ -s build/test.failed ]; then tail -n 60 build/test.failed; fi
if [ "$tier" != all ]; then
    more=$(ctest --test-dir build/release -N -L '^long$' 2> /dev/null | sed -n 's/^Total Tests: //p')
    echo "make test-all runs ${more:-some} more tests, and all but tests/physics under the sanitizers"
fi
echo "$passed passed, $failed failed" | tee build/test.summary
[ "$failed" -eq 0 ]
