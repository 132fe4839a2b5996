# SPDX-License-Identifier: Apache-2.0
"""Dask's workers as Slurm jobs: pip install dask-jobqueue, then python dask_slurm.py on a login node.

Dask starts the work of a worker that died again by itself, on another one.
"""
import os

import simulation
from dask_jobqueue import SLURMCluster
from distributed import Client

import summand

if __name__ == "__main__":
    with SLURMCluster(
        cores=1, processes=1, memory="500MB", walltime="00:30:00", interface=os.environ.get("INTERFACE"),
        job_script_prologue=[f"export PYTHONPATH={os.environ.get('PYTHONPATH', '')}:{os.path.dirname(os.path.abspath(__file__))}",
                             f"export ACCIDENT={os.environ.get('ACCIDENT', '')}"],
        job_directives_skip=["--mem"],
    ) as cluster, Client(cluster) as client:
        cluster.scale(jobs=simulation.AT_ONCE)
        simulation.show(summand.minimize(simulation.simulate, simulation.SPACE, simulation.TRIALS, simulation.AT_ONCE,
                                         executor=client.get_executor(retries=3)), "Dask on Slurm")
