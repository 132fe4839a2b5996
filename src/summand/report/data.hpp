// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/insight.hpp"
#include "summand/optimizer/options.hpp"
#include "summand/space/search_space.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace summand::report {

/// A trial as a report needs it. Times are seconds since 1970 (UTC).
struct ReportTrial {
    enum class State { running, completed, failed, abandoned, waiting };
    std::int64_t id = 0;
    State state = State::running;
    Point values = {};
    std::optional<double> value = {};                       ///< of a completed one
    std::string reason = {};                                ///< of a failed one
    std::vector<std::pair<std::string, double>> also = {};  ///< what was measured besides the value
    bool added = false;                                     ///< the user's own data
    std::int64_t ask = 0;                                   ///< trials of one ask are one batch
    double started_at = 0.0;
    std::optional<double> ended_at = {};
    std::string log = {};  ///< the end of what its program wrote, if it is shown
};

/// One suggestion.
struct ReportAsk {
    std::int64_t ask = 0;
    double seconds = 0.0;
    int count = 0;  ///< trials it gave
};

/// Everything a report shows, as plain values: what fills it (collect.hpp) and what draws it (page.hpp) meet only here.
struct ReportData {
    std::string name = {};
    std::string source = {};  ///< the study's file or database, as commands name it
    SearchSpace space;
    Options options = {};
    std::vector<ReportTrial> trials = {};  ///< by id
    std::vector<ReportAsk> asks = {};
    std::optional<std::int64_t> budget = {};  ///< trials planned in all
    std::optional<double> target = {};        ///< the study stops at a value as good as this
    std::optional<double> optimum = {};       ///< the best value there is, if known
    double created_at = 0.0;
    double made_at = 0.0;  ///< the time of the report

    // What has been learned; empty before there is a model.
    StructureView structure = {};
    std::vector<GroupSlice> slices = {};  ///< of the model that leads
    std::vector<double> importance = {};  ///< in the order of the space
    std::optional<Recommended> recommended = {};
    std::vector<std::string> notes = {};  ///< sentences: what could not be shown, and why

    std::vector<std::pair<std::string, std::string>> option_list = {};   ///< name and value, as text
    std::vector<std::pair<std::string, std::string>> setting_list = {};  ///< likewise: command, limits, workers
    std::string version = {};

    bool maximize() const { return options.goal == Goal::maximize; }
    /// The recommended trial, if values are noisy and it is another one than best().
    const Recommended* recommended_instead() const;
    const ReportTrial* best() const;  ///< the best completed trial, the first among equals; null if there is none
};

}  // namespace summand::report
