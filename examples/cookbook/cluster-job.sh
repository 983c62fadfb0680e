#!/bin/bash
#SBATCH --job-name=carom
#SBATCH --array=1-4
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
# A minute before the limit the sweep receives SIGTERM, writes checkpoints and ends with 75; the requeued job continues.
carom sweep "${1:-examples/cookbook/cluster-job.yaml}" -o "${2:-cluster-job}" --jobs 1 --shard "$SLURM_ARRAY_TASK_ID/4" &
sweep=$!
trap 'kill -TERM $sweep' TERM
wait $sweep
code=$?
if [ $code -gt 128 ]; then wait $sweep; code=$?; fi
if [ $code -eq 75 ]; then scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"; fi
exit $code
