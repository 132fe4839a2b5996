"""Gradient descent with momentum on a badly scaled bowl; the score is minus the logarithm of what is left."""
import json
import math
import sys

given = json.load(sys.stdin)
x, y = (0.5, 0.5) if given["start"] == "zero" else (5.0, 5.0)
dx = dy = 0.0
for _ in range(given["steps"]):
    dx = given["momentum"] * dx - given["rate"] * x
    dy = given["momentum"] * dy - given["rate"] * 20.0 * y
    x, y = x + dx, y + dy
    if abs(x) + abs(y) > 1e6:
        sys.exit("diverged")  # a failure with its cause: Summand learns to keep away from here
print(json.dumps({"score": -math.log10(1e-12 + 0.5 * x * x + 10.0 * y * y) - 0.005 * given["steps"]}))
