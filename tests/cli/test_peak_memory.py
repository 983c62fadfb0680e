"""Detects a peak memory in the summary that includes the memory of the process which started carom."""
import json
import os
import subprocess
import sys
import tempfile

HELD = 400 << 20

carom = os.path.join(os.environ["CAROM_BUILD"], "carom")
held = bytearray(os.urandom(4096)) * (HELD // 4096)
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([carom, "init", "gas", "-o", "gas.yaml"], cwd=folder, check=True, capture_output=True)
    done = subprocess.run([carom, "run", "gas.yaml", "--set", "run.until={time: 1e-3}", "--quiet", "--json", "-"], cwd=folder, check=True,
                          capture_output=True)
peak = json.loads(done.stdout)["peak_rss_bytes"]
print("%d bytes, started by a process that holds %d" % (peak, len(held)))
sys.exit(0 if 1 << 20 < peak < HELD // 2 else 1)
