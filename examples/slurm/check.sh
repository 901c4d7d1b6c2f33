#!/bin/sh
# Shows, with the Slurm of this machine and with GNU parallel, that the shares joined are what one run writes, and that a
# task that was killed is simply run again:
#   check.sh GAMES.pdn [NODES]
# It needs soffio in the path, or in SOFFIO, and a directory that the machines share: SHARED, else one in the current.
set -eu
here=$(dirname "$0")
games=$(realpath "$1")
nodes=${2:-20000}
SOFFIO=${SOFFIO:-$(command -v soffio)}
export SOFFIO
work=$(mktemp -d "${SHARED:-$PWD}/analyze-XXXXXX")
trap 'rm -rf "$work"' EXIT
options="--no-times --nodes $nodes"

same() {
    cmp "$work/single.jsonl" "$1"
    echo "ok   $2: $(wc -l < "$1") records, the same as of the single run"
}

"$SOFFIO" analyze "$games" --json $options --out "$work/single.jsonl"

mkdir "$work/parallel"
"$here/parallel.sh" "$games" "$work/parallel" 3 $options
"$SOFFIO" merge "$work"/parallel/part-*.jsonl --out "$work/parallel.jsonl"
same "$work/parallel.jsonl" "GNU parallel, 3 shares"

mkdir "$work/slurm"
submit() {
    sbatch --parsable --output="$work/slurm/log-%a" "$@" "$here/analyze.sbatch" "$games" "$work/slurm" $options
}
submit --wait --array=1-2 > "$work/job"
"$SOFFIO" merge "$work/slurm/part-1.jsonl" "$work/slurm/part-2.jsonl" --out "$work/slurm.jsonl"
same "$work/slurm.jsonl" "Slurm, 2 tasks"

rm "$work"/slurm/part-*
job=$(submit --array=1-2)
begun() { [ -e "$work/slurm/part-2.jsonl" ] && [ "$(wc -l < "$work/slurm/part-2.jsonl")" -ge 20 ]; }
until begun; do sleep 0.05; done
scancel --signal=KILL "${job}_2"
while squeue --noheader --job "$job" 2> "$work/quiet" | grep -q .; do sleep 0.5; done
if "$SOFFIO" merge "$work"/slurm/part-1.jsonl "$work/slurm/part-2.jsonl" > "$work/none" 2> "$work/why"; then
    echo "FAIL an unfinished share was joined"
    exit 1
fi
echo "ok   killed after $(wc -l < "$work/slurm/part-2.jsonl") records, and merge says: $(sed "s|$work/||" "$work/why")"
PARTS=2 submit --wait --array=2 > "$work/job"
"$SOFFIO" merge "$work/slurm/part-1.jsonl" "$work/slurm/part-2.jsonl" --out "$work/again.jsonl"
same "$work/again.jsonl" "Slurm, the killed task run again"
