"""Detects results that depend on interruptions: each example is interrupted twice and resumed, one round of kills.py."""
import os
import sys

import kills

quick = ["--scale", "0.2", "--lives", "1"] if os.environ.get("CAROM_SANITIZE") == "1" else []
sys.argv[1:] = quick
sys.exit(kills.main())
