// SPDX-License-Identifier: Apache-2.0
#include "problems/unreliable.hpp"

#include <bit>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <utility>

namespace summand::problems {

Unreliable::Unreliable(Problem problem, const MishapRates& rates, std::uint64_t seed)
    : problem_(std::move(problem)), rates_(rates), seed_(seed) {
    double sum = 0.0;
    for (const double rate : {rates.crash, rates.hang, rates.nan, rates.rubbish}) {
        if (!(rate >= 0.0 && rate <= 1.0))
            throw InvalidArgument("failures on demand: a probability of " + to_text(rate) +
                                  " was given; each must be from 0 to 1");
        sum += rate;
    }
    if (sum > 1.0)
        throw InvalidArgument("failures on demand: the probabilities add up to " + to_text(sum) +
                              "; at most one mishap meets an evaluation, so give at most 1 in all");
}

Rng Unreliable::stream(const char* purpose, const Vector& values, std::uint64_t repeat) const {
    Rng rng = Rng::from_seed(seed_).stream(purpose, {static_cast<std::int64_t>(repeat)});
    for (const double value : values) rng = rng.stream("value", {std::bit_cast<std::int64_t>(value + 0.0)});
    return rng;
}

Mishap Unreliable::mishap(const Vector& values, std::uint64_t repeat) const {
    double u = stream("problem/mishap", values, repeat).uniform();
    const std::pair<double, Mishap> cases[] = {{rates_.crash, Mishap::crash},
                                               {rates_.hang, Mishap::hang},
                                               {rates_.nan, Mishap::nan},
                                               {rates_.rubbish, Mishap::rubbish}};
    for (const auto& [rate, mishap] : cases) {
        if (u < rate) return mishap;
        u -= rate;
    }
    return Mishap::none;
}

std::string Unreliable::rubbish(const Vector& values, std::uint64_t repeat) const {
    static const std::vector<std::string> samples = {"",    "value: 1.0", "1.0 2.0", "Segmentation fault",
                                                     "1,5", "0x",         "\xff\xfe"};
    const auto i = stream("problem/rubbish", values, repeat).below(static_cast<std::int64_t>(samples.size()));
    return samples[static_cast<std::size_t>(i)];
}

double Unreliable::evaluate(const Vector& values, std::uint64_t repeat, std::stop_token stop) const {
    switch (mishap(values, repeat)) {
        case Mishap::none:
            break;
        case Mishap::crash:
            throw EvaluationFailed("problem \"" + problem_.name + "\": crashed on demand");
        case Mishap::rubbish:
            throw EvaluationFailed("problem \"" + problem_.name + "\": printed rubbish on demand: \"" +
                                   rubbish(values, repeat) + "\"");
        case Mishap::nan:
            return std::numeric_limits<double>::quiet_NaN();
        case Mishap::hang: {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any().wait(lock, stop, [] { return false; });
            throw Interrupted();
        }
    }
    return problem_.evaluate(values, repeat);
}

}  // namespace summand::problems
