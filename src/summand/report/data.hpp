// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/insight.hpp"
#include "summand/optimizer/options.hpp"
#include "summand/space/trial.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace summand::report {

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
    std::vector<Trial> trials = {};  ///< by id
    std::map<std::int64_t, std::string> logs =
        {};  ///< by id: the end of what a trial's program wrote, where it is shown
    std::vector<ReportAsk> asks = {};
    std::optional<std::int64_t> budget = {};  ///< trials planned in all
    std::optional<double> target = {};        ///< the study stops at a value as good as this
    std::optional<double> optimum = {};       ///< the best value there is, if known
    double created_at = 0.0;
    double made_at = 0.0;  ///< the time of the report

    // What has been learned; empty before there is a model.
    StructureView structure = {};
    std::vector<GroupSlice> slices = {};      ///< of the model that leads
    std::vector<Importance> importance = {};  ///< in the order of the space
    std::optional<Recommended> recommended = {};
    std::vector<std::string> notes = {};  ///< sentences: what could not be shown, and why

    std::vector<std::pair<std::string, std::string>> option_list = {};   ///< name and value, as text
    std::vector<std::pair<std::string, std::string>> setting_list = {};  ///< likewise: command, limits, workers
    std::string version = {};

    /// The recommended trial, if it is another one than best(), which may have its value by chance or mistake.
    const Recommended* recommended_instead() const;
    const Trial* best() const;  ///< the best completed trial, the first among equals; null if there is none
};

}  // namespace summand::report
