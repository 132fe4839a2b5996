# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import os

import pytest

import summand


@pytest.fixture
def mixed_space() -> summand.SearchSpace:
    return summand.SearchSpace(
        [
            summand.Real("rate", 1e-5, 1e-1, scale="log"),
            summand.Integer("width", 8, 512),
            summand.Choice("solver", ["sgd", "adam"]),
            summand.Levels("momentum", [0.0, 0.5, 0.9, 0.99]),
        ]
    )


@pytest.fixture
def plane() -> summand.SearchSpace:
    return summand.SearchSpace({"x": (-2.0, 2.0), "y": (-2.0, 2.0)})


@pytest.fixture
def command() -> str:
    """The ``summand`` command of the same build."""
    path = os.environ.get("SUMMAND", "")
    if not os.access(path, os.X_OK):
        pytest.skip("the environment variable SUMMAND does not name the command line program")
    return path
