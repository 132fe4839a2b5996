# SPDX-License-Identifier: Apache-2.0
"""Ray's workers, here or on a Ray cluster: pip install ray, then python ray_workers.py (RAY_ADDRESS names a running cluster).

Ray has no executor of its own that Python's other libraries know, so here is one. Ray is told not to repeat the work of a worker that died: summand issues
the trial again, and counts how often.
"""
import concurrent.futures

import ray
import simulation

import summand


class RayExecutor(concurrent.futures.Executor):
    def submit(self, function, /, *arguments, **named):
        return ray.remote(max_retries=0)(function).remote(*arguments, **named).future()


if __name__ == "__main__":
    ray.init(log_to_driver=False)
    simulation.show(summand.minimize(simulation.simulate, simulation.SPACE, simulation.TRIALS, simulation.AT_ONCE,
                                     executor=RayExecutor()), "Ray")
    ray.shutdown()
