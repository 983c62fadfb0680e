#!/usr/bin/env bash
# Installs missing packages (Debian and Ubuntu; on other systems it lists them).
#   tools/setup.sh build   to build and run (the default)
#   tools/setup.sh wheel   and to make the Python package, which contains the libraries that carom uses
#   tools/setup.sh test    and to test
#   tools/setup.sh experiments  and to redo the validation and the experiments
#   tools/setup.sh site    and to build the site of the documentation
#   tools/setup.sh all     and to lint, fuzz, measure coverage, and read results with other programs
# If nothing is missing, it takes a moment and needs neither network nor root.
set -u

has_command() { command -v "$1" > /dev/null 2>&1; }
has_library() { has_command pkg-config && pkg-config --exists "$1"; }
has_header() { echo "#include <$1>" | "${CC:-cc}" -E - > /dev/null 2>&1; }
has_file() { [ -e "$1" ]; }
has_mpi() { has_command mpicc && echo "#include <$1>" | mpicc -x c -E - > /dev/null 2>&1; }
has_python() { has_command /usr/bin/python3 && /usr/bin/python3 -c "import importlib.util as u, sys; sys.exit(u.find_spec('$1') is None)"; }

need=() # packages that are missing
want() { # want PACKAGE CHECK ARGUMENT
    "$2" "$3" || need+=("$1")
}

build_needs() {
    want gcc has_command "${CC:-cc}"
    want libc6-dev has_header stdio.h
    want cmake has_command cmake
    want ninja-build has_command ninja
    want pkg-config has_command pkg-config
    want libyaml-dev has_library yaml-0.1
    want libhdf5-dev has_library hdf5
    want libcairo2-dev has_library cairo
    want zlib1g-dev has_library zlib
    want libjansson-dev has_library jansson
    want librandom123-dev has_header Random123/philox.h
}

wheel_needs() {
    want patchelf has_command patchelf
}

test_needs() {
    want check has_library check
    want python3-h5py has_python h5py
    want python3-yaml has_python yaml
    want python3-numpy has_python numpy
}

experiments_needs() {
    want python3-matplotlib has_python matplotlib
    want python3-pil has_python PIL
}

site_needs() {
    want python3-sphinx has_python sphinx
    want python3-myst-parser has_python myst_parser
    want furo has_python furo
    want python3-sphinx-copybutton has_python sphinx_copybutton
    want libjs-katex has_file /usr/share/javascript/katex/katex.js
    want nodejs has_command node
    want ffmpeg has_command ffmpeg
}

all_needs() {
    want clang has_command clang
    want clang-tidy has_command clang-tidy
    want clang-format has_command clang-format
    want cppcheck has_command cppcheck
    want lcov has_command lcov
    want valgrind has_command valgrind
    want man-db has_command man
    want libopenmpi-dev has_mpi mpi.h
    want openmpi-bin has_command mpirun
    want python3-vtk9 has_python vtkmodules
    want python3-ase has_python ase
    want python3-mdanalysis has_python MDAnalysis
    want python3-pandas has_python pandas
    want python3-scipy has_python scipy
    want python3-mpi4py has_python mpi4py
    want python3-nbclient has_python nbclient
    want python3-ipykernel has_python ipykernel
    want chromium has_command chromium
    want nodejs has_command node
    want npm has_command npm
}

collect() {
    need=()
    build_needs
    case $1 in
    build) ;;
    wheel) wheel_needs ;;
    test) wheel_needs && test_needs ;;
    experiments) wheel_needs && test_needs && experiments_needs ;;
    site) test_needs && site_needs ;;
    all) wheel_needs && test_needs && experiments_needs && site_needs && all_needs ;;
    *) echo "setup: unknown level '$1'; use build, wheel, test, experiments, site or all" >&2 && exit 64 ;;
    esac
}

install_packages() {
    local sudo=()
    if ! has_command apt-get; then
        echo "setup: this is not a Debian system; install what these Debian packages hold: $*" >&2
        return 1
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! has_command sudo; then
            echo "setup: missing packages; as root, run: apt-get install $*" >&2
            return 1
        fi
        sudo=(sudo)
    fi
    echo "setup: installing $*"
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
    "${sudo[@]}" "${apt[@]}" update &&
        "${sudo[@]}" "${apt[@]}" install -y --no-install-recommends "$@" > /dev/null
}

# The driver of the browser for tests/view; without it the tests of the page are skipped.
install_page_tests() {
    [ "$1" != all ] || [ -d build/web/node_modules/playwright-core ] || ! has_command npm && return
    mkdir -p build/web && cp web/package.json web/package-lock.json build/web/ &&
        npm ci --prefix build/web --no-audit --no-fund --silent > /dev/null 2>&1 ||
        echo "setup: npm could not get playwright-core; the page is not tested in a browser" >&2
}

cd "$(dirname "$0")/.." || exit 1
level=${1:-build}
collect "$level"
[ ${#need[@]} -eq 0 ] && { install_page_tests "$level"; exit 0; }
install_packages "${need[@]}" || { echo "setup: could not install: ${need[*]}" >&2 && exit 1; }
collect "$level"
[ ${#need[@]} -eq 0 ] || { echo "setup: still missing after the installation: ${need[*]}" >&2 && exit 1; }
install_page_tests "$level"
