#!/usr/bin/env bash
# Detects a worked example of a boundary (docs/extending/boundary.md) that no longer applies, or touches more than eight files.
set -u
cd "$CAROM_SOURCE" || exit 1
command -v git > /dev/null || { echo "skipped: no git" && exit 77; }
patch=docs/extending/boundary.patch
git apply --check "$patch" || exit 1
files=$(git apply --numstat "$patch" | wc -l)
echo "$patch: $files files"
[ "$files" -le 8 ]
