#!/bin/sh
# Rosenbrock's valley: its lowest point, 0, lies at x = 1, y = 1.
echo "evaluating x = $SUMMAND_x, y = $SUMMAND_y" >&2
awk -v x="$SUMMAND_x" -v y="$SUMMAND_y" 'BEGIN { printf "%.17g\n", (1 - x)^2 + 100 * (y - x * x)^2 }'
