#!/usr/bin/env bash
# Detects transports over MPI that mix up messages, or hang or end without a reason after the loss of a rank.
set -u
ranks=$CAROM_BUILD/mpi_ranks
[ -e "$ranks" ] || { echo 'skipped: this carom was built without MPI' && exit 77; }
command -v mpirun > /dev/null || { echo 'skipped: there is no mpirun' && exit 77; }
[ "${CAROM_SANITIZE:-0}" = 0 ] || { echo 'skipped: MPI itself does not pass the sanitizers' && exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
timeout 60 mpirun -n 2 true > /dev/null 2>&1 || { echo 'skipped: mpirun does not work here' && exit 77; }
status=0
# check WHAT STATUS PATTERN NUMBER COMMAND...: the exit status, and the number of lines with the pattern.
check() {
    local what=$1 wanted=$2 pattern=$3 number=$4 out code found
    shift 4
    out=$(timeout 120 "$@" 2>&1)
    code=$?
    found=$(grep -cE "$pattern" <<< "$out")
    if [ $code = "$wanted" ] && [ "$found" = "$number" ]; then
        echo "ok: $what"
    else
        echo "FAILED: $what: status $code, $found lines with '$pattern'" && echo "$out" && status=1
    fi
}
check 'without mpirun' 0 '^rank 0 of 1: 0 messages' 1 "$ranks"
for n in 1 2 3 4; do
    check "$n processes" 0 "^rank [0-3] of $n: " "$n" mpirun -n $n "$ranks" "$n" 300
done
for rank in 0 1; do
    check "rank $rank abandons the run" 65 "^rank [0-2]: status 65: error: (rank $rank .*: )?no more" 3 \
        mpirun -n 3 "$ranks" $rank abandon
done
check 'rank 1 is killed' 137 '^rank 0: status 74: error: (rank [12] .*: )?rank [12] of 3 .* has ended' 1 \
    mpirun -n 3 "$ranks" 1 die
check 'rank 0 is killed' 137 '^rank 0: ' 0 mpirun -n 3 "$ranks" 0 die
# A launcher of which the library knows nothing.
check 'another MPI' 64 'status 64: error: .* started 3 processes, of which Open MPI' 1 \
    env PMI_SIZE=3 PMI_RANK=1 "$ranks"
exit $status
