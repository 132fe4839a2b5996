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

constexpr const char* styles = R"css(
:root{color-scheme:light dark;--ink:#1c2430;--muted:#5b6675;--line:#dfe4ea;--paper:#fff;--ground:#f5f7f9;--accent:#0072b2;--tint:#e8f1f8;--bad:#c2321e}
@media (prefers-color-scheme:dark){:root{--ink:#e7ebf0;--muted:#a3adba;--line:#2b323c;--paper:#161b22;--ground:#0d1117;--accent:#4ea3e8;--tint:#1b2a3a;--bad:#ff7b66}}
*{box-sizing:border-box}
html{scroll-behavior:smooth}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
main{max-width:1060px;margin:0 auto;padding:32px 20px 64px}
header h1{font-size:30px;line-height:1.2;margin:0 0 4px;overflow-wrap:anywhere}
header p{margin:0;color:var(--muted)}
nav{display:flex;flex-wrap:wrap;gap:4px 16px;margin:14px 0 0;font-size:14px}
a{color:var(--accent);text-decoration:none}
a:hover{text-decoration:underline}
section{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:20px 24px 22px;margin:18px 0 0}
h2{font-size:18px;margin:0 0 4px}
h3{font-size:14px;margin:20px 0 6px}
.lead{margin:0 0 14px;color:var(--muted);max-width:70ch}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:14px;margin:20px 0 0}
.card{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:14px 18px}
.card .label{color:var(--muted);font-size:13px}
.card .value{font-size:25px;font-weight:600;line-height:1.3;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.card .detail{color:var(--muted);font-size:13px}
.card:first-child .value{color:var(--accent)}
figure{margin:0;min-width:0}
figcaption{color:var(--muted);font-size:13px;margin-top:2px}
svg{display:block;max-width:100%;height:auto}
.narrow{display:none}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(290px,100%),1fr));gap:18px 14px}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(300px,100%),1fr));gap:18px 36px}
.beside{display:flex;flex-wrap:wrap;gap:10px 32px;align-items:flex-start}
.beside>figure{flex:0 1 auto}
.beside>div{flex:1 1 260px;min-width:0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:5px 14px 5px 0;border-bottom:1px solid var(--line);vertical-align:top}
td{overflow-wrap:break-word}
th{color:var(--muted);font-weight:500;white-space:nowrap}
td.n,th.n{text-align:right;white-space:nowrap}
tr:last-child td{border-bottom:0}
table.sortable th{cursor:pointer}
table.sortable th:hover{color:var(--ink)}
code{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.track{display:inline-block;position:relative;width:120px;height:4px;border-radius:2px;background:var(--line);vertical-align:middle}
.track i{position:absolute;top:-4px;width:12px;height:12px;margin-left:-6px;border-radius:6px;background:var(--accent)}
.groups{columns:220px}
.group{display:flex;flex-wrap:wrap;gap:5px;margin:0 0 8px;padding-left:2.4em;position:relative;break-inside:avoid}
.group b{position:absolute;left:0;width:1.8em;text-align:right;font-weight:500;color:var(--muted);font-size:13px}
.chip{display:inline-block;margin:1px 2px 2px 0;background:var(--tint);border-radius:6px;padding:1px 8px;font-size:13px;overflow-wrap:anywhere}
.note{border-left:3px solid var(--bad);padding:2px 12px;margin:14px 0 0;color:var(--muted)}
footer{color:var(--muted);font-size:13px;margin:22px 4px 0}
@media (max-width:700px){main{padding:20px 12px 40px}section{padding:16px 14px 18px;border-radius:8px}.track{width:56px}.card{padding:10px 14px}.card .value{font-size:20px}.wide{display:none}.narrow{display:block}header h1{font-size:24px}}
@media print{body{background:#fff}section{break-inside:avoid;border:0;padding:0}nav{display:none}}
)css";

// Sorts a table by the clicked column, numbers as numbers, then in reverse.
constexpr const char* script = R"js(
for(const table of document.querySelectorAll('table.sortable'))table.tHead.addEventListener('click',e=>{
const th=e.target.closest('th');if(!th)return;const k=th.cellIndex,up=th.dataset.up!=='1',body=table.tBodies[0];
const key=r=>{const t=r.cells[k].textContent.trim(),n=parseFloat(t);return isNaN(n)?t:n};
const rows=[...body.rows].sort((a,b)=>{const x=key(a),y=key(b);return (typeof x===typeof y?(x<y?-1:x>y?1:0):typeof x==='number'?-1:1)*(up?1:-1)});
for(const h of table.tHead.rows[0].cells)delete h.dataset.up;th.dataset.up=up?'1':'0';body.append(...rows)});
)js";

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

std::string html_page(const std::string& title, const std::string& body_html) {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>" +
           escaped(title) + "</title>\n<style>" + styles + plot::stylesheet() + "</style></head>\n<body><main>\n" +
           body_html + "</main>\n<script>" + script + "</script></body></html>\n";
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
