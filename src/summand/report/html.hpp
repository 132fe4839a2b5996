// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

// The few pieces of HTML a page is made of. Arguments called `html` are markup, all others are plain text.
namespace summand::report {

/// A table. `sortable`: a click on a heading sorts.
struct HtmlTable {
    std::vector<std::string> head = {};               ///< plain text
    std::vector<std::vector<std::string>> rows = {};  ///< html, one cell for each heading
    std::string align = {};                           ///< a letter for each column: l or r; l where it ends
    bool sortable = false;
    std::string str() const;
};

std::string html_section(const std::string& id, const std::string& title, const std::string& lead,
                         const std::string& html);
std::string html_card(const std::string& label, const std::string& value, const std::string& detail);
std::string html_figure(const std::string& html, const std::string& caption);
/// A point on a bar, `position` in [0, 1].
std::string html_track(double position);

/// The whole page around a body: styles and script included, nothing fetched. data_html: what the script reads.
std::string html_page(const std::string& title, const std::string& body_html, const std::string& data_html);

/// "2026-01-31 14:05 UTC" of seconds since 1970.
std::string utc_time(double seconds);

}  // namespace summand::report
