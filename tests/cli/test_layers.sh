#!/usr/bin/env bash
# The rooms of src/ include only what the layering allows.
exec "$CAROM_SOURCE/tools/layers.sh"
