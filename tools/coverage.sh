#!/usr/bin/env bash
# Lines of src/ and cli/ that the tests execute.
set -u
cd "$(dirname "$0")/.." || exit 1
{ [ -f build/coverage/build.ninja ] || cmake --preset coverage > /dev/null; } && cmake --build --preset coverage > /dev/null || exit 1
lcov --quiet --directory build/coverage --zerocounters
ctest --test-dir build/coverage -j "$(nproc)" > build/coverage/test.log || echo "coverage: some tests failed, see build/coverage/test.log"
lcov --quiet --directory build/coverage --capture --output-file build/coverage/all.info 2> /dev/null &&
    lcov --quiet --extract build/coverage/all.info "$PWD/src/*" "$PWD/cli/*" --output-file build/coverage/carom.info 2> /dev/null &&
    lcov --list build/coverage/carom.info
