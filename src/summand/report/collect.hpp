// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/report/data.hpp"

#include <optional>

namespace summand {
class Study;
}

namespace summand::report {

struct CollectOptions {
    std::optional<double> optimum = {};  ///< the best value there is; empty: what the study says
    double now = 0.0;                    ///< seconds since 1970
    std::string source = {};             ///< the study's file or database, as commands name it; empty: its database
    std::size_t most_curves = 100;       ///< posterior slices of one parameter
    std::size_t most_maps = 60;          ///< of two parameters; a map takes about 40 kB of the page
    int resolution = 40;                 ///< points along each axis of a slice
    std::size_t most_logs = 200;         ///< trials that bring the end of what their programs wrote
    std::size_t log_bytes = 2000;        ///< of each
    int most_points = 1500;              ///< told points in the model of slices and importance: N points cost N³
};

/// Which slices of the posterior a report shows: the model's groups of one and two parameters give one each, groups of three their
/// three pairs, larger groups one curve for each parameter; groups of more important parameters first.
struct SlicePlan {
    std::vector<std::vector<std::string>> axes = {};
    std::size_t left_out = 0;  ///< beyond most_curves and most_maps
};
/// importance: a share for each of the names.
SlicePlan plan_slices(std::vector<std::vector<std::string>> groups, const std::vector<std::string>& names,
                      const std::vector<Importance>& importance, const CollectOptions& options);

/// Reads from a study what its report shows, the model's part too. What is left out, or cannot be had because the model
/// cannot be rebuilt, is said in a note.
ReportData collect(const Study& study, const CollectOptions& options);

}  // namespace summand::report
