#!/usr/bin/env python3
"""Writes normal_golden.inc: z, log Phi(z), log(phi(z) + z Phi(z)), computed with mpmath (60 digits).
Made with mpmath 1.3.0. Usage: python3 make_normal_golden.py > normal_golden.inc"""
from mpmath import mp, mpf, log, exp, pi, sqrt, erfc, nstr

mp.dps = 60
print("// z, log Phi(z), log(phi(z) + z Phi(z)); made by make_normal_golden.py, mpmath", __import__("mpmath").__version__)
for z in [-1e5, -1000, -100, -40, -37.5, -25, -12, -10.001, -10, -9.999, -7.5, -5, -3, -2, -1.0001, -1, -0.9999, -0.5, 0,
          0.5, 1, 2, 3, 5, 8, 12]:
    x = mpf(z)
    if z < -200:  # erfc underflows nowhere in mpmath, but more digits are needed for the cancellation
        mp.dps = 200
    cdf = erfc(-x / sqrt(2)) / 2
    h = exp(-x * x / 2) / sqrt(2 * pi) + x * cdf
    print("{%s, %s, %s}," % (repr(float(z)), nstr(log(cdf), 20), nstr(log(h), 20)))
    mp.dps = 60
