// SPDX-License-Identifier: Apache-2.0
#include "summand/acquisition/pathwise.hpp"

#include "summand/acquisition/fourier_prior.hpp"
#include "summand/acquisition/group_kernel.hpp"
#include "summand/base/error.hpp"
#include "summand/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace summand {

struct PathwiseDraws::Shared {
    explicit Shared(const AdditiveGp& posterior) : gp(posterior) {}
    AdditiveGp gp;
    std::vector<GroupKernel> kernels;
    std::vector<FourierPrior> priors;
    Matrix V;  // N x count: v of every draw
};

PathwiseDraws::PathwiseDraws(const AdditiveGp& gp, const Vector& temper, int frequencies, const Rng& rng, int threads) {
    if (temper.size() < 1 || frequencies < 1)
        throw InvalidArgument("PathwiseDraws: asked for " + std::to_string(temper.size()) + " draws with " +
                              std::to_string(frequencies) + " frequencies; both must be at least 1");
    const auto shared = std::make_shared<Shared>(gp);
    const Index groups = gp.partition().group_count();
    for (Index m = 0; m < groups; ++m) {
        shared->kernels.emplace_back(shared->gp, m);
        shared->priors.emplace_back(shared->gp, m, temper, frequencies, rng);
    }
    std::vector<Matrix> prior(static_cast<std::size_t>(groups));
    parallel_for(groups, threads, [&](std::int64_t m) {
        const auto i = static_cast<std::size_t>(m);
        prior[i] = shared->priors[i].values(shared->kernels[i].observed());
    });
    // v = α - (K + σ² I)⁻¹ t (Σ_m g_m(X) + ε)
    Rng noise = rng.stream("pathwise/noise");
    const double stddev = std::sqrt(gp.hyperparameters().noise_variance + gp.jitter());
    Matrix drawn = Matrix::Zero(gp.size(), temper.size());
    for (Index b = 0; b < temper.size(); ++b)
        if (temper(b) != 0.0)
            for (double& entry : drawn.col(b)) entry = temper(b) * (stddev * noise.normal());
    for (const Matrix& part : prior) drawn += part;
    shared->V = gp.alpha().replicate(1, drawn.cols()) - gp.solve(drawn);
    shared_ = shared;
}

Index PathwiseDraws::count() const {
    return shared_->V.cols();
}

const AdditiveGp& PathwiseDraws::gp() const {
    return shared_->gp;
}

Matrix PathwiseDraws::values(Index m, const Matrix& Z) const {
    constexpr Index block = 256;
    const auto i = static_cast<std::size_t>(m);
    Matrix result = shared_->priors[i].values(Z);
    for (Index first = 0; first < Z.rows(); first += block) {
        const Index width = std::min(block, Z.rows() - first);
        result.middleRows(first, width).noalias() +=
            shared_->kernels[i].cross(Z.middleRows(first, width)).transpose() * shared_->V;
    }
    return result;
}

ValueGradients PathwiseDraws::gradients(Index m, const Matrix& Z, const std::vector<Index>& draws) const {
    const auto i = static_cast<std::size_t>(m);
    Matrix kernel, slope;
    shared_->kernels[i].cross(Z, kernel, slope);
    const Matrix weight = shared_->V(Eigen::all, draws);
    ValueGradients result{kernel.cwiseProduct(weight).colwise().sum().transpose(),
                          shared_->kernels[i].gradient(Z, slope, weight)};
    shared_->priors[i].add_gradients(Z, draws, result.value, result.gradient);
    return result;
}

Vector random_tempers(Index count, double from, Rng rng) {
    Vector temper(count);
    for (double& t : temper) t = from + (1.0 - from) * rng.uniform();
    return temper;
}

DrawSurface::DrawSurface(PathwiseDraws draws, Index draw, std::optional<Index> group)
    : draws_(std::move(draws)), draw_(draw), group_(group) {}

Index DrawSurface::dimension() const {
    const Partition& partition = draws_.gp().partition();
    return group_ ? static_cast<Index>(partition.group(*group_).size()) : partition.dimension();
}

Vector DrawSurface::values(const Matrix& Z) const {
    if (group_) return draws_.values(*group_, Z).col(draw_);
    Vector total = Vector::Constant(Z.rows(), draws_.gp().hyperparameters().mean);
    const Partition& partition = draws_.gp().partition();
    for (Index m = 0; m < partition.group_count(); ++m)
        total += draws_.values(m, Z(Eigen::all, partition.group(m))).col(draw_);
    return total;
}

ValueGradients DrawSurface::gradients(const Matrix& Z) const {
    const std::vector<Index> draws(static_cast<std::size_t>(Z.rows()), draw_);
    if (group_) return draws_.gradients(*group_, Z, draws);
    ValueGradients total{Vector::Constant(Z.rows(), draws_.gp().hyperparameters().mean), Matrix(Z.rows(), Z.cols())};
    const Partition& partition = draws_.gp().partition();
    for (Index m = 0; m < partition.group_count(); ++m) {
        const ValueGradients part = draws_.gradients(m, Z(Eigen::all, partition.group(m)), draws);
        total.value += part.value;
        total.gradient(Eigen::all, partition.group(m)) = part.gradient;
    }
    return total;
}

}  // namespace summand
