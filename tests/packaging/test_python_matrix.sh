#!/usr/bin/env bash
# Detects code of the Python package that an interpreter from 3.9 on, other than the one of the other tests, does not run.
[ "${CAROM_SANITIZE:-0}" = 0 ] || exit 77
CAROM_TIER=quick CAROM_LIBRARY=$CAROM_BUILD/libcarom.so "$CAROM_SOURCE/tools/python_matrix.sh"
