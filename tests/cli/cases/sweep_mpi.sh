# Detects sweeps under mpirun whose tables differ from those of one process.
command -v mpirun > /dev/null || skip 'there is no mpirun'
[ -e "$(dirname "$CAROM")/libcarom_mpi.so" ] || skip 'this carom was built without MPI'
[ "${CAROM_SANITIZE:-0}" = 0 ] || skip 'MPI itself does not pass the sanitizers'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
timeout 60 mpirun -n 2 true > /dev/null 2>&1 || skip 'mpirun does not work here'
a_scene 32 2 > gas.yaml
a_sweep > sweep.yaml
try sweep sweep.yaml -o whole -q
# many ARGUMENT... : three processes; mpirun's own words are left out.
many() {
    timeout 120 mpirun -n 3 "$CAROM" "$@" > out 2> messages
    echo "mpirun carom $*: $?"
}
many sweep sweep.yaml -o parts
grep 'ended' messages
expect 'the same rows' cmp whole/runs.csv parts/runs.csv
expect 'the same table' cmp whole/table.csv parts/table.csv
expect 'all have worked' test "$(cat parts/rows-[123]of3.jsonl | wc -l)" = 15
# Rows of a sweep with another number of processes are used.
head -n 2 parts/rows-1of3.jsonl > rows && mv rows parts/rows-1of3.jsonl
rm parts/*.csv
many sweep sweep.yaml -o parts -q --jobs 2
expect 'the same rows' cmp whole/runs.csv parts/runs.csv
many sweep none.yaml
grep -c 'cannot be opened' messages
many sweep sweep.yaml --shard 1/2
# mpirun may put what several processes say into one line.
expect 'it says why' grep -q 'under mpirun the runs are already distributed; leave out --shard' messages
many sweep sweep.yaml -o parts --dry-run
wc -l < out
