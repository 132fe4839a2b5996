// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/plot/figure.hpp"
#include "summand/report/data.hpp"

#include <string>
#include <vector>

// The plots of a report as panels, so that a page and a file of its own show the same.
namespace summand::report {

struct ReportPlot {
    std::string name = {};  ///< of its file: "progress", "slice-3-x-y"
    plot::Panel panel = {};
    double width = 480, height = 300;
    std::string caption = {};  ///< a sentence below it, or empty

    std::string svg(plot::Document document) const;
    /// The same plot for a screen that is `new_width` pixels wide.
    std::string svg(plot::Document document, double new_width) const;
    /// Higher by what long names under the axis need, so that axes beside each other are equally long.
    ReportPlot with_room_below() const;
};

// Each gives nothing when there is nothing to show.
std::vector<ReportPlot> progress_plots(const ReportData& data);  ///< values and the best so far, failures marked
std::vector<ReportPlot> regret_plots(const ReportData& data);  ///< averaged and simple regret, if the optimum is known
std::vector<ReportPlot> structure_plots(const ReportData& data);   ///< pair probabilities, parameters ordered by group
std::vector<ReportPlot> slice_plots(const ReportData& data);       ///< one for each slice
std::vector<ReportPlot> importance_plots(const ReportData& data);  ///< the 40 most important parameters
std::vector<ReportPlot> value_plots(const ReportData& data);       ///< the value against each parameter
std::vector<ReportPlot> parallel_plots(const ReportData& data);    ///< a line for each trial across the parameters
std::vector<ReportPlot> time_plots(const ReportData& data);        ///< seconds of each trial and of each suggestion

/// The values that plots of values show: the good end always; a long tail of bad ones is cut off.
plot::Range value_range(const ReportData& data);

/// "trial 7: 0.25", or why it failed.
std::string trial_tooltip(const Trial& trial);

/// All of them, in the order of the page.
std::vector<ReportPlot> all_plots(const ReportData& data);

/// The parameters' names ordered so that groups stand together, as the heat map shows them.
std::vector<std::string> names_by_group(const StructureView& structure);

}  // namespace summand::report
