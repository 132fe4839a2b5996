#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# python_examples.sh PYTHON [dask_slurm ray_workers submitit_slurm]: runs the examples of examples/clusters on a test cluster, and kills a
# worker of each in mid-run. By hand, because its packages are heavy:
#   python3 -m venv v && v/bin/pip install . 'dask[distributed]' dask-jobqueue ray submitit && tests/slurm/python_examples.sh v/bin/python
set -euo pipefail
python=$(realpath -s "${1:?a Python with summand, dask-jobqueue, ray and submitit}")
shift
here=$(cd "$(dirname "$0")" && pwd) folder=$(mktemp -d)
chmod 755 "$folder"
trap '"$here/cluster.sh" stop "$folder/cluster"; rm -rf "$folder"' EXIT
"$here/cluster.sh" start "$folder/cluster"
export SLURM_CONF=$folder/cluster/slurm.conf ACCIDENT=$folder/accident INTERFACE=lo
# submitit asks accounting how a job ended, and this cluster keeps none.
mkdir "$folder/bin"
printf '#!/bin/sh\necho "JobID|State|NodeList"\nexec squeue --noheader --states=all --format="%%A|%%T|%%N"\n' >"$folder/bin/sacct"
chmod +x "$folder/bin/sacct"
export PATH=$folder/bin:$PATH
cd "$folder"
for example in "${@:-dask_slurm ray_workers submitit_slurm}"; do
    for name in $example; do
        (sleep 8; touch "$ACCIDENT") &
        "$python" "$here/../../examples/clusters/$name.py"
        wait
        [ ! -e "$ACCIDENT" ] || { echo "$name: no worker was killed" >&2; exit 1; }
    done
done
