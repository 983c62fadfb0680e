#!/usr/bin/env bash
# Checks a wheel on a bare Debian: check_in_chroot.sh SUITE WHEEL. As root: makes the system in build/chroot/SUITE by debootstrap, with
# Python, numpy and venv only, installs the wheel there, draws colliding spheres and runs the quick tests of the package.
set -eu
[ $# -eq 2 ] || { echo "usage: packaging/check_in_chroot.sh SUITE WHEEL (suites: bookworm, trixie, ...)" >&2; exit 64; }
suite=$1 wheel=$(realpath "$2")
cd "$(dirname "$0")/.."
[ "$(id -u)" -eq 0 ] || { echo "check_in_chroot: chroot needs root" >&2; exit 77; }
root=$PWD/build/chroot/$suite
if [ ! -x "$root/usr/bin/python3" ]; then
    rm -rf "$root" && mkdir -p "$root"
    debootstrap --variant=minbase --include=python3,python3-numpy,python3-venv "$suite" "$root" > "$root.log" ||
        { tail -n 5 "$root.log" && exit 1; }
fi
# The tests read files of the checkout, but import the installed package.
rm -rf "$root/check" && mkdir -p "$root/check"
git ls-files -z ':!python/carom/[!_]*' ':!python/carom/__*' ':!docs/pictures' ':!docs/figures' | tar -c --null -T - | tar -x -C "$root/check"
cp "$wheel" "$root/check"

cat > "$root/check/spheres.py" << 'END'
import carom
sim = carom.Simulation(carom.Scene.starter("gas"), output="gas.h5", force=True)
sim.run(time=12)
carom.render(sim, "spheres.png")
sim.close()
END
cat > "$root/check/check.sh" << 'END'
set -e
cd /check
! ldconfig -p | grep -E 'libhdf5|libyaml|libcairo|libfontconfig'
python3 -m venv --system-site-packages venv
venv/bin/pip install --quiet --no-index carom-*.whl
venv/bin/python --version
venv/bin/python -c 'import numpy; print("numpy", numpy.__version__)'
venv/bin/python spheres.py
head -c 8 spheres.png | grep -q PNG
venv/bin/carom plot gas.h5 -o energy.svg --force
PYTHONDONTWRITEBYTECODE=1 CAROM_TIER=quick CAROM_SOURCE=/check CAROM=/check/venv/lib/$(ls venv/lib)/site-packages/carom/lib/carom \
    venv/bin/python python/tests/run.py > log 2>&1 || { grep -E "^(ERROR|FAIL): " log; tail -n 30 log; exit 1; }
tail -n 1 log
END
# /proc is needed by tests that look at their own process.
mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT
chroot "$root" bash /check/check.sh
