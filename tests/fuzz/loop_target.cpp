// SPDX-License-Identifier: Apache-2.0
#include "fuzz/absurd_number.hpp"
#include "fuzz/targets.hpp"
#include "summand/base/matrix.hpp"
#include "summand/optimizer/optimizer.hpp"
#include "summand/space/encoding.hpp"

#include <cmath>
#include <optional>
#include <stdexcept>

namespace summand::fuzz {
namespace {

/// Parameters whose values can hardly be told apart, or are many.
Parameter rare_parameter(Choices& choices, const std::string& name) {
    constexpr std::int64_t largest = std::int64_t{1} << 53;
    std::vector<std::string> words;
    switch (choices.below(6)) {
        case 0:
            return Levels{.name = name, .values = {0, 1e-300, 1e300}};
        case 1:
            return Levels{.name = name, .values = {1, std::nextafter(1e300, 0.0), 1e300}, .scale = Scale::log};
        case 2:
            return Integer{.name = name, .low = largest - 3, .high = largest, .scale = Scale::log};
        case 3:
            return Integer{.name = name, .low = 1, .high = largest, .scale = Scale::log};
        case 4:
            return Real{.name = name, .low = 1.0, .high = std::nextafter(1.0, 2.0)};
        default:
            for (int i = 0; i < 300; ++i) words.push_back(std::to_string(i));
            return Choice{.name = name, .values = words};
    }
}

Parameter parameter(Choices& choices, const std::string& name) {
    switch (choices.below(8)) {
        case 0:
            return Integer{.name = name, .low = -2, .high = choices.below(200)};
        case 1:
            return Choice{.name = name, .values = {"a", "b", "c"}};
        case 2:
            return Levels{.name = name, .values = {1e-300, 1.0, 1e300}};
        case 3:
            return Real{.name = name, .low = 1e-300, .high = 1e300, .scale = Scale::log};
        case 4:
            return Real{.name = name, .low = -1e300, .high = 1e300};
        case 5:
            return Real{.name = name, .low = 1.0, .high = 1.0 + 1e-9};
        case 6:
            return rare_parameter(choices, name);
        default:
            return Real{.name = name};
    }
}

SearchSpace space(Choices& choices) {
    std::vector<Parameter> parameters;
    const int count = 1 + choices.below(4);
    for (int j = 0; j < count; ++j) parameters.push_back(parameter(choices, "x" + std::to_string(j)));
    return SearchSpace(parameters);
}

template <class Enum>
Enum any_of(Choices& choices) {
    const auto words = words_of<Enum>();
    return from_string<Enum>(words[static_cast<std::size_t>(choices.below(static_cast<int>(words.size())))], "fuzz");
}

PaperStrategy paper(Choices& choices, bool groups) {
    PaperStrategy strategy{.learner = any_of<LearnerName>(choices),
                           .relearn_every = 1 + choices.below(3),
                           .sweeps = 3,
                           .burn_in = 1,
                           .hyperparameters = any_of<HyperparameterSource>(choices),
                           .kernel = any_of<KernelName>(choices),
                           .acquisition = any_of<AcquisitionName>(choices),
                           .batch_method = any_of<BatchName>(choices),
                           .structures = 1 + choices.below(2),
                           .ground_set = 16};
    if (strategy.learner == LearnerName::known && !groups) strategy.learner = LearnerName::full;
    if (choices.coin()) strategy.noise_variance = 1e-100;
    if (choices.coin()) strategy.lengthscale = 3.0;
    if (choices.coin()) strategy.variance = choices.coin() ? 1e100 : 1e-100;
    return strategy;
}

/// What is allowed and hardly ever asked for.
void make_rare(Options& options, Choices& choices) {
    if (choices.coin()) options.evaluation_seconds = choices.coin() ? 1e-300 : 1e300;
    if (choices.coin()) options.suggestion_share = 1e-9;
    if (choices.coin()) options.batch_size = 40;
    if (!options.strategy) options.strategy = DefaultStrategy{};
    if (auto* ours = std::get_if<DefaultStrategy>(&*options.strategy)) {
        *ours = {.max_group_size = 1 + choices.below(3),
                 .explore_share = choices.unit(),
                 .temper_from = choices.unit(),
                 .design_threshold = choices.coin() ? 1e-9 : 1e9};
        return;
    }
    auto& paper = std::get<PaperStrategy>(*options.strategy);
    if (choices.coin()) paper.max_groups = 1 + choices.below(4);
    if (choices.coin()) paper.max_group_size = 1 + choices.below(4);
    if (choices.coin()) paper.alpha = choices.coin() ? 1e-9 : 1e9;
    if (choices.coin()) paper.beta_factor = choices.coin() ? 0.0 : 1e6;
    if (choices.coin()) paper.lengthscale = choices.coin() ? 1e-6 : 1e6;
    if (choices.coin()) paper.noise_variance = 1e100;
}

Options options(Choices& choices) {
    Options result{.goal = any_of<Goal>(choices),
                   .batch_size = 1 + choices.below(3),
                   .seed = choices.byte(),
                   .threads = 1,
                   .initial_design = any_of<InitialDesign>(choices),
                   .initial_points = 1 + choices.below(4),
                   .model_points = 10};
    if (choices.coin()) result.groups = {{"x0"}};
    if (choices.coin()) result.budget = 1 + choices.below(30);
    if (choices.coin()) result.strategy = paper(choices, !result.groups.empty());
    if (result.seed % 8 == 7) make_rare(result, choices);
    return result;
}

/// Values of one kind for a while: constants, ties and plateaus are made of repeated ones.
class Values {
  public:
    Outcome next(Choices& choices, const Encoding& encoding, const Point& point) {
        const int kind = choices.below(8);
        if (kind == 0) return Failed{"crashed"};
        if (kind < 3) return last_;
        if (kind < 5) last_ = absurd_number(choices);
        if (kind >= 5) last_ = smooth(choices, encoding.encode(point));
        return last_;
    }

