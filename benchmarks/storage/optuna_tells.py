# SPDX-License-Identifier: Apache-2.0
"""optuna_tells.py URL PROCESSES TELLS: what tells.cpp measures, of Optuna's RDB storage. Prints one line of JSON."""
import json
import multiprocessing
import os
import sys
import time

import optuna

optuna.logging.set_verbosity(optuna.logging.ERROR)
url, processes, each = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def storage() -> optuna.storages.RDBStorage:
    return optuna.storages.RDBStorage(url, engine_kwargs={"pool_size": 1})


def tell(process: int, ready: multiprocessing.Barrier) -> None:
    study = optuna.load_study(study_name="told", storage=storage())
    ready.wait()
    for i in range(each):
        study.tell(process * each + i, 0.5 * i)


study = optuna.create_study(study_name="told", storage=storage(), sampler=optuna.samplers.RandomSampler())
for _ in range(processes * each):
    study.ask({"x": optuna.distributions.FloatDistribution(0.0, 1.0)})
context = multiprocessing.get_context("fork")  # so that importing is not measured, nor paid for by every process
ready = context.Barrier(processes + 1)
study._storage._backend.engine.dispose() if hasattr(study._storage, "_backend") else None
workers = [context.Process(target=tell, args=(i, ready)) for i in range(processes)]
for worker in workers:
    worker.start()
ready.wait()
start = time.perf_counter()
for worker in workers:
    worker.join()
seconds = time.perf_counter() - start
assert all(worker.exitcode == 0 for worker in workers)
complete = [trial for trial in study.get_trials(deepcopy=False) if trial.state.is_finished()]
assert len(complete) == processes * each, len(complete)
print(json.dumps({"processes": processes, "tells": processes * each, "tells_per_second": round(processes * each / seconds, 1),
                  "optuna": optuna.__version__}))
