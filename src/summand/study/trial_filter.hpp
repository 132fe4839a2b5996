// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/study/study.hpp"

namespace summand::study {

/// "value<0.1", "solver=adam", "rate>=1e-3": a comparison with the value, the duration in seconds, a further value
/// or a parameter. A trial that lacks what is compared does not meet it.
class Condition {
  public:
    /// Throws InvalidArgument for an unknown name, or a comparison of size with a word.
    Condition(const std::string& text, const SearchSpace& space, const std::vector<Trial>& trials);
    bool met_by(const Trial& trial, const SearchSpace& space) const;

  private:
    std::string name_ = {};
    std::string operator_ = {};
    std::string word_ = {};
    std::optional<double> number_ = {};
};

/// The names of further values, in the order in which trials first have them.
std::vector<std::string> further_names(const std::vector<Trial>& trials);
std::optional<double> number_of(const NamedValues& also, const std::string& name);

/// What trials can be sorted by and compared in: id, value, time, duration, a further value, a parameter that is a number.
std::optional<double> number_of(const Trial& trial, const std::string& name, const SearchSpace& space);

/// Which trials, in which order.
struct TrialQuery {
    std::vector<TrialState> states = {};       ///< empty: all
    std::vector<std::string> conditions = {};  ///< all of them must be met
    std::string sort = "id";
    bool descending = false;
};
/// What is missing (a running trial has no value) comes last in either direction. Throws InvalidArgument.
std::vector<Trial> select_trials(const SearchSpace& space, std::vector<Trial> trials, const TrialQuery& query);

/// Throws InvalidArgument, beginning with `where`, if trials have nothing of this name.
void check_name(const std::string& where, const std::string& name, const SearchSpace& space,
                const std::vector<Trial>& trials);

}  // namespace summand::study
