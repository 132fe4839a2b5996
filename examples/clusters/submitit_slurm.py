# SPDX-License-Identifier: Apache-2.0
"""One Slurm job for each call, by submitit: pip install submitit, then python submitit_slurm.py on a login node.

A job that was lost raises when its result is read, and summand issues the trial again. submitit's jobs are no futures of Python's, so a thread waits for
each. For many short trials `[run] executor = "slurm"` of a study file is lighter: an array for a batch, and no Python on the nodes.
"""
import concurrent.futures
import os

import simulation
import submitit

import summand


class SubmititExecutor(concurrent.futures.Executor):
    def __init__(self, jobs, at_once):
        self.jobs, self.threads = jobs, concurrent.futures.ThreadPoolExecutor(at_once)

    def submit(self, function, /, *arguments, **named):
        job = self.jobs.submit(function, *arguments, **named)
        return self.threads.submit(job.result)


if __name__ == "__main__":
    os.environ["PYTHONPATH"] = os.pathsep.join([os.path.dirname(os.path.abspath(__file__)), os.environ.get("PYTHONPATH", "")])
    jobs = submitit.SlurmExecutor(folder="submitit-jobs", max_num_timeout=0)
    jobs.update_parameters(time=30, use_srun=False)
    simulation.show(summand.minimize(simulation.simulate, simulation.SPACE, simulation.TRIALS, simulation.AT_ONCE,
                                     executor=SubmititExecutor(jobs, simulation.AT_ONCE)), "submitit on Slurm")
