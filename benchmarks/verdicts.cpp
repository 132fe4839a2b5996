// SPDX-License-Identifier: Apache-2.0
// How far the verdict and the pair probabilities can be believed: docs/results/verdicts.md.
//
//   summand_verdicts [SETTING ..] [--functions N] [--first F] [--threads T] [--csv FILE] [--plot FILE] [--report] [--right]
//
// Functions whose groups are known, in settings that differ in smoothness, noise, points, wrong values and kind. A line for
// each setting: how often "structure-found" was said, how often it was wrong, what the stated probability expected; then the
// reliability of the pair probabilities over all of them. --csv: a line for each function. --report: the settings that report
// instead of those that thresholds were chosen on. --right: no value is replaced by a wrong one.
#include "problems/additive.hpp"
#include "summand/base/error.hpp"
#include "summand/base/parallel.hpp"
#include "summand/numeric/cholesky.hpp"
#include "summand/numeric/sobol.hpp"
#include "summand/plot/figure.hpp"
#include "summand/structure/learner.hpp"
#include "summand/structure/two_level.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

namespace {

using namespace summand;
using namespace summand::structure;

// Additive: draws of Gaussian processes. Waves: three random cosines a group, groups of unequal size. The others are no sums.
enum class Kind { additive, waves, sines, sine_pairs, norm, bell, product, rotated_rosenbrock, noise };
enum class Points { uniform, sobol, two_level };

struct Setting {
    std::string name = {};
    Kind kind = Kind::additive;
    Index dimension = 10, points = 60;
    Points design = Points::two_level;
    double lengthscale = 0.3;
    double noise = 0.0;     // sd, as a share of the signal's
    int wrong = 0;          // values replaced
    double wrong_by = 0.0;  // sd of the values
    int largest_group = 3;
};

// Thresholds were chosen on functions 0 to 999 of these.
std::vector<Setting> choosing() {
    using enum Kind;
    using enum Points;
    return {
        {"smooth-10-two", additive, 10, 40, two_level, 0.8, 0.0},
        {"smooth-20-two", additive, 20, 80, two_level, 0.5, 0.01},
        {"rough-20-two", additive, 20, 80, two_level, 0.1, 0.0},
        {"rough-20-two-noisy", additive, 20, 200, two_level, 0.1, 0.1},
        {"smooth-20-two-noisy", additive, 20, 200, two_level, 0.5, 0.1},
        {"smooth-20-two-very-noisy", additive, 20, 300, two_level, 0.3, 0.3},
        {"medium-50-two", additive, 50, 200, two_level, 0.3, 0.0},
        {"medium-50-two-noisy", additive, 50, 300, two_level, 0.3, 0.05},
        {"smooth-10-uniform", additive, 10, 150, uniform, 0.5, 0.0},
        {"smooth-10-uniform-noisy", additive, 10, 200, uniform, 0.5, 0.1},
        {"smoother-10-uniform-very-noisy", additive, 10, 250, uniform, 0.8, 0.3},
        {"rough-6-uniform", additive, 6, 200, uniform, 0.15, 0.0},
        {"medium-10-sobol", additive, 10, 200, sobol, 0.3, 0.0},
        {"medium-10-sobol-noisy", additive, 10, 200, sobol, 0.4, 0.1},
        {"smooth-20-uniform", additive, 20, 250, uniform, 0.8, 0.0},
        {"sines-two-5", sines, 10, 60, two_level, 0, 0.0, 1, 5.0},
        {"sines-two-10", sines, 10, 120, two_level, 0, 0.0, 2, 10.0},
        {"sines-two-noisy-1e3", sines, 10, 120, two_level, 0, 0.02, 3, 1e3},
        {"pairs-two-5", sine_pairs, 10, 120, two_level, 0, 0.0, 1, 5.0},
        {"pairs-two-10", sine_pairs, 10, 60, two_level, 0, 0.0, 2, 10.0},
        {"pairs-uniform-5", sine_pairs, 10, 120, uniform, 0, 0.0, 1, 5.0},
        {"additive-20-two-1e6", additive, 20, 100, two_level, 0.3, 0.0, 3, 1e6},
        {"additive-20-two-7", additive, 20, 250, two_level, 0.5, 0.05, 3, 7.0},
        {"smooth-10-uniform-wrong", additive, 10, 200, uniform, 0.5, 0.0, 2, 8.0},
        {"rough-20-two-500", additive, 20, 500, two_level, 0.1, 0.0, 3, 30.0},
        {"norm-8-uniform", norm, 8, 200, uniform, 0, 0.0},
        {"norm-10-two", norm, 10, 80, two_level, 0, 0.0},
        {"product-8-uniform", product, 8, 200, uniform, 0, 0.0},
        {"product-10-two", product, 10, 80, two_level, 0, 0.0},
        {"rosenbrock-10-uniform", rotated_rosenbrock, 10, 200, uniform, 0, 0.0},
        {"rosenbrock-20-two", rotated_rosenbrock, 20, 100, two_level, 0, 0.0},
        {"noise-6-uniform", Kind::noise, 6, 80, uniform, 0, 0.0},
        {"noise-20-two", Kind::noise, 20, 80, two_level, 0, 0.0},
        {"20-70", additive, 20, 70, two_level, 0.1, 5e-4},
        {"50-200", additive, 50, 200, two_level, 0.1, 5e-4},
        {"100-450", additive, 100, 450, two_level, 0.1, 5e-4},
        {"200-900", additive, 200, 900, two_level, 0.1, 5e-4},
    };
}

// Never looked at before they reported (functions from 1000 on).
std::vector<Setting> reporting() {
    using enum Kind;
    using enum Points;
    return {
        {"waves-12-two", waves, 12, 45, two_level, 0.4, 0.0},
        {"waves-25-two-noise-2", waves, 25, 100, two_level, 0.4, 0.02},
        {"waves-30-two-noise-10", waves, 30, 300, two_level, 0.3, 0.1},
        {"waves-8-uniform", waves, 8, 150, uniform, 0.4, 0.0},
        {"waves-8-uniform-noise-10", waves, 8, 200, uniform, 0.5, 0.1},
        {"waves-15-sobol-noise-5", waves, 15, 300, sobol, 0.5, 0.05},
        {"draws-15-two", additive, 15, 60, two_level, 0.2, 0.0},
        {"draws-30-two-noise-half", additive, 30, 130, two_level, 0.6, 0.005},
        {"draws-40-two", additive, 40, 180, two_level, 0.15, 0.0},
        {"draws-12-uniform-noise-2", additive, 12, 220, uniform, 0.35, 0.02},
        {"draws-8-sobol-noise-20", additive, 8, 120, sobol, 0.6, 0.2},
        {"draws-25-two-noise-20", additive, 25, 400, two_level, 0.25, 0.2},
        {"draws-20-two-fours", additive, 20, 150, two_level, 0.3, 0.0, 0, 0.0, 4},
        {"waves-15-two-wrong-6", waves, 15, 120, two_level, 0.4, 0.0, 2, 6.0},
        {"waves-10-uniform-wrong-1e5", waves, 10, 150, uniform, 0.5, 0.0, 3, 1e5},
        {"pairs-uniform-wrong-20", sine_pairs, 12, 200, uniform, 0, 0.01, 3, 20.0},
        {"draws-20-two-wrong-5", additive, 20, 90, two_level, 0.4, 0.0, 1, 5.0},
        {"sines-two-wrong-5", sines, 14, 70, two_level, 0, 0.0, 3, 5.0},
        {"norm-12-two", norm, 12, 100, two_level, 0, 0.0},
        {"bell-8-uniform", bell, 8, 200, uniform, 0, 0.0},
        {"product-6-uniform", product, 6, 100, uniform, 0, 0.0},
        {"rosenbrock-15-two", rotated_rosenbrock, 15, 150, two_level, 0, 0.0},
        {"noise-10-uniform", Kind::noise, 10, 100, uniform, 0, 0.0},
    };
}

bool is_sum(const Setting& setting) {
    using enum Kind;
    return setting.kind == additive || setting.kind == waves || setting.kind == sines || setting.kind == sine_pairs;
}

Matrix points_of(const Setting& setting, Rng rng) {
    const Index N = setting.points, D = setting.dimension;
    if (setting.design == Points::two_level) return two_level_design(rng, D, N);
    if (setting.design == Points::sobol) return sobol_points(N, D, rng);
    Matrix X(N, D);
    for (double& value : X.reshaped()) value = rng.uniform();
    return X;
}

Partition truth_of(const Setting& setting, Rng rng) {
    const Index D = setting.dimension;
    if (setting.kind == Kind::additive || setting.kind == Kind::waves)
        return problems::random_partition(D, setting.largest_group, rng);
    if (setting.kind == Kind::sines) return Partition::singletons(D);
    if (setting.kind != Kind::sine_pairs) return Partition::single(D);
    std::vector<int> label;
    for (Index j = 0; j < D; ++j) label.push_back(static_cast<int>(j / 2));
    return Partition::from_labels(label);
}

Vector additive_values(const Setting& setting, const Matrix& X, const Partition& truth, Rng rng) {
    const Vector scales = Vector::Constant(X.cols(), setting.lengthscale);
    Matrix K = Matrix::Zero(X.rows(), X.rows());
    for (const auto& group : truth.groups())
        K += group_gram(KernelFamily::squared_exponential, group, 1.0, scales, {}, X, X);
    K.diagonal().array() += 1e-9;
    Vector white(X.rows());
    for (double& value : white) value = rng.normal();
    return Cholesky::try_factor(std::move(K)).value().times_lower(white);
}

Vector wave_values(const Setting& setting, const Matrix& X, const Partition& truth, Rng rng) {
    Vector y = Vector::Zero(X.rows());
    for (const auto& group : truth.groups()) {
        const double size = std::pow(10.0, rng.uniform(-0.5, 0.5));
        for (int wave = 0; wave < 3; ++wave) {
            Eigen::ArrayXd phase = Eigen::ArrayXd::Constant(X.rows(), rng.uniform(0.0, 2.0 * std::numbers::pi));
            for (const Index j : group) phase += X.col(j).array() * (rng.normal() / setting.lengthscale);
            y += size * rng.normal() * phase.cos().matrix();
        }
    }
    return y;
}

// A random direction for every row: a rotation, up to reflections.
Matrix rotation(Index dimension, Rng rng) {
    Matrix Q(dimension, dimension);
    for (double& value : Q.reshaped()) value = rng.normal();
    for (Index i = 0; i < dimension; ++i) {
        for (Index k = 0; k < i; ++k) Q.row(i) -= Q.row(i).dot(Q.row(k)) * Q.row(k).eval();
        Q.row(i).normalize();
    }
    return Q;
}

Vector values_of(const Setting& setting, const Matrix& X, const Partition& truth, Rng rng) {
    if (setting.kind == Kind::additive) return additive_values(setting, X, truth, rng);
    if (setting.kind == Kind::waves) return wave_values(setting, X, truth, rng);
    const Matrix Q = rotation(X.cols(), rng.stream("rotation"));
    Vector y(X.rows());
    for (Index i = 0; i < X.rows(); ++i) {
        const Vector x = X.row(i).transpose();
        switch (setting.kind) {
            case Kind::sines:
                y(i) = (3.0 * x.array()).sin().sum();
                break;
            case Kind::sine_pairs:
                y(i) = 0.0;
                for (Index j = 0; j + 1 < x.size(); j += 2)
                    y(i) += std::sin(3.0 * x(j)) * std::cos(2.0 * x(j + 1)) + x(j);
                break;
            case Kind::norm:
                y(i) = (x.array() - 0.3).matrix().norm();
                break;
            case Kind::bell:
                y(i) = std::exp(-3.0 * (x.array() - 0.4).square().sum());
                break;
            case Kind::product:
                y(i) = (0.5 + x.array()).prod();
                break;
            case Kind::rotated_rosenbrock: {
                const Vector u = 2.0 * (Q * (x.array() - 0.5).matrix()).array() + 0.5;
                y(i) = 0.0;
                for (Index j = 0; j + 1 < u.size(); ++j)
                    y(i) += 100.0 * std::pow(u(j + 1) - u(j) * u(j), 2) + std::pow(1.0 - u(j), 2);
                break;
            }
            default:
                y(i) = rng.normal();
        }
    }
    return y;
}

double stddev(const Vector& y) {
    return std::sqrt((y.array() - y.mean()).square().mean());
}

struct Outcome {
    Verdict verdict = Verdict::not_additive_or_too_few_points;
    bool exact = false;
    int missed = 0, invented = 0;
    double probability = 0.0, noise_share = 0.0, noticed = 0.0, share = 0.0;
    int left_out = 0;
    std::array<double, 10> sum = {}, joined = {}, count = {};  // pairs by stated probability
    bool found() const { return verdict == Verdict::structure_found; }
};

Outcome run_function(const Setting& setting, int function) {
    const Rng rng = Rng::from_seed(static_cast<std::uint64_t>(function)).stream(setting.name);
    const Partition truth = truth_of(setting, rng.stream("groups"));
    const Matrix X = points_of(setting, rng.stream("points"));
    Vector y = values_of(setting, X, truth, rng.stream("values"));
    const double spread = stddev(y);
    Rng noise = rng.stream("noise"), spoil = rng.stream("wrong");
    for (double& value : y) value += setting.noise * spread * noise.normal();
    const auto order = spoil.permutation(y.size());
    for (int k = 0; k < setting.wrong; ++k)
        y(order[static_cast<std::size_t>(k)]) += (spoil.coin() ? 1.0 : -1.0) * setting.wrong_by * spread;
    const StructurePosterior found = learn_structure(X, y, AnnealedChains{}, rng.stream("learn"));
    Outcome outcome{.verdict = found.verdict,
                    .exact = found.best == truth,
                    .probability = found.probability,
                    .noise_share = found.noise_share};
    outcome.noticed = found.smallest_noticed;
    outcome.left_out = static_cast<int>(found.left_out.size());
    for (const auto& entry : found.partitions)
        if (entry.partition == found.best) outcome.share = entry.weight;
    for (Index i = 0; i < X.cols(); ++i)
        for (Index j = i + 1; j < X.cols(); ++j) {
            const bool real = truth.together(i, j), said = found.best.together(i, j);
            outcome.missed += real && !said;
            outcome.invented += said && !real;
            const double p = found.pair_probability(i, j);
            const auto bin = static_cast<std::size_t>(std::min(9.0, std::floor(10.0 * p)));
            outcome.sum[bin] += p;
            outcome.joined[bin] += real;
            outcome.count[bin] += 1;
        }
    return outcome;
}

struct Reliability {
    std::array<double, 10> sum = {}, joined = {}, count = {};
};

void report(const Setting& setting, const std::vector<Outcome>& outcomes, Reliability& reliability) {
    int exact = 0, found = 0, wrong = 0, missed = 0, invented = 0;
    double expected = 0;
    for (const Outcome& outcome : outcomes) {
        exact += outcome.exact;
        if (outcome.found()) {
            ++found;
            wrong += !outcome.exact;
            missed += outcome.missed;
            invented += outcome.invented;
            expected += 1.0 - outcome.probability;
        }
        if (!is_sum(setting)) continue;
        for (std::size_t b = 0; b < 10; ++b) {
            reliability.sum[b] += outcome.sum[b];
            reliability.joined[b] += outcome.joined[b];
            reliability.count[b] += outcome.count[b];
        }
    }
    std::printf(
        "| %-30s | %3zu functions | exact %3d | found %3d | wrong %2d (expected %.2f) | pairs missed %d, invented %d "
        "|\n",
        setting.name.c_str(), outcomes.size(), exact, found, wrong, expected, missed, invented);
    std::fflush(stdout);
}

// How often pairs of a stated probability are real, with two standard errors, beside what was stated.
std::string drawn(const Reliability& reliability) {
    plot::ErrorBars seen{.name = "pairs that are real"};
    for (std::size_t b = 0; b < 10; ++b) {
        const double n = reliability.count[b];
        if (n == 0) continue;
        const double share = reliability.joined[b] / n;
        seen.x.push_back(reliability.sum[b] / n);
        seen.y.push_back(share);
        seen.error.push_back(2.0 * std::sqrt(std::max(share * (1.0 - share), 1.0 / n) / n));
    }
    return plot::figure(
        {{.title = "Pair probabilities",
          .x = {.label = "stated"},
          .y = {.label = "share that is real"},
          .series = {plot::Line{.name = "as stated", .x = {0.0, 1.0}, .y = {0.0, 1.0}, .dash = "5 4"}, seen}}});
}

int run(const std::vector<std::string>& arguments) {
    std::vector<std::string> wanted;
    int functions = 20, first = 0, threads = 1;
    std::string csv;
    std::string plot;
    bool report_only = false, all_right = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto number = [&] { return std::stoi(arguments.at(++i)); };
        if (arguments[i] == "--functions")
            functions = number();
        else if (arguments[i] == "--first")
            first = number();
        else if (arguments[i] == "--threads")
            threads = number();
        else if (arguments[i] == "--report")
            report_only = true;
        else if (arguments[i] == "--right")
            all_right = true;
        else if (arguments[i] == "--plot")
            plot = arguments.at(++i);
        else if (arguments[i] == "--csv")
            csv = arguments.at(++i);
        else
            wanted.push_back(arguments[i]);
    }
    std::vector<Setting> settings = report_only ? reporting() : choosing();
    if (all_right)
        for (Setting& setting : settings) setting.wrong = 0;
    std::ofstream file(csv);
    if (file) file << "setting,function,verdict,exact,missed,invented,probability,noise_share,noticed,share,left_out\n";
    Reliability reliability;
    for (const Setting& setting : settings) {
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), setting.name) == wanted.end()) continue;
        std::vector<Outcome> outcomes(static_cast<std::size_t>(functions));
        parallel_for(functions, threads, [&](std::int64_t f) {
            outcomes[static_cast<std::size_t>(f)] = run_function(setting, first + static_cast<int>(f));
        });
        report(setting, outcomes, reliability);
        for (int f = 0; file && f < functions; ++f) {
            const Outcome& outcome = outcomes[static_cast<std::size_t>(f)];
            file << setting.name << ',' << first + f << ',' << name_of(outcome.verdict) << ',' << outcome.exact << ','
                 << outcome.missed << ',' << outcome.invented << ',' << outcome.probability << ','
                 << outcome.noise_share << ',' << outcome.noticed << ',' << outcome.share << ',' << outcome.left_out
                 << '\n';
        }
    }
    std::printf("pairs by stated probability: stated, true, pairs\n");
    for (std::size_t b = 0; b < 10; ++b)
        if (reliability.count[b] > 0)
            std::printf("  %.3f  %.3f  %.0f\n", reliability.sum[b] / reliability.count[b],
                        reliability.joined[b] / reliability.count[b], reliability.count[b]);
    if (!plot.empty()) std::ofstream(plot) << drawn(reliability);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "summand_verdicts: %s\n", error.what());
        return 2;
    }
}
