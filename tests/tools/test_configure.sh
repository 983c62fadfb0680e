#!/usr/bin/env bash
# Detects a configuration that fails if mpicc lacks the headers it names (Debian's openmpi-bin without libopenmpi-
# dev), or that does not recover when they are installed. It works in temporary folders.
set -u
temporary=$(mktemp -d) || exit 1
trap 'rm -rf "$temporary"' EXIT
bin=$temporary/bin include=$temporary/openmpi/include build=$temporary/build
mkdir "$bin" || exit 1
status=0
check() { # check WHAT COMMAND...
    local what=$1
    shift
    if "$@"; then echo "ok: $what"; else echo "FAILED: $what" && status=1; fi
}

cat > "$bin/mpicc" << END
#!/bin/sh
compile="-I$include -I$include/openmpi" link="-L$temporary/openmpi/lib -lm"
case "\$*" in
*showme:compile*) echo "\$compile" ;;
*showme:link*) echo "\$link" ;;
*showme:incdirs*) echo "$include" ;;
*showme:libdirs*) echo "$temporary/openmpi/lib" ;;
*show*) echo "cc \$compile \$link" ;;
*) exec cc \$compile "\$@" \$link ;;
esac
END
printf '#!/bin/sh\nexit 1\n' > "$bin/mpiexec" # FindMPI looks for mpicc beside it
chmod +x "$bin/mpicc" "$bin/mpiexec"

configure() {
    PATH=$bin:$PATH cmake -S "$CAROM_SOURCE" -B "$build" -G Ninja -DCAROM_TESTS=OFF > "$temporary/log" 2>&1 ||
        { cat "$temporary/log" && return 1; }
}
no_library() { ! grep -q 'cli/mpi/team' "$build/build.ninja"; }
with_library() { grep -q 'cli/mpi/team' "$build/build.ninja"; }

check "mpicc without headers: configures" configure
check "mpicc without headers: says that there is no MPI" grep -q '^-- No MPI: ' "$temporary/log"
check "mpicc without headers: nothing of MPI is built" no_library

mkdir -p "$include/openmpi" "$temporary/openmpi/lib"
cat > "$include/mpi.h" << 'END'
#define MPI_VERSION 3
#define MPI_SUBVERSION 1
static inline int MPI_Init(int *count, char ***words) { return !count || !words; }
static inline int MPI_Finalize(void) { return 0; }
END
check "mpicc with headers, in the same folder: configures" configure
check "mpicc with headers: the library for mpirun is built" with_library
exit $status
