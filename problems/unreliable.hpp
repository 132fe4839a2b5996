// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "problems/problem.hpp"
#include "summand/base/error.hpp"

#include <stop_token>

namespace summand::problems {

enum class Mishap { none, crash, hang, nan, rubbish };

/// How often each happens, in [0,1]; the rest of the evaluations go well.
struct MishapRates {
    double crash = 0.0;    ///< the program dies
    double hang = 0.0;     ///< it never answers
    double nan = 0.0;      ///< its answer is not a number
    double rubbish = 0.0;  ///< its answer is not even "nan"
    bool any() const { return crash + hang + nan + rubbish > 0.0; }
};

/// What Unreliable throws where a program would have died or printed rubbish.
class EvaluationFailed : public Error {
  public:
    using Error::Error;
};

/// A problem whose evaluations fail on demand, for tests of everything that runs them.
///
/// Which evaluation meets which mishap depends on the seed, the point and `repeat` only.
class Unreliable {
  public:
    /// Throws InvalidArgument unless the rates are in [0,1] and add up to 1 at most.
    Unreliable(Problem problem, const MishapRates& rates, std::uint64_t seed);

    const Problem& problem() const { return problem_; }
    Mishap mishap(const Vector& values, std::uint64_t repeat = 0) const;

    /// The value; or not a number; or throws EvaluationFailed (crash, rubbish). A hang lasts until `stop` is requested and
    /// then throws Interrupted; with a token that cannot be stopped, for ever.
    double evaluate(const Vector& values, std::uint64_t repeat = 0, std::stop_token stop = {}) const;

    /// Something no reader should take for a number.
    std::string rubbish(const Vector& values, std::uint64_t repeat = 0) const;

  private:
    Rng stream(const char* purpose, const Vector& values, std::uint64_t repeat) const;

    Problem problem_;
    MishapRates rates_;
    std::uint64_t seed_;
};

}  // namespace summand::problems
