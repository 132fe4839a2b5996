# SPDX-License-Identifier: Apache-2.0
"""Ordinary tuning: models of scikit-learn on the data that it ships, 8 to 11 mixed parameters each. `make(name, seed)` gives a
function like those of problem.py; the seed draws the folds and the model's own randomness. Values are minus a loss."""
import warnings

import numpy as np


def real(name, low, high, scale="linear"):
    return {"name": name, "type": "real", "low": low, "high": high, "scale": scale}


def integer(name, low, high, scale="linear"):
    return {"name": name, "type": "integer", "low": low, "high": high, "scale": scale}


def choice(name, *values):
    return {"name": name, "type": "choice", "values": list(values)}


BOOSTING = [real("learning_rate", 0.005, 0.5, "log"), integer("n_estimators", 20, 200, "log"), integer("max_depth", 1, 8),
            integer("min_samples_leaf", 1, 50, "log"), integer("min_samples_split", 2, 60, "log"), real("subsample", 0.4, 1.0),
            real("max_features", 0.1, 1.0), choice("loss", "squared_error", "absolute_error", "huber"), real("alpha", 0.6, 0.99),
            real("ccp_alpha", 1e-4, 100.0, "log")]

SVM = [choice("scaler", "standard", "minmax", "robust", "none"), real("components", 0.2, 1.0),
       choice("kernel", "rbf", "poly", "sigmoid", "linear"), real("C", 1e-3, 1e3, "log"), real("gamma", 1e-5, 10.0, "log"),
       integer("degree", 1, 5), real("coef0", -1.0, 1.0), choice("class_weight", "none", "balanced"), real("tol", 1e-5, 1e-1, "log"),
       choice("decision", "ovr", "ovo")]

FOREST = [integer("n_estimators", 5, 80, "log"), integer("max_depth", 1, 20), integer("min_samples_leaf", 1, 30, "log"),
          integer("min_samples_split", 2, 40, "log"), real("max_features", 0.02, 1.0, "log"), choice("criterion", "gini", "entropy"),
          real("max_samples", 0.2, 1.0), real("min_impurity_decrease", 1e-6, 1e-1, "log"), choice("class_weight", "none", "balanced")]

MLP = [integer("first", 4, 128, "log"), integer("second", 2, 64, "log"), choice("activation", "relu", "tanh", "logistic"),
       choice("solver", "adam", "sgd"), real("alpha", 1e-6, 10.0, "log"), real("learning_rate_init", 1e-4, 0.3, "log"),
       integer("batch_size", 8, 128, "log"), real("momentum", 0.0, 0.99), real("beta_1", 0.5, 0.99), integer("max_iter", 5, 40, "log"),
       choice("learning_rate", "constant", "invscaling", "adaptive")]


def without_none(value):
    return None if value == "none" else value


def boosting(p, seed):
    from sklearn.ensemble import GradientBoostingRegressor
    return GradientBoostingRegressor(random_state=seed, **p)


def svm(p, seed):
    from sklearn.decomposition import PCA
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler
    from sklearn.svm import SVC
    scaler = {"standard": StandardScaler, "minmax": MinMaxScaler, "robust": RobustScaler}.get(p["scaler"])
    model = SVC(kernel=p["kernel"], C=p["C"], gamma=p["gamma"], degree=p["degree"], coef0=p["coef0"], tol=p["tol"],
                class_weight=without_none(p["class_weight"]), decision_function_shape=p["decision"], max_iter=20000)
    return make_pipeline(*([scaler()] if scaler else []), PCA(max(1, round(30 * p["components"])), random_state=seed), model)


def forest(p, seed):
    from sklearn.ensemble import RandomForestClassifier
    return RandomForestClassifier(random_state=seed, **{**p, "class_weight": without_none(p["class_weight"])})


def mlp(p, seed):
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    rest = {k: v for k, v in p.items() if k not in ("first", "second")}
    return make_pipeline(StandardScaler(), MLPClassifier((p["first"], p["second"]), random_state=seed, **rest))


# model, space, bundled data (a loader's name and how many rows), what is scored, folds
PROBLEMS = {"tune-boosting": (boosting, BOOSTING, ("load_diabetes", 442), "neg_mean_squared_error", 3),
            "tune-svm": (svm, SVM, ("load_breast_cancer", 569), "accuracy", 5),
            "tune-forest": (forest, FOREST, ("load_digits", 600), "neg_log_loss", 3),
            "tune-mlp": (mlp, MLP, ("load_digits", 500), "neg_log_loss", 3)}


class Tuning:
    best_known = None

    def __init__(self, name, seed):
        from sklearn import datasets
        self.model, self.space, (loader, rows), self.score, self.folds = PROBLEMS[name]
        self.seed = seed
        X, y = getattr(datasets, loader)(return_X_y=True)
        keep = np.random.default_rng(seed).permutation(len(y))[:rows]
        self.X, self.y = X[keep], y[keep]

    def value(self, point):
        from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
        folds = (KFold if self.score == "neg_mean_squared_error" else StratifiedKFold)(self.folds, shuffle=True, random_state=self.seed)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = float(np.mean(cross_val_score(self.model(point, self.seed), self.X, self.y, cv=folds, scoring=self.score)))
        except ValueError:
            found = float("nan")
        worst = {"neg_mean_squared_error": -1e4, "accuracy": 0.0, "neg_log_loss": -10.0}[self.score]
        found = max(found, worst) if found == found else worst  # an unstable model's loss is a bad loss, for every method
        return found - 1.0 if self.score == "accuracy" else found

    def __call__(self, points):
        return [self.value(p) for p in points]
