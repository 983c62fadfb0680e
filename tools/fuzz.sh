#!/usr/bin/env bash
# Fuzzes each target of tests/fuzz for SECONDS_EACH (60), or RUNS inputs each. New inputs that reach new code are stored
# in build/fuzz/corpus; inputs that crash too, and are reported. Then the collections of tests/collections run.
set -u
cd "$(dirname "$0")/.." || exit 1
{ [ -f build/fuzz/build.ninja ] || cmake --preset fuzz > /dev/null; } && cmake --build --preset fuzz > /dev/null || exit 1
limit=(-max_total_time="${SECONDS_EACH:-60}")
[ -z "${RUNS:-}" ] || limit=(-runs="$RUNS")
status=0
export LSAN_OPTIONS=print_suppressions=0:suppressions=$PWD/tests/support/lsan.supp
for source in tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    corpus=build/fuzz/corpus/$name
    mkdir -p "$corpus"
    dictionary=() seeds=()
    [ ! -d "tests/fuzz/seeds/$name" ] || seeds=("tests/fuzz/seeds/$name")
    [ ! -f "tests/fuzz/$name.dict" ] || dictionary=(-dict="tests/fuzz/$name.dict")
    echo "== $name"
    "build/fuzz/$name" "${limit[@]}" "${dictionary[@]}" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="$corpus-" -print_final_stats=1 "$corpus" "${seeds[@]}" > "$corpus.log" 2>&1 ||
        { status=1 && tail -n 40 "$corpus.log"; }
    grep -E 'stat::number_of_executed_units|cov:' "$corpus.log" | tail -n 2
done

# The collections run the built command, each for its number of seconds, from SEED (1) on.
collection() {
    echo "== $1"
    python3 "tests/collections/$1.py" --seed "${SEED:-1}" --seconds "${SECONDS_EACH:-60}" "${@:2}" || status=1
}
{ [ -f build/release/build.ninja ] || cmake --preset release > /dev/null; } && cmake --build --preset release > /dev/null || exit 1
collection kills --rounds 1000000 --lives 4 --scale 2
echo "== wrong calls" && build/fuzz/test_calls --seconds "${SECONDS_EACH:-60}" "${SEED:-1}" || status=1
echo "== damaged files" # DAMAGED cases (2000) from SEED, under the sanitizers; the fuzz preset builds no unit tests
mkdir -p build/fuzz/corpus
{ [ -f build/sanitize/build.ninja ] || cmake --preset sanitize > /dev/null; } &&
    cmake --build --preset sanitize --target test_damaged > /dev/null || exit 1
ASAN_OPTIONS=allocator_may_return_null=1 build/sanitize/test_damaged "${DAMAGED:-2000}" "${SEED:-$RANDOM}" > build/fuzz/corpus/damaged.log 2>&1 || status=1
tail -n 5 build/fuzz/corpus/damaged.log
echo "== mutated scenes"
python3 tests/fuzz/test_mutated_scenes.py "${SCENES:-10000}" "${SEED:-0}" || status=1
exit $status
