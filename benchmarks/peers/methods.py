# SPDX-License-Identifier: Apache-2.0
"""The methods. One proposes points of a space and is told the values of a function to MAXIMISE:

    method = make(name, space, evaluations, batch, seed)
    points = method.ask(n); method.tell(points, y)
"""
import json
import math
import os
import subprocess

import warnings

import numpy as np
from scipy.stats import qmc

warnings.filterwarnings("ignore")
DEVICE = os.environ.get("PEERS_DEVICE", "cpu")  # "cuda" for BoTorch's long runs; their times are then not of one core
os.environ.setdefault("JAX_PLATFORMS", DEVICE)  # SAASBO samples with JAX, which would take a whole GPU for itself
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SUMMAND = os.environ.get("SUMMAND_ASK", os.path.join(ROOT, "build/release/bin/summand_ask"))


class Summand:
    """`variant` is the path of another build's summand_ask, or JSON of options; empty: the default of this build."""

    def __init__(self, space, evaluations, batch, seed, variant=""):
        program, options = (SUMMAND, json.loads(variant)) if variant.startswith("{") else (variant or SUMMAND, {})
        options = {"goal": "maximize", "budget": evaluations, "batch_size": batch, "seed": seed, "threads": 1, **options}
        self.process = subprocess.Popen([program, json.dumps(space), json.dumps(options)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def request(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        reply = self.process.stdout.readline()
        if not reply:
            raise RuntimeError("summand_ask ended")
        return json.loads(reply)

    def ask(self, n):
        reply = self.request(f"ask {n}")
        self.seconds = reply["seconds"]
        return reply["points"]

    def tell(self, points, y):
        self.seconds += self.request("tell " + json.dumps(list(y)))["seconds"]


class OnUnitCube:
    """A method of rows of the unit cube on any space: whole numbers and choices by equal shares of [0, 1]."""

    def __init__(self, method, space, evaluations, batch, seed):
        self.space, self.inner = space, method(len(space), evaluations, batch, seed)

    def value(self, p, u):
        if p["type"] == "choice":
            return p["values"][min(int(u * len(p["values"])), len(p["values"]) - 1)]
        log = p.get("scale") == "log"
        low, high = (math.log(p["low"]), math.log(p["high"])) if log else (p["low"], p["high"])
        if p["type"] == "integer" and not log:
            return min(p["low"] + int(u * (p["high"] - p["low"] + 1)), p["high"])
        x = low + u * (high - low)
        x = min(max(math.exp(x) if log else x, p["low"]), p["high"])
        return round(x) if p["type"] == "integer" else x

    def ask(self, n):
        self.rows = np.clip(np.asarray(self.inner.ask(n), dtype=float), 0, 1)
        return [{p["name"]: self.value(p, float(u)) for p, u in zip(self.space, row)} for row in self.rows]

    def tell(self, points, y):
        self.inner.tell(self.rows, np.asarray(y))


class Random:
    def __init__(self, dimension, evaluations, batch, seed):
        self.d, self.rng = dimension, np.random.default_rng(seed)

    def ask(self, n):
        return self.rng.random((n, self.d))

    def tell(self, X, y):
        pass


class Surrogate:
    """Common to the model-based peers of BoTorch: the data and the initial Sobol design."""

    def __init__(self, dimension, evaluations, batch, seed):
        import torch
        torch.set_num_threads(1)
        torch.manual_seed(seed)
        self.d, self.batch, self.seed = dimension, batch, seed
        self.initial = min(2 * dimension, max(batch, evaluations // 4))
        self.sobol = qmc.Sobol(dimension, scramble=True, seed=seed)
        self.X, self.y = np.empty((0, dimension)), np.empty(0)

    def ask(self, n):
        if len(self.y) < self.initial:
            return self.sobol.random(n)
        return self.propose(n)

    def tell(self, X, y):
        self.X, self.y = np.vstack([self.X, X]), np.concatenate([self.y, y])

    def tensors(self, X, y):
        import torch
        X = torch.tensor(X, dtype=torch.double, device=DEVICE)
        y = torch.tensor(y, dtype=torch.double, device=DEVICE).unsqueeze(-1)
        return X, (y - y.mean()) / y.std().clamp_min(1e-9)


class QLogEI(Surrogate):
    def propose(self, n):
        import torch
        from botorch.acquisition.logei import qLogExpectedImprovement
        from botorch.fit import fit_gpytorch_mll
        from botorch.models import SingleTaskGP
        from botorch.optim import optimize_acqf
        from gpytorch.mlls import ExactMarginalLogLikelihood
        X, y = self.tensors(self.X, self.y)
        gp = SingleTaskGP(X, y)
        fit_gpytorch_mll(ExactMarginalLogLikelihood(gp.likelihood, gp))
        bounds = torch.stack([torch.zeros(self.d), torch.ones(self.d)]).to(X)
        candidates, _ = optimize_acqf(qLogExpectedImprovement(gp, best_f=y.max()), bounds, q=n, num_restarts=4,
                                      raw_samples=128, sequential=True, options={"maxiter": 100})
        return candidates.detach().cpu().numpy()


class Saasbo(Surrogate):
    def propose(self, n):
        import torch
        from botorch.acquisition.logei import qLogExpectedImprovement
        from botorch.fit import fit_fully_bayesian_model_nuts
        from botorch.models.fully_bayesian import SaasFullyBayesianSingleTaskGP
        from botorch.optim import optimize_acqf
        X, y = self.tensors(self.X, self.y)
        gp = SaasFullyBayesianSingleTaskGP(X, y)
        fit_fully_bayesian_model_nuts(gp, warmup_steps=256, num_samples=128, thinning=16, disable_progbar=True)
        bounds = torch.stack([torch.zeros(self.d), torch.ones(self.d)]).to(X)
        candidates, _ = optimize_acqf(qLogExpectedImprovement(gp, best_f=y.max()), bounds, q=n, num_restarts=5,
                                      raw_samples=256, sequential=True)
        return candidates.detach().cpu().numpy()


class Turbo(Surrogate):
    """TuRBO-1 [Eriksson et al. 2019] with the settings of BoTorch's tutorial: success tolerance 10, failure tolerance
    ceil(max(4, D) / batch), side 0.8 in [0.5^7, 1.6], perturbation of 20 coordinates on average, Thompson draws on
    min(5000, max(2000, 200 D)) candidates. When the region has shrunk away, it starts again from fresh points."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.restart()

    def restart(self):
        self.start, self.length, self.wins, self.losses, self.best = len(self.y), 0.8, 0, 0, -math.inf
        self.patience = math.ceil(max(4.0 / self.batch, self.d / self.batch))

    def ask(self, n):
        if len(self.y) - self.start < self.initial:
            return self.sobol.random(n)
        return self.propose(n)

    def tell(self, X, y):
        after_design = len(self.y) - self.start >= self.initial
        super().tell(X, y)
        if after_design:
            if y.max() > self.best + 1e-3 * abs(self.best):
                self.wins, self.losses = self.wins + 1, 0
            else:
                self.wins, self.losses = 0, self.losses + 1
            if self.wins == 10:
                self.length, self.wins = min(2 * self.length, 1.6), 0
            elif self.losses == self.patience:
                self.length, self.losses = self.length / 2, 0
        self.best = max(self.best, y.max())
        if self.length < 0.5**7:
            self.restart()

    def propose(self, n):
        import gpytorch
        import torch
        from botorch.fit import fit_gpytorch_mll
        from botorch.generation import MaxPosteriorSampling
        from botorch.models import SingleTaskGP
        from gpytorch.constraints import Interval
        from gpytorch.kernels import MaternKernel, ScaleKernel
        from gpytorch.likelihoods import GaussianLikelihood
        from gpytorch.mlls import ExactMarginalLogLikelihood
        X, y = self.tensors(self.X[self.start:], self.y[self.start:])
        kernel = ScaleKernel(MaternKernel(nu=2.5, ard_num_dims=self.d, lengthscale_constraint=Interval(0.005, 4.0)))
        gp = SingleTaskGP(X, y, covar_module=kernel, likelihood=GaussianLikelihood(noise_constraint=Interval(1e-8, 1e-3)),
                          outcome_transform=None)
        with gpytorch.settings.max_cholesky_size(float("inf")):
            fit_gpytorch_mll(ExactMarginalLogLikelihood(gp.likelihood, gp))
            centre = X[y.argmax(), :]
            weights = gp.covar_module.base_kernel.lengthscale.squeeze().detach()
            weights = weights / weights.mean()
            weights = weights / torch.prod(weights.pow(1.0 / len(weights)))
            low = torch.clamp(centre - weights * self.length / 2, 0.0, 1.0)
            high = torch.clamp(centre + weights * self.length / 2, 0.0, 1.0)
            count = min(5000, max(2000, 200 * self.d))
            drawn = torch.tensor(self.sobol.random(count), dtype=torch.double, device=DEVICE)
            mask = torch.rand(count, self.d, device=DEVICE) <= min(20.0 / self.d, 1.0)
            empty = torch.where(mask.sum(dim=1) == 0)[0]
            mask[empty, torch.randint(0, self.d, size=(len(empty),), device=DEVICE)] = True
            candidates = torch.where(mask, low + (high - low) * drawn, centre.expand(count, self.d))
            with torch.no_grad():
                return MaxPosteriorSampling(model=gp, replacement=False)(candidates, num_samples=n).cpu().numpy()


class OptunaSampler:
    def __init__(self, sampler, space):
        import optuna
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.study = optuna.create_study(direction="maximize", sampler=sampler)
        of = optuna.distributions
        self.space = {p["name"]: of.CategoricalDistribution(p["values"]) if p["type"] == "choice" else
                      (of.IntDistribution if p["type"] == "integer" else of.FloatDistribution)(p["low"], p["high"], log=p.get("scale") == "log")
                      for p in space}

    def ask(self, n):
        self.open = [self.study.ask(self.space) for _ in range(n)]
        return [trial.params for trial in self.open]

    def tell(self, points, y):
        for trial, value in zip(self.open, y):
            self.study.tell(trial, float(value))


def tpe(space, evaluations, batch, seed):
    import optuna
    return OptunaSampler(optuna.samplers.TPESampler(seed=seed, multivariate=True, constant_liar=True), space)


def gp_sampler(space, evaluations, batch, seed):
    import optuna
    return OptunaSampler(optuna.samplers.GPSampler(seed=seed), space)


def cmaes_sampler(space, evaluations, batch, seed):
    import optuna
    return OptunaSampler(optuna.samplers.CmaEsSampler(seed=seed, popsize=batch), space)


class Cma:
    def __init__(self, dimension, evaluations, batch, seed):
        import cma
        self.es = cma.CMAEvolutionStrategy(dimension * [0.5], 0.25, {"bounds": [0, 1], "popsize": batch, "seed": seed + 1, "verbose": -9})

    def ask(self, n):
        self.asked = self.es.ask(n)
        return np.array(self.asked)

    def tell(self, X, y):
        self.es.tell(self.asked, [-float(v) for v in y])


class TurboEnn:
    """TuRBO-ENN: TuRBO's region, nearest neighbours instead of a Gaussian process (package ennbo, its own configuration)."""

    def __init__(self, dimension, evaluations, batch, seed):
        from enn.turbo.config.factory import turbo_enn_config
        from enn import create_optimizer
        self.inner = create_optimizer(bounds=np.array([[0.0, 1.0]] * dimension), config=turbo_enn_config(), rng=np.random.default_rng(seed))

    def ask(self, n):
        return self.inner.ask(n)

    def tell(self, X, y):
        self.inner.tell(X, y)


class NgOpt:
    """Nevergrad's NGOpt, which picks one of its algorithms by dimension, budget and number of workers."""

    def __init__(self, space, evaluations, batch, seed):
        import nevergrad as ng
        def parameter(p):
            if p["type"] == "choice":
                return ng.p.Choice(p["values"])
            log = p.get("scale") == "log"
            scalar = ng.p.Log(lower=p["low"], upper=p["high"]) if log else ng.p.Scalar(lower=p["low"], upper=p["high"])
            return scalar.set_integer_casting() if p["type"] == "integer" else scalar
        parameters = ng.p.Dict(**{p["name"]: parameter(p) for p in space})
        parameters.random_state.seed(seed)
        self.inner = ng.optimizers.NGOpt(parametrization=parameters, budget=evaluations, num_workers=batch)

    def ask(self, n):
        self.open = [self.inner.ask() for _ in range(n)]
        return [dict(candidate.value) for candidate in self.open]

    def tell(self, points, y):
        for candidate, value in zip(self.open, y):
            self.inner.tell(candidate, -float(value))


class Hebo:
    """HEBO [Cowen-Rivers et al. 2022] with its defaults; its random start has as many points as it chooses."""

    def __init__(self, space, evaluations, batch, seed):
        from hebo.design_space.design_space import DesignSpace
        from hebo.optimizers.hebo import HEBO
        def parameter(p):
            if p["type"] == "choice":
                return {"name": p["name"], "type": "cat", "categories": p["values"]}
            kinds = {"real": "pow", "integer": "pow_int"} if p.get("scale") == "log" else {"real": "num", "integer": "int"}
            return {"name": p["name"], "type": kinds[p["type"]], "lb": p["low"], "ub": p["high"]}
        self.space = space
        self.inner = HEBO(DesignSpace().parse([parameter(p) for p in space]), scramble_seed=seed)
        np.random.seed(seed)

    def ask(self, n):
        self.open = self.inner.suggest(n_suggestions=n)
        cast = {"integer": int, "real": float, "choice": str}
        return [{p["name"]: cast[p["type"]](row[p["name"]]) for p in self.space} for _, row in self.open.iterrows()]

    def tell(self, points, y):
        self.inner.observe(self.open, -np.asarray(y, dtype=float).reshape(-1, 1))


class Smac:
    """SMAC3's facade for hyperparameters (random forest, log EI), one evaluation a configuration; it has no batches of its own, so
    points of a batch are asked for one after another."""

    def __init__(self, space, evaluations, batch, seed):
        import logging
        import tempfile
        from ConfigSpace import Categorical, ConfigurationSpace, Float, Integer
        from smac import HyperparameterOptimizationFacade, Scenario
        logging.disable(logging.WARNING)
        def parameter(p):
            if p["type"] == "choice":
                return Categorical(p["name"], p["values"])
            return (Integer if p["type"] == "integer" else Float)(p["name"], (p["low"], p["high"]), log=p.get("scale") == "log")
        configurations = ConfigurationSpace(seed=seed)
        configurations.add([parameter(p) for p in space])
        self.folder = tempfile.TemporaryDirectory()
        scenario = Scenario(configurations, deterministic=True, n_trials=evaluations, seed=seed, output_directory=self.folder.name)
        intensifier = HyperparameterOptimizationFacade.get_intensifier(scenario, max_config_calls=1)
        self.inner = HyperparameterOptimizationFacade(scenario, lambda config, seed=0: 0.0, intensifier=intensifier, overwrite=True,
                                                      logging_level=logging.ERROR)

    def ask(self, n):
        self.open = [self.inner.ask() for _ in range(n)]
        return [dict(info.config) for info in self.open]

    def tell(self, points, y):
        from smac.runhistory.dataclasses import TrialValue
        for info, value in zip(self.open, y):
            self.inner.tell(info, TrialValue(cost=-float(value)))


ON_UNIT_CUBE = {"random": Random, "turbo": Turbo, "qlogei": QLogEI, "saasbo": Saasbo, "cma": Cma, "turbo-enn": TurboEnn}
ON_SPACES = {"tpe": tpe, "gp": gp_sampler, "cmaes": cmaes_sampler, "ngopt": NgOpt, "hebo": Hebo, "smac": Smac}


class Misled:
    """A method that is told wrong values: 2 % are off by 10 standard deviations of all values so far, half of these too good."""

    def __init__(self, method, seed):
        self.method, self.rng, self.values = method, np.random.default_rng([seed, 2]), []

    def ask(self, n):
        return self.method.ask(n)

    def tell(self, points, y):
        self.values += y
        self.method.tell(points, [float(value) for value in np.asarray(y) + self.errors(len(y))])

    def errors(self, count):
        return 10 * np.std(self.values) * self.rng.choice([-1, 1], count) * (self.rng.random(count) < 0.02)


class Noisy(Misled):
    """A method that is told values with noise: a tenth of the standard deviation of the first 40 values."""

    def errors(self, count):
        return 0.1 * np.std(self.values[:40]) * self.rng.standard_normal(count)


def make(name, space, evaluations, batch, seed):
    """`name` may be summand:VARIANT, and wrong:NAME or noisy:NAME of any name."""
    name, _, variant = name.partition(":")
    if name in ("wrong", "noisy"):
        return {"wrong": Misled, "noisy": Noisy}[name](make(variant, space, evaluations, batch, seed), seed)
    if name == "summand":
        return Summand(space, evaluations, batch, seed, variant)
    if name in ON_SPACES:
        return ON_SPACES[name](space, evaluations, batch, seed)
    return OnUnitCube(ON_UNIT_CUBE[name], space, evaluations, batch, seed)
