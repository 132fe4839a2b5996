#!/usr/bin/env python3
"""Writes gp_golden.txt: an additive GP and an ordinary GP computed with scikit-learn, an independent implementation.
Made with scikit-learn 1.9.1, numpy 2.4.6. Usage: python3 make_gp_golden.py > gp_golden.txt
Each line: a name, the number of values, the values (matrices by rows).
A group of columns is scikit-learn's anisotropic kernel with a length scale of 1e12 for every other column."""
import numpy as np
import sklearn
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

rng = np.random.default_rng(20261115)
N, T, D = 25, 6, 4
X, test = rng.random((N, D)), rng.random((T, D))
y = np.sin(6 * X[:, 0]) * X[:, 2] + X[:, 1] ** 2 - 2 * X[:, 3] + 0.1 * rng.standard_normal(N) + 3
lengthscale, variance = np.array([0.3, 0.7, 0.45, 1.2]), np.array([1.5, 0.8])
noise, mean = 0.02, 2.5


def show(name, values):
    values = np.ravel(values)
    print(name, len(values), *(repr(float(v)) for v in values))


def kernels(family, groups, variances):
    for group, v in zip(groups, variances):
        scales = np.full(D, 1e12)
        scales[group] = lengthscale[group]
        shape = RBF(scales) if family == "se" else Matern(scales, nu=2.5)
        yield ConstantKernel(v) * shape


print("# scikit-learn", sklearn.__version__, "numpy", np.__version__)
for name, values in [("X", X), ("test", test), ("y", y), ("lengthscale", lengthscale), ("variance", variance),
                     ("noise", [noise]), ("mean", [mean])]:
    show(name, values)
for family in ("se", "matern"):
    for label, groups in (("additive", [[0, 2], [1, 3]]), ("ordinary", [[0, 1, 2, 3]])):
        parts = list(kernels(family, groups, variance))
        total = sum(parts[1:], parts[0]) + WhiteKernel(noise)
        gp = GaussianProcessRegressor(kernel=total, alpha=0.0, optimizer=None).fit(X, y - mean)
        value, gradient = gp.log_marginal_likelihood(gp.kernel_.theta, eval_gradient=True)
        key = f"{family}_{label}"
        show(key + "_likelihood", [value])
        # theta: for each part log variance, then D log length scales; last the log noise.
        by_length = np.zeros(D)
        for m, group in enumerate(groups):
            by_length[group] = gradient[m * (D + 1) + 1:][:D][group]
        show(key + "_gradient", np.r_[by_length, [gradient[m * (D + 1)] for m in range(len(groups))], gradient[-1]])
        prior = sum(parts[1:], parts[0])
        weights, K = gp.alpha_, total(X)
        show(key + "_mean", mean + prior(test, X) @ weights)
        show(key + "_covariance", prior(test) - prior(test, X) @ np.linalg.solve(K, prior(X, test)))
        for m, part in enumerate(parts):
            show(f"{key}_group{m}_mean", part(test, X) @ weights)
            show(f"{key}_group{m}_covariance", part(test) - part(test, X) @ np.linalg.solve(K, part(X, test)))
