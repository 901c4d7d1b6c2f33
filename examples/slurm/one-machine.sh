#!/bin/sh
# Starts the Slurm of Debian (packages slurm-wlm and munge) on this machine alone, as root, to try the examples:
#   one-machine.sh [DIRECTORY FOR ITS STATE]
# It ends with `kill $(cat DIRECTORY/*.pid)`.
set -eu
state=${1:-/tmp/slurm}
cpus=$(nproc)
mkdir -p "$state/ctld" "$state/d" /run/munge
chown munge: /run/munge
[ -e /etc/munge/munge.key ] || mungekey --create
chown munge: /etc/munge/munge.key
munge -n > "$state/quiet" 2>&1 || su munge -s /bin/sh -c "munged"
cat > /etc/slurm/slurm.conf << CONF
ClusterName=one
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
StateSaveLocation=$state/ctld
SlurmdSpoolDir=$state/d
SlurmctldPidFile=$state/slurmctld.pid
SlurmdPidFile=$state/slurmd.pid
SlurmctldLogFile=$state/slurmctld.log
SlurmdLogFile=$state/slurmd.log
ReturnToService=2
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$cpus State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
slurmctld
slurmd
sinfo
