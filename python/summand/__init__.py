# SPDX-License-Identifier: Apache-2.0
"""Bayesian optimisation that learns which parameters belong together.

``summand.minimize(f, space, budget=200, batch_size=8)`` is the whole loop; ``Optimizer`` is ask and tell; ``Study`` keeps
everything in an SQLite file that the ``summand`` command works on too; ``learn_structure`` finds the groups in given data;
``summand.optuna.SummandSampler`` is a sampler for Optuna.
"""

from importlib.metadata import version

from ._processor import check_processor

check_processor()  # before the engine, whose instructions an older processor does not know

from ._core import option_keys
from .client import Client
from .errors import Error, ExecutorError, InvalidArgument, NumericalError, SpaceExhausted, StorageError
from .insight import GroupSlice, Importance, Structure
from .minimize import maximize, minimize
from .optimizer import Optimizer
from .result import Interrupted, Result
from .space import Choice, Integer, Levels, Parameter, Real, SearchSpace
from .structure import Model, StructurePosterior, fit_model, learn_structure
from .study import Study
from .trial import Best, Recommended, Trial

__version__ = version("summand")

__all__ = [
    "Best", "Choice", "Client", "Error", "ExecutorError", "GroupSlice", "Importance", "Integer", "Interrupted", "InvalidArgument", "Levels", "Model",
    "NumericalError", "Optimizer", "Parameter", "Real", "Recommended", "Result", "SearchSpace", "SpaceExhausted", "StorageError",
    "Structure", "StructurePosterior", "Study", "Trial", "fit_model", "learn_structure", "maximize",
    "minimize", "option_keys",
]  # fmt: skip
