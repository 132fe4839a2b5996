// SPDX-License-Identifier: Apache-2.0
#include "summand/report/html.hpp"

#include "summand/plot/color.hpp"
#include "summand/plot/text.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>

namespace summand::report {
namespace {

using plot::escaped;

// The files page.css and page.js beside this one, put into the program when it is built.
constexpr const char* styles =
#include "page.css.inc"
    ;
constexpr const char* script =
#include "page.js.inc"
    ;

}  // namespace

std::string HtmlTable::str() const {
    const auto cell = [&](const char* tag, std::size_t k, const std::string& html) {
        const bool right = k < align.size() && align[k] == 'r';
        return std::string("<") + tag + (right ? " class=\"n\">" : ">") + html + "</" + tag + ">";
    };
    std::string html =
        std::string("<div class=\"scroll\"><table") + (sortable ? " class=\"sortable\"" : "") + "><thead><tr>";
    for (std::size_t k = 0; k < head.size(); ++k) html += cell("th", k, escaped(head[k]));
    html += "</tr></thead><tbody>\n";
    for (const auto& row : rows) {
        html += "<tr>";
        for (std::size_t k = 0; k < row.size(); ++k) html += cell("td", k, row[k]);
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

std::string html_section(const std::string& id, const std::string& title, const std::string& lead,
                         const std::string& html) {
    return "<section id=\"" + escaped(id) + "\"><h2>" + escaped(title) + "</h2>\n" +
           (lead.empty() ? "" : "<p class=\"lead\">" + escaped(lead) + "</p>\n") + html + "</section>\n";
}

std::string html_card(const std::string& label, const std::string& value, const std::string& detail) {
    return "<div class=\"card\"><div class=\"label\">" + escaped(label) + "</div><div class=\"value\">" +
           escaped(value) + "</div><div class=\"detail\">" + escaped(detail) + "</div></div>\n";
}

std::string html_figure(const std::string& html, const std::string& caption) {
    return "<figure>" + html + (caption.empty() ? "" : "<figcaption>" + escaped(caption) + "</figcaption>") +
           "</figure>\n";
}

std::string html_track(double position) {
    return "<span class=\"track\"><i style=\"left:" + plot::coordinate(100 * std::min(1.0, std::max(0.0, position))) +
           "%\"></i></span>";
}

std::string html_page(const std::string& title, const std::string& body_html, const std::string& data_html) {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>" +
           escaped(title) + "</title>\n<style>" + styles + plot::stylesheet() + "</style></head>\n<body><main>\n" +
           body_html + "</main>\n" + data_html + "<script>" + script + "</script></body></html>\n";
}

std::string utc_time(double seconds) {
    if (!(std::abs(seconds) < 1e11)) return "unknown";
    using namespace std::chrono;
    const sys_seconds time{std::chrono::seconds{static_cast<long long>(std::floor(seconds))}};
    const sys_days day = floor<days>(time);
    const year_month_day date{day};
    const hh_mm_ss clock{time - day};
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02u-%02u %02d:%02d UTC", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()));
    return text;
}

}  // namespace summand::report
