# SPDX-License-Identifier: Apache-2.0
"""clusters.py dask|ray|submitit: summand.minimize on the workers of a cluster, one of which is killed in mid-run.

    pip install . dask-jobqueue ray submitit
    python examples/python/clusters.py dask          # dask-jobqueue and submitit: where sbatch works; ray: anywhere

Any executor of concurrent.futures will do. Dask has one; those for Ray and submitit are a few lines below.
"""

import os
import pathlib
import signal
import sys
import tempfile
import threading
import time
from concurrent.futures import Executor, Future

import summand

SHARED = pathlib.Path(tempfile.mkdtemp(prefix="summand-example-", dir=pathlib.Path.cwd()))  # the nodes must see it


class Objective:
    """A function whose very first evaluation kills its own worker: nothing is lost by that."""

    def __init__(self, folder):
        self.folder = str(folder)

    def __call__(self, parameters):
        try:
            os.close(os.open(os.path.join(self.folder, "killed"), os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return (parameters["x"] - 0.3) ** 2 + parameters["y"] ** 2
        os.kill(os.getpid(), signal.SIGKILL)


class RayExecutor(Executor):
    """Ray's tasks as futures. max_retries = 0: summand issues a lost trial again itself, and counts."""

    def submit(self, fn, /, *args, **kwargs):
        import ray

        return ray.remote(max_retries=0)(fn).remote(*args, **kwargs).future()


class SubmititExecutor(Executor):
    """Jobs of submitit as futures: one thread looks after them all."""

    def __init__(self, executor):
        self.executor, self.jobs, self.lock = executor, {}, threading.Lock()
        threading.Thread(target=self._watch, daemon=True).start()

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        with self.lock:
            self.jobs[self.executor.submit(fn, *args, **kwargs)] = future
        return future

    def _watch(self):
        while True:
            with self.lock:
                done = [job for job in self.jobs if job.done()]
            for job in done:
                future = self.jobs.pop(job)
                error = job.exception()
                future.set_exception(error) if error else future.set_result(job.result())
            time.sleep(0.5)


def dask_executor():
    from dask.distributed import Client
    from dask_jobqueue import SLURMCluster

    cluster = SLURMCluster(cores=1, memory="500MB", walltime="00:10:00", interface="lo", python=sys.executable,
                           log_directory=str(SHARED / "dask"), scheduler_options={"dashboard_address": None})  # fmt: skip
    cluster.adapt(minimum_jobs=2, maximum_jobs=4)  # a killed worker's job is submitted again
    return Client(cluster).get_executor()


def ray_executor():
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)  # ray.init("auto") on a running cluster
    return RayExecutor()


def submitit_executor():
    import submitit

    executor = submitit.AutoExecutor(folder=SHARED / "submitit", cluster="slurm")
    executor.update_parameters(timeout_min=10, cpus_per_task=1)
    return SubmititExecutor(executor)


if __name__ == "__main__":
    kinds = {"dask": dask_executor, "ray": ray_executor, "submitit": submitit_executor}
    if len(sys.argv) != 2 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    space = {"x": (-2.0, 2.0), "y": (-2.0, 2.0)}
    result = summand.minimize(Objective(SHARED), space, trials=16, batch_size=4, seed=1, executor=kinds[sys.argv[1]]())
    assert (SHARED / "killed").exists()
    print(f"{sys.argv[1]}: {len(result.trials)} trials, best {result.best.value:.3g} at {result.best.parameters}")
    sys.stdout.flush()
    os._exit(0)  # the schedulers of Dask and Ray have threads of their own
