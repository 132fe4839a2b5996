// SPDX-License-Identifier: Apache-2.0
#include "experiments/search.hpp"
#include "experiments/statistics.hpp"
#include "summand/plot/figure.hpp"
#include "summand/plot/terminal.hpp"

#include <cstdio>

// What is shown of a search: means over functions with standard deviations, as the paper's tables have them.
namespace summand::experiments {
namespace {

/// By panel and searcher.
using Found = std::map<std::string, std::map<std::string, std::vector<const Result*>>>;

Summary summary_of(const Found& found, const std::string& panel, const std::string& searcher,
                   const std::string& quantity) {
    std::vector<double> values;
    const auto of_panel = found.find(panel);
    if (of_panel == found.end()) return {};
    const auto results = of_panel->second.find(searcher);
    if (results == of_panel->second.end()) return {};
    for (const Result* result : results->second) values.push_back(result->numbers.at(quantity));
    return summarize(values);
}

/// Two decimals, as the paper writes them.
std::string field(double mean, double stddev) {
    char text[48];
    std::snprintf(text, sizeof text, "%.2f ± %.2f", mean, stddev);
    return text;
}

/// Without joined pairs (D = 2) there is nothing to find together.
bool meaningful(const std::string& quantity, int dimension) {
    return dimension > 2 || quantity == "separated" || quantity == "rand_index" || quantity == "likelihood_gap";
}

std::vector<std::string> paper_row(const Search& search, const PaperRow& row, int dimension) {
    std::vector<std::string> fields = {std::to_string(dimension), "the paper"};
    for (const int N : search.points) {
        std::string text = "";
        for (std::size_t i = 0; i < paper_points.size(); ++i)
            if (paper_points[i] == N) text = field(row[i].mean, row[i].stddev);
        fields.push_back(text);
    }
    return fields;
}

std::string table(const Search& search, const Found& found, const std::string& quantity) {
    plot::TextTable table{.head = {"D", quantity}, .align = "rl"};
    for (const int N : search.points) {
        table.head.push_back("N=" + std::to_string(N));
        table.align += "r";
    }
    for (const int D : search.dimensions)
        for (const Searcher& searcher : search.searchers) {
            if (!meaningful(quantity, D)) continue;
            std::vector<std::string> row = {std::to_string(D), searcher.name};
            bool any = false;
            for (const int N : search.points) {
                const Summary summary = summary_of(found, search_panel(D, N), searcher.name, quantity);
                any |= summary.count > 0;
                row.push_back(summary.count > 0 ? field(summary.mean, summary.stddev) : "");
            }
            if (!any) continue;
            const auto paper = searcher.paper ? searcher.paper(quantity, D) : std::nullopt;
            if (paper) table.rows.push_back(paper_row(search, *paper, D));
            table.rows.push_back(std::move(row));
        }
    return table.plain() + "\n";
}

const std::vector<std::string> quantities = {"together", "separated", "rand_index",     "precision",
                                             "f1",       "exact",     "likelihood_gap", "seconds"};

std::string csv_of(const Search& search, const Found& found) {
    std::string csv = "dimension,points,searcher,functions,quantity,mean,stddev,paper_mean,paper_stddev\n";
    for (const int D : search.dimensions)
        for (const int N : search.points)
            for (const Searcher& searcher : search.searchers)
                for (const std::string& quantity : quantities) {
                    const Summary summary = summary_of(found, search_panel(D, N), searcher.name, quantity);
                    if (summary.count == 0 || !meaningful(quantity, D)) continue;
                    csv += std::to_string(D) + "," + std::to_string(N) + "," + searcher.name + "," +
                           std::to_string(summary.count) + "," + quantity + "," + number(summary.mean) + "," +
                           number(summary.stddev);
                    const auto paper = searcher.paper ? searcher.paper(quantity, D) : std::nullopt;
                    std::string paper_fields = ",,";
                    for (std::size_t i = 0; paper && i < paper_points.size(); ++i)
                        if (paper_points[i] == N)
                            paper_fields = "," + number((*paper)[i].mean) + "," + number((*paper)[i].stddev);
                    csv += paper_fields + "\n";
                }
    return csv;
}

/// The mean over functions with a band of a standard error, against N.
void add_searcher(plot::Panel& axes, const Search& search, const Found& found, const Searcher& searcher, int D,
                  const std::string& quantity, const plot::Color& color) {
    plot::Band band{.name = searcher.name, .color = color};
    plot::Line line{.name = searcher.name, .color = color};
    for (const int N : search.points) {
        const Summary summary = summary_of(found, search_panel(D, N), searcher.name, quantity);
        if (summary.count == 0) continue;
        line.x.push_back(N);
        line.y.push_back(summary.mean);
        band.low.push_back(summary.mean - summary.standard_error());
        band.high.push_back(summary.mean + summary.standard_error());
    }
    band.x = line.x;
    if (line.x.empty()) return;
    axes.series.emplace_back(std::move(band));
    axes.series.emplace_back(std::move(line));
}

void add_paper(plot::Panel& axes, const Searcher& searcher, int D, const std::string& quantity,
               const plot::Color& color) {
    const auto paper = searcher.paper ? searcher.paper(quantity, D) : std::nullopt;
    if (!paper) return;
    plot::Line line{.name = "the paper: " + searcher.name, .color = color, .dash = "5 3"};
    for (std::size_t i = 0; i < paper_points.size(); ++i) {
        line.x.push_back(paper_points[i]);
        line.y.push_back((*paper)[i].mean);
    }
    axes.series.emplace_back(std::move(line));
}

std::string drawn(const Search& search, const Found& found) {
    std::vector<plot::Panel> panels;
    for (const std::string& quantity : search.plotted)
        for (const int D : search.dimensions) {
            plot::Panel axes{.title = "D=" + std::to_string(D),
                             .x = {.label = "points", .low = 0.0, .high = 1.05 * search.points.back()},
                             .y = {.label = quantity == "rand_index" ? "Rand index" : quantity,
                                   .low = search.plotted_from,
                                   .high = 1.02}};
            if (!meaningful(quantity, D)) axes.title += ": no pair to find";
            for (std::size_t i = 0; i < search.searchers.size() && meaningful(quantity, D); ++i) {
                const plot::Color color = plot::Color::series(static_cast<int>(i));
                add_paper(axes, search.searchers[i], D, quantity, color);
                add_searcher(axes, search, found, search.searchers[i], D, quantity, color);
            }
            panels.push_back(std::move(axes));
        }
    return plot::figure(std::move(panels), {.title = search.summary,
                                            .columns = static_cast<int>(search.dimensions.size()),
                                            .panel_width = search.dimensions.size() > 1 ? 250.0 : 640.0,
                                            .panel_height = search.dimensions.size() > 1 ? 220.0 : 400.0,
                                            .shared_legend = true});
}

}  // namespace

Report search_report(const Search& search, const std::vector<Result>& results) {
    Found found;
    for (const Result& result : results) found[result.cell.panel][result.cell.method].push_back(&result);
    Report report{.text = search.name + ": " + search.summary + " [" + search.source + "]\nThe paper: " + search.claim +
                          "\nMean ± standard deviation over functions, of the samples after burn-in; likelihood_gap is "
                          "the best sample's log likelihood minus the truth's.\n\n"};
    for (const std::string& quantity : quantities) report.text += table(search, found, quantity);
    report.files[search.name + ".csv"] = csv_of(search, found);
    report.files[search.name + ".svg"] = drawn(search, found);
    return report;
}

}  // namespace summand::experiments
