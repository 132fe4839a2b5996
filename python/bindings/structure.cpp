// SPDX-License-Identifier: Apache-2.0
#include "convert.hpp"
#include "interruptible.hpp"
#include "module.hpp"
#include "summand/base/error.hpp"
#include "summand/model/additive_gp.hpp"
#include "summand/model/fit.hpp"
#include "summand/structure/learner.hpp"

#include <array>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace summand::python {
namespace {

using structure::StructurePosterior;

constexpr std::array kernel_words = {"squared-exponential", "matern52"};  // as in KernelFamily

KernelFamily family_from(const std::string& word) {
    for (std::size_t k = 0; k < kernel_words.size(); ++k)
        if (word == kernel_words[k]) return static_cast<KernelFamily>(k);
    throw InvalidArgument("kernel is \"" + word + "\"; it must be \"squared-exponential\" or \"matern52\"");
}

Vector vector_of(const std::vector<double>& values) {
    return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

std::vector<double> list_of(const Vector& values) {
    return {values.begin(), values.end()};
}

template <class T>
T get(const nb::dict& settings, const char* key) {
    return nb::cast<T>(settings[key]);
}

/// The chosen learner with its own settings.
structure::Learner learner_from(const nb::dict& settings, Index dimension) {
    const auto name = get<std::string>(settings, "learner");
    if (name == "annealed")
        return structure::AnnealedChains{get<int>(settings, "chains"), get<int>(settings, "max_sweeps"),
                                         get<int>(settings, "samples"), get<bool>(settings, "all_points")};
    if (name == "gibbs") return structure::Gibbs{get<int>(settings, "sweeps"), get<int>(settings, "burn_in")};
    if (name == "none") return structure::None{};
    if (name == "full") return structure::Full{};
    if (name == "best-of-random") return structure::BestOfRandom{get<int>(settings, "candidates")};
    if (name == "known")
        return structure::Known{
            Partition::from_groups(get<std::vector<std::vector<Index>>>(settings, "groups"), dimension)};
    throw InvalidArgument("learn_structure: learner is \"" + name +
                          "\"; it must be \"annealed\", \"gibbs\", \"known\", \"none\", \"full\" or "
                          "\"best-of-random\"");
}

structure::GivenHyperparameters given_from(const nb::dict& given) {
    return {family_from(get<std::string>(given, "kernel")), vector_of(get<std::vector<double>>(given, "lengthscale")),
            get<double>(given, "variance"), get<double>(given, "noise_variance"), get<double>(given, "mean")};
}

structure::LearnOptions learn_options_from(const nb::dict& settings) {
    structure::LearnOptions options;
    options.prior.alpha = get<std::vector<double>>(settings, "alpha");
    if (get<std::string>(settings, "prior") == "dirichlet-process")
        options.prior.family = structure::DirichletProcess{};
    options.max_group_size = get<std::optional<Index>>(settings, "max_group_size");
    if (settings.contains("hyperparameters") && !settings["hyperparameters"].is_none())
        options.hyperparameters = given_from(get<nb::dict>(settings, "hyperparameters"));
    else
        options.hyperparameters =
            structure::LearnedHyperparameters{.family = family_from(get<std::string>(settings, "kernel"))};
    options.unordered = get<std::vector<bool>>(settings, "unordered");
    for (const auto& labels : get<std::vector<std::vector<int>>>(settings, "warm_start"))
        options.warm_start.push_back(Partition::from_labels(labels));
    options.threads = get<std::optional<int>>(settings, "threads");
    return options;
}

nb::dict to_python(const structure::GivenHyperparameters& used) {
    nb::dict result;
    result["kernel"] = kernel_words[static_cast<std::size_t>(used.family)];
    result["lengthscale"] = list_of(used.lengthscale);
    result["variance"] = used.variance;
    result["noise_variance"] = used.noise_variance;
    result["mean"] = used.mean;
    return result;
}

nb::dict to_python(StructurePosterior posterior) {
    nb::list samples, partitions;
    for (const Partition& sample : posterior.samples) samples.append(sample.labels());
    for (const auto& each : posterior.partitions)
        partitions.append(nb::make_tuple(each.partition.groups(), each.weight, each.log_likelihood));
    nb::dict result;
    result["groups"] = posterior.best.groups();
    result["log_likelihood"] = posterior.log_likelihood;
    result["consensus"] = posterior.consensus.groups();
    result["samples"] = samples;
    result["partitions"] = partitions;
    result["pair_probability"] = to_numpy(std::move(posterior.pair_probability));
    result["verdict"] = structure::name_of(posterior.verdict);
    result["verdict_text"] = posterior.verdict_text;
    result["chain_agreement"] = posterior.chain_agreement;
    result["effective_samples"] = posterior.effective_samples;
    result["site_acceptance"] = posterior.site_acceptance;
    result["swap_acceptance"] = posterior.swap_acceptance;
    result["resplit_acceptance"] = posterior.resplit_acceptance;
    result["noise_share"] = posterior.noise_share;
    result["hyperparameters"] = to_python(posterior.hyperparameters);
    result["two_level"] = posterior.two_level;
    result["points_used"] = posterior.points_used;
    result["sweeps"] = posterior.sweeps;
    result["factorisations"] = posterior.factorisations;
    return result;
}

nb::dict learn_structure(const MatrixView& X, const VectorView& y, std::uint64_t seed, const nb::dict& settings,
                         const nb::object& progress) {
    const Matrix inputs = matrix_from(X);
    const Vector values = vector_from(y);
    const structure::Learner learner = learner_from(settings, inputs.cols());
    structure::LearnOptions options = learn_options_from(settings);
    if (!progress.is_none())
        options.progress = [&progress](const structure::Progress& now) {
            const nb::gil_scoped_acquire gil;
            progress(now.chain, now.sweep, now.sweeps, now.noise_share, now.log_likelihood);
        };
    return to_python(interruptible([&](const std::stop_token& stop) {
        options.stop = stop;
        return structure::learn_structure(inputs, values, learner, Rng::from_seed(seed), options);
    }));
}

AdditiveGp fit_model(const MatrixView& X, const VectorView& y, const std::vector<std::vector<Index>>& groups,
                     const std::string& kernel, const std::vector<bool>& unordered, std::uint64_t seed) {
    const Matrix inputs = matrix_from(X);
    const Vector values = vector_from(y);
    const Partition partition = Partition::from_groups(groups, inputs.cols());
    const FitOptions options{.family = family_from(kernel)};
    return interruptible([&](const std::stop_token& stop) {
        const FitResult fit =
            fit_hyperparameters(partition, inputs, values, unordered, options, Rng::from_seed(seed), {}, stop);
        return AdditiveGp(options.family, partition, fit.hyperparameters, inputs, values, unordered);
    });
}

/// All a model is made of: what a pickle keeps.
nb::tuple state(const AdditiveGp& gp) {
    const Hyperparameters& h = gp.hyperparameters();
    return nb::make_tuple(kernel_words[static_cast<std::size_t>(gp.family())], gp.partition().groups(),
                          list_of(h.lengthscale), list_of(h.variance), h.noise_variance, h.mean, to_numpy(gp.inputs()),
                          to_numpy(gp.values()), gp.unordered());
}

AdditiveGp restore_model(const nb::tuple& state) {
    Hyperparameters hyperparameters;
    hyperparameters.lengthscale = vector_of(nb::cast<std::vector<double>>(state[2]));
    hyperparameters.variance = vector_of(nb::cast<std::vector<double>>(state[3]));
    hyperparameters.noise_variance = nb::cast<double>(state[4]);
    hyperparameters.mean = nb::cast<double>(state[5]);
    const Matrix inputs = matrix_from(nb::cast<MatrixView>(state[6]));
    const Vector values = vector_from(nb::cast<VectorView>(state[7]));
    const Partition partition =
        Partition::from_groups(nb::cast<std::vector<std::vector<Index>>>(state[1]), inputs.cols());
    return AdditiveGp(family_from(nb::cast<std::string>(state[0])), partition, hyperparameters, inputs, values,
                      nb::cast<std::vector<bool>>(state[8]));
}

/// (mean, standard deviation) of some marginals.
nb::tuple to_python(Marginals marginals) {
    return nb::make_tuple(to_numpy(std::move(marginals.mean)), to_numpy(Vector(marginals.variance.cwiseSqrt())));
}

nb::dict hyperparameters(const AdditiveGp& gp) {
    nb::dict result;
    result["lengthscale"] = list_of(gp.hyperparameters().lengthscale);
    result["variance"] = list_of(gp.hyperparameters().variance);
    result["noise_variance"] = gp.hyperparameters().noise_variance;
    result["mean"] = gp.hyperparameters().mean;
    return result;
}

}  // namespace

void bind_structure(nb::module_& module) {
    using namespace nb::literals;
    module.def("learn_structure", &learn_structure, "X"_a, "y"_a, "seed"_a, "settings"_a,
               "progress"_a.none() = nb::none());
    module.def("fit_model", &fit_model, "X"_a, "y"_a, "groups"_a, "kernel"_a, "unordered"_a, "seed"_a);
    module.def("restore_model", &restore_model, "state"_a);
    nb::class_<AdditiveGp>(module, "Model")
        .def("groups", [](const AdditiveGp& self) { return self.partition().groups(); })
        .def("hyperparameters", &hyperparameters)
        .def("log_likelihood", &AdditiveGp::log_marginal_likelihood)
        .def("size", &AdditiveGp::size)
        .def("state", &state)
        .def("predict",
             [](const AdditiveGp& self, const MatrixView& X) {
                 const Matrix points = matrix_from(X);
                 return to_python(interruptible([&](const std::stop_token&) { return self.sum_marginals(points); }));
             })
        .def("predict_group", [](const AdditiveGp& self, Index group, const MatrixView& Z) {
            const Matrix points = matrix_from(Z);
            return to_python(
                interruptible([&](const std::stop_token&) { return self.group_marginals(group, points); }));
        });
}

}  // namespace summand::python
