#!/usr/bin/env bash
# Detects includes between modules of src/ that the layering forbids.
exec "$CAROM_SOURCE/tools/layers.sh"
