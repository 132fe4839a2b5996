#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A Slurm cluster of several nodes on this machine, for tests: everything it writes lies in one folder, everything listens on
# loopback, and stopping it ends what it started and nothing else.
#   cluster.sh start FOLDER [NODES] [CPUS] [SETTING=VALUE ...]    default: 4 nodes of 2 CPUs; FOLDER/slurm.conf is what SLURM_CONF must name
#   cluster.sh stop FOLDER
#   cluster.sh kill FOLDER controller|NODE     SIGKILL, as a power failure would; jobs of a node go on
#   cluster.sh revive FOLDER controller|NODE
# Needs slurmctld, slurmd, slurm-client and munge (Debian packages). Where they are missing, start says so and succeeds: the
# tests then skip.
set -euo pipefail
action=${1:?start, stop, kill or revive} folder=$(realpath -m "${2:?a folder}")
export SLURM_CONF=$folder/slurm.conf
PATH=$PATH:/usr/sbin:/sbin

# Daemons write their numbers themselves; one that was killed leaves a number that may belong to another process by now.
is_ours() { [ -s "$1" ] && tr '\0' ' ' 2>/dev/null <"/proc/$(cat "$1")/cmdline" | grep -qF "$folder"; } 2>/dev/null

end() {  # PIDFILE SIGNAL
    is_ours "$1" || return 0
    local pid; pid=$(cat "$1")
    kill "-$2" "$pid" 2>/dev/null || return 0
    for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || return 0; sleep 0.05; done
    kill -KILL "$pid" 2>/dev/null || true
}

pid_file() { if [ "$1" = controller ]; then echo "$folder/controller.pid"; else echo "$folder/node-$1.pid"; fi; }

launch() {
    if [ "$1" = controller ]; then slurmctld -f "$SLURM_CONF" </dev/null
    else slurmd -N "$1" -f "$SLURM_CONF" </dev/null; fi
}

# Jobs outlive their slurmd: their slurmstepd listens on a socket in its spool folder.
end_orphans() {
    local socket pid child
    for socket in "$folder"/spool-*/*_*; do
        [ -S "$socket" ] || continue
        for pid in $(ss -xlpH 2>/dev/null | grep -F " $socket " | sed -n 's/.*"slurmstepd",pid=\([0-9]*\).*/\1/p' | sort -u); do
            for child in $(pgrep -P "$pid" || true); do kill -KILL "$child" 2>/dev/null || true; done
            kill -KILL "$pid" 2>/dev/null || true
        done
    done
}

stop() {
    local file
    if is_ours "$folder/controller.pid"; then
        timeout 5 scancel --user="$(id -u)" 2>/dev/null || true
        for _ in $(seq 50); do
            [ -z "$(timeout 5 squeue --noheader --states=running,completing 2>/dev/null)" ] && break
            sleep 0.1
        done
    fi
    for file in "$folder"/node-*.pid "$folder/controller.pid" "$folder/munged.pid"; do end "$file" TERM; done
    end_orphans
}

free_port() {  # the first of a row of ports nobody listens on
    local port
    for _ in $(seq 100); do
        port=$((20000 + RANDOM % 10000))
        ss -tlnH "( sport >= :$port and sport <= :$((port + $1)) )" | grep -q . || { echo "$port"; return; }
    done
    echo "cluster.sh: no free ports between 20000 and 30000" >&2
    exit 1
}

write_configuration() {
    local nodes=$1 cpus=$2 host port memory
    host=$(hostname -s) port=$(free_port "$1") memory=$(awk '/MemTotal/ {print int($2 / 1024)}' /proc/meminfo)
    cat <<CONF
ClusterName=summand
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/controller.pid
SlurmdPidFile=$folder/node-%n.pid
SlurmctldLogFile=$folder/log/controller.log
SlurmdLogFile=$folder/log/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,default_queue_depth=2000,sched_min_interval=0
ReturnToService=2
MinJobAge=300
FirstJobId=1
MaxArraySize=10001
MaxJobCount=20000
KillWait=1
OverTimeLimit=0
SlurmctldTimeout=20
SlurmdTimeout=20
EnforcePartLimits=ALL
DebugFlags=NO_CONF_HASH
CONF
    for i in $(seq "$nodes"); do
        echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + i)) CPUs=$cpus RealMemory=$memory State=UNKNOWN"
    done
    echo "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1"
    echo "PartitionName=urgent Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=2"  # preempts jobs of main
}

start() {
    local nodes=${1:-4} cpus=${2:-2} program
    for program in slurmctld slurmd sbatch munged ss; do
        command -v "$program" >/dev/null ||
            { echo "no Slurm cluster was started: $program is missing (apt-get install slurmctld slurmd slurm-client munge iproute2); its tests will skip"; exit 0; }
    done
    [ -d "$folder" ] && stop
    rm -rf "$folder"
    mkdir -p "$folder"/state "$folder"/log
    chmod 755 "$folder"
    (umask 077; head -c 128 /dev/urandom >"$folder/munge.key")
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
        --log-file="$folder/log/munged.log" --seed-file="$folder/munge.seed" --num-threads=2
    write_configuration "$nodes" "$cpus" >"$SLURM_CONF"
    printf '%s\n' "${@:3}" >>"$SLURM_CONF"
    launch controller
    for i in $(seq "$nodes"); do mkdir -p "$folder/spool-n$i"; launch "n$i"; done
    for _ in $(seq 300); do
        [ "$(timeout 5 sinfo --noheader --Node --states=idle --format=%N 2>/dev/null | sort -u | wc -l)" = "$nodes" ] &&
            { echo "a Slurm cluster of $nodes nodes is up: export SLURM_CONF=$SLURM_CONF"; exit 0; }
        sleep 0.1
    done
    echo "cluster.sh: the nodes did not come up; see $folder/log" >&2
    tail -n 5 "$folder"/log/*.log >&2
    stop
    exit 1
}

revive() {
    is_ours "$(pid_file "$1")" && return
    # A controller that was killed has forgotten its latest jobs and would give their numbers to others; nodes that still
    # know them are then drained ("Duplicate jobid"). An administrator lets the numbers begin higher up.
    [ "$1" = controller ] && sed -i -E 's/^FirstJobId=(.*)/echo "FirstJobId=$((\1 + 10000))"/e' "$SLURM_CONF"
    launch "$1"
}

case $action in
start) start "${@:3}" ;;
stop) stop ;;
kill) end "$(pid_file "${3:?controller or a node}")" KILL ;;
revive) revive "${3:?controller or a node}" ;;
*) echo "cluster.sh: \"$action\" is unknown; start, stop, kill and revive are known" >&2; exit 2 ;;
esac
