#!/usr/bin/env bash
#SBATCH --job-name=grade
#SBATCH --array=1-8
#SBATCH --cpus-per-task=4
#SBATCH --mem=12G
#SBATCH --time=02:00:00
#
# Grades a class on a cluster, every N-th student in each of N jobs. In the workbook's folder:
#   sbatch tools/classroom/slurm.sh CLASS_FOLDER RESULTS_FOLDER [LESSON...]
#   ./grade export --from RESULTS_FOLDER/part-1.json --from ... --format csv --output marks.csv
# Build first, once, so that the jobs need not wait for each other: docs/teaching.md says how.
# Without Slurm it grades the whole class here.
set -eu
if (($# < 2)); then
  echo "usage: [sbatch] tools/classroom/slurm.sh CLASS_FOLDER RESULTS_FOLDER [LESSON...]" >&2
  exit 2
fi
class=$(realpath -- "$1")
mkdir -p -- "$2"
results=$(realpath -- "$2")
shift 2
# Slurm runs a copy of this script, so its own place tells nothing.
cd -- "${SLURM_SUBMIT_DIR:-$(dirname -- "${BASH_SOURCE[0]}")/../..}"
part=${SLURM_ARRAY_TASK_ID:-1}
exec ./grade export "$@" --dir "$class" --shard "$part/${SLURM_ARRAY_TASK_COUNT:-1}" \
  --jobs "${SLURM_CPUS_PER_TASK:-$(nproc)}" --format json --output "$results/part-$part.json"
