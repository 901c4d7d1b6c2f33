#!/bin/sh
# The same with GNU parallel, on this machine or with --sshlogin on others that share the directory:
#   parallel.sh GAMES.pdn DIRECTORY PARTS [OPTIONS OF soffio analyze]
# Run again, it goes on with what was cut off.
set -eu
games=$1
directory=$2
parts=$3
shift 3
seq "$parts" | parallel "${SOFFIO:-soffio}" analyze "$games" --json --threads 1 --shard "{}/$parts" --resume \
    --out "$directory/part-{}.jsonl" "$@"