  private:
    double smooth(Choices& choices, const Vector& x) {
        if (choices.below(4) == 0) scale_ = absurd_number(choices);
        const double value = scale_ * (x.array() - 0.3).square().mean();
        return std::isfinite(value) ? value : 0.0;
    }
    double last_ = 0.0, scale_ = 1.0;
};

/// Empty: refused with a sentence, as are limits that no groups can keep.
std::optional<Optimizer> optimizer_of(const SearchSpace& space, const Options& options) {
    try {
        return Optimizer(space, options);
    } catch (const InvalidArgument& error) {
        require(error.what()[0] != '\0', "a refusal is a sentence");
        return {};
    }
}

void answer(Optimizer& optimizer, const Trial& trial, Outcome outcome, Choices& choices) {
    optimizer.tell(trial.id, std::move(outcome));
    switch (choices.below(16)) {
        case 0:
            return optimizer.abandon(trial.id);
        case 1:
            return optimizer.reopen(trial.id);
        case 2:
            optimizer.add_pending(trial.values);
            return;
        default:
            return;
    }
}

void look(const Optimizer& optimizer) {
    if (const auto top = optimizer.recommended())
        require(std::isfinite(top->mean) && std::isfinite(top->stddev), "a recommendation is made of numbers");
    for (const Importance& one : optimizer.importance()) require(std::isfinite(one.share), "importance is a number");
    for (const GroupSlice& slice : optimizer.group_slices(3))
        for (std::size_t i = 0; i < slice.mean.size(); ++i)
            require(std::isfinite(slice.mean[i]) && std::isfinite(slice.stddev[i]), "slices are numbers");
    for (const auto& row : optimizer.structure().pair_probability)
        for (const double p : row) require(p >= 0.0 && p <= 1.0, "pair probabilities are probabilities");
}

}  // namespace

void optimizer_loop(const std::uint8_t* data, std::size_t size) {
    Choices choices(data, size);
    const SearchSpace where = space(choices);
    const Options how = options(choices);
    const Encoding encoding(where);
    std::optional<Optimizer> made = optimizer_of(where, how);
    if (!made) return;
    Optimizer& optimizer = *made;
    Values values;
    constexpr int most_rounds = 5;
    try {
        for (int round = 0; round < most_rounds && !choices.empty(); ++round) {
            for (const Trial& trial : optimizer.ask()) {
                require(where.problem_with_point(trial.values).empty(), "a suggestion is a point of the space");
                if (choices.below(16) == 0) continue;  // pending for ever
                answer(optimizer, trial, values.next(choices, encoding, trial.values), choices);
                if (choices.below(16) == 0) optimizer.add(trial.values, values.next(choices, encoding, trial.values));
            }
        }
        if (choices.coin()) look(optimizer);
        if (choices.coin()) {
            Optimizer again(where, how, optimizer.history(), optimizer.snapshot());
            require(again.ask(1).front().values == optimizer.ask(1).front().values, "a replay asks for the same point");
        }
    } catch (const SpaceExhausted&) {  // a finite space has an end
    }
}

}  // namespace summand::fuzz
