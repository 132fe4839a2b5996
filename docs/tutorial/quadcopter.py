# SPDX-License-Identifier: Apache-2.0
"""A quadcopter that flies to a point in a gust of wind: four control loops with five settings each.

As a program: ``python3 quadcopter.py x_kp=1.2 x_ki=0.1 ...`` prints the cost (settings not given keep their defaults).
"""

from __future__ import annotations

import math
import sys

import numpy as np

AXES = ("x", "y", "z", "yaw")
# Of each loop: proportional, integral and derivative gain, time constant of the derivative's filter, set-point weight.
SETTINGS = {
    "kp": (0.1, 30.0, 2.0),
    "ki": (0.01, 10.0, 0.5),
    "kd": (0.05, 20.0, 1.0),
    "filter": (0.01, 0.5, 0.1),
    "weight": (0.1, 1.0, 1.0),
}
NAMES = [f"{axis}_{setting}" for axis in AXES for setting in SETTINGS]

# Per axis: inertia, drag, delay of the motors in seconds, the strongest push, where to go, the gust.
INERTIA = np.array([1.0, 1.1, 1.4, 0.3])
DRAG = np.array([0.4, 0.45, 0.9, 0.15])
MOTOR = np.array([0.12, 0.14, 0.08, 0.05])
LIMIT = np.array([12.0, 12.0, 18.0, 4.0])
TARGET = np.array([2.0, -1.0, 3.0, 0.8])
GUST = np.array([1.5, -1.0, 2.0, 0.3])
STEP, STEPS = 0.02, 400


def fly(settings: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """Positions and pushes over time: one row each step, one column each axis."""
    kp, ki, kd, lag, weight = (np.array([settings[f"{axis}_{name}"] for axis in AXES]) for name in SETTINGS)
    position, speed, push, integral, slope, last = (np.zeros(4) for _ in range(6))
    positions, pushes = np.empty((STEPS, 4)), np.empty((STEPS, 4))
    for k in range(STEPS):
        error = TARGET - position
        integral = integral + STEP * error
        slope = slope + STEP / (lag + STEP) * (-(position - last) / STEP - slope)
        last = position
        wanted = np.clip(kp * (weight * TARGET - position) + ki * integral + kd * slope, -LIMIT, LIMIT)
        push = push + STEP / MOTOR * (wanted - push)
        gust = GUST if 200 <= k < 250 else 0.0
        speed = speed + STEP / INERTIA * (push + gust - DRAG * speed)
        position = position + STEP * speed
        positions[k], pushes[k] = position, push
    return positions, pushes


def cost(settings: dict[str, float]) -> float:
    """The sum over the axes of log10(time-weighted error + restlessness of the push): lower is better.

    Raises if the craft leaves the room: such a flight has no cost.
    """
    positions, pushes = fly(settings)
    if not np.isfinite(positions).all() or np.abs(positions).max() > 20:
        raise ArithmeticError("the craft left the room")
    error = np.abs(positions - TARGET) * (1 + np.linspace(0, 3, STEPS))[:, None]
    restless = np.abs(np.diff(pushes, axis=0)).mean(0)
    return float(np.log10(error.mean(0) / np.abs(TARGET) + 0.3 * restless + 1e-3).sum())


def defaults() -> dict[str, float]:
    return {f"{axis}_{name}": start for axis in AXES for name, (_, _, start) in SETTINGS.items()}


if __name__ == "__main__":
    given = dict(argument.split("=", 1) for argument in sys.argv[1:])
    value = cost({**defaults(), **{name: float(text) for name, text in given.items()}})
    assert math.isfinite(value)
    print(value)
