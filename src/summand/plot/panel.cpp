// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/panel.hpp"

#include "summand/plot/text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace summand::plot {
namespace {

constexpr double tick_size = 11, label_size = 12, title_size = 13;
constexpr double longest_category = 120;  // pixels; longer names are cut
constexpr double bar_room = 64;           // for a colour bar
constexpr double label_room = 19;         // for the label of an axis
constexpr double row_height = 20;         // of a legend

Color color_in(const Colors& colors, const Series& series) {
    if (const std::optional<Color> own = color_of(series)) return *own;
    const auto found = colors.find(name_of(series));
    return found != colors.end() ? found->second : Color::series(0);
}

bool is_map(const Series& series) {
    return std::holds_alternative<HeatMap>(series) || std::holds_alternative<Contours>(series);
}

struct Ranges {
    Range x, y;
};
Ranges ranges_of(const Panel& panel) {
    const Extent extent = extent_of(panel.series, panel.x.scale, panel.y.scale);
    const bool map = std::any_of(panel.series.begin(), panel.series.end(), is_map);
    Ranges ranges{axis_range(panel.x, extent.x, !map), axis_range(panel.y, extent.y, !map)};
    // Bars stand on the axis.
    for (const Series& s : panel.series)
        if (const Bars* bars = std::get_if<Bars>(&s)) {
            Range& along = bars->horizontal ? ranges.x : ranges.y;
            const Range data = bars->horizontal ? extent.x : extent.y;
            if (data.low == 0.0 && !(bars->horizontal ? panel.x.low : panel.y.low)) along.low = 0.0;
        }
    return ranges;
}

double widest(const std::vector<Tick>& ticks) {
    double width = 0;
    for (const Tick& tick : ticks) width = std::max(width, text_width(tick.label, tick_size));
    return std::min(width, longest_category);
}

std::vector<Tick> ticks_of(const Axis& axis, Range range, int count) {
    if (axis.categories.empty())
        return axis.scale == Axis::Scale::log ? log_ticks(range.low, range.high, count)
                                              : linear_ticks(range.low, range.high, count, axis.whole);
    std::vector<Tick> ticks;
    for (std::size_t k = 0; k < axis.categories.size(); ++k)
        ticks.push_back({static_cast<double>(k), axis.categories[k]});
    return ticks;
}

std::vector<Tick> y_ticks(const Panel& panel, Range range, double pixels) {
    return ticks_of(panel.y, range, std::max(2, static_cast<int>(pixels / 45)));
}

// As many as fit without touching.
std::vector<Tick> x_ticks(const Panel& panel, Range range, double pixels) {
    int count = std::max(2, static_cast<int>(pixels / 76));
    std::vector<Tick> ticks = ticks_of(panel.x, range, count);
    while (panel.x.categories.empty() && count > 1 &&
           static_cast<double>(ticks.size()) * (widest(ticks) + 14) > pixels + 30)
        ticks = ticks_of(panel.x, range, --count);
    return ticks;
}

// Names under the x axis stand upright if they fit, otherwise they are turned.
bool turned(const Axis& axis, const std::vector<Tick>& ticks, double pixels) {
    return !axis.categories.empty() && widest(ticks) + 8 > pixels / static_cast<double>(axis.categories.size());
}

// Every how many categories a name is written, so that names do not touch.
std::size_t label_stride(const Axis& axis, double pixels) {
    if (axis.categories.empty()) return 1;
    return std::max<std::size_t>(
        1, static_cast<std::size_t>(std::ceil(13.0 * static_cast<double>(axis.categories.size()) / pixels)));
}

// Height of the names and numbers under the x axis.
double x_tick_room(const Panel& panel, const std::vector<Tick>& ticks, double pixels) {
    return turned(panel.x, ticks, pixels) ? 0.72 * widest(ticks) + 16 : 20;
}

struct Entry {
    std::vector<const Series*> series;  // all of this name in the first panel that has it
    double width;
};
std::vector<Entry> entries_of(const std::vector<const Panel*>& panels) {
    std::vector<Entry> entries;
    std::map<std::string, std::pair<std::size_t, const Panel*>> first;  // where a name was seen first
    for (const Panel* panel : panels)
        for (const Series& s : panel->series) {
            if (name_of(s).empty()) continue;
            const auto [it, is_new] = first.try_emplace(name_of(s), entries.size(), panel);
            if (is_new) entries.push_back({{}, 18 + 6 + text_width(name_of(s), tick_size) + 14});
            if (it->second.second == panel) entries[it->second.first].series.push_back(&s);
        }
    return entries;
}

struct Frame {  // the axes' rectangle in the panel
    double left, top, right, bottom;
};

void draw_x_axis(Svg& svg, const Panel& panel, const Frame& f, const AxisMap& x, const std::vector<Tick>& ticks) {
    const bool turn = turned(panel.x, ticks, f.right - f.left);
    const std::size_t stride = turn ? label_stride(panel.x, f.right - f.left) : 1;
    for (std::size_t k = 0; k < ticks.size(); ++k) {
        const double at = x(ticks[k].value);
        if (panel.grid && panel.x.categories.empty()) svg.line({at, f.top}, {at, f.bottom}, stroked(Color::grid()));
        if (k % stride != 0) continue;
        const std::string text = shortened(ticks[k].label, longest_category, tick_size);
        TextStyle style{.size = tick_size, .anchor = turn ? Anchor::end : Anchor::middle, .color = Color::muted()};
        if (turn) style.rotate = -45;
        if (text != ticks[k].label) style.tooltip = ticks[k].label;
        svg.text(turn ? Xy{at + 4, f.bottom + 12} : Xy{at, f.bottom + 16}, text, style);
    }
}

void draw_y_axis(Svg& svg, const Panel& panel, const Frame& f, const AxisMap& y, const std::vector<Tick>& ticks) {
    const std::size_t stride = label_stride(panel.y, f.bottom - f.top);
    for (std::size_t k = 0; k < ticks.size(); ++k) {
        const double at = y(ticks[k].value);
        if (panel.grid && panel.y.categories.empty()) svg.line({f.left, at}, {f.right, at}, stroked(Color::grid()));
        if (k % stride != 0) continue;
        const std::string text = shortened(ticks[k].label, longest_category, tick_size);
        TextStyle style{.size = tick_size, .anchor = Anchor::end, .color = Color::muted()};
        if (text != ticks[k].label) style.tooltip = ticks[k].label;
        svg.text({f.left - 7, at + 4}, text, style);
    }
}

void draw_color_bar(Svg& svg, const ColorBar& bar, const Frame& f) {
    const double x = f.right + 14, width = 12, height = f.bottom - f.top;
    constexpr int steps = 48;
    for (int k = 0; k < steps; ++k) {
        const double t = (k + 0.5) / steps;
        Style style = bar.colors.map == ColorScale::Map::tint ? filled(Color::series(0), t)
                                                              : filled(Color::fixed(ColorScale::sequential_hex(t)));
        style.crisp = true;
        svg.rect(x, f.bottom - height * (k + 1) / steps, width, height / steps, style);
    }
    svg.rect(x, f.top, width, height, stroked(Color::grid()));
    const AxisMap map{bar.colors.low, bar.colors.high, f.bottom, f.top};
    for (const Tick& tick : linear_ticks(bar.colors.low, bar.colors.high, std::max(2, static_cast<int>(height / 60))))
        svg.text({x + width + 5, map(tick.value) + 4}, tick.label, {.size = tick_size, .color = Color::muted()});
    svg.text({x + width, f.top - 8}, bar.label, {.size = tick_size, .anchor = Anchor::end, .color = Color::muted()});
}

}  // namespace

Colors colors_of(const std::vector<Panel>& panels) {
    Colors colors;
    int next = 0;
    for (const Panel& panel : panels)
        for (const Series& s : panel.series) {
            const std::string& name = name_of(s);
            if (name.empty() || colors.contains(name)) continue;
            const std::optional<Color> own = color_of(s);
            colors[name] = own ? *own : Color::series(next++);
        }
    return colors;
}

double legend_height(const std::vector<const Panel*>& panels, double width) {
    double x = 0;
    int rows = 0;
    for (const Entry& entry : entries_of(panels)) {
        if (rows == 0 || x + entry.width > width) ++rows, x = 0;
        x += entry.width;
    }
    return rows * row_height;
}

void draw_legend(Svg& svg, const std::vector<const Panel*>& panels, double width, const Colors& colors, Xy at) {
    double x = 0;
    double y = at.y + row_height / 2;
    for (const Entry& entry : entries_of(panels)) {
        if (x > 0 && x + entry.width > width) x = 0, y += row_height;
        for (const Series* series : entry.series) draw_key(svg, *series, color_in(colors, *series), {at.x + x + 9, y});
        svg.text({at.x + x + 24, y + 4}, name_of(*entry.series[0]), {.size = tick_size, .color = Color::ink()});
        x += entry.width;
    }
}

Margins margins_of(const Panel& panel, double width, double height, double left) {
    const Ranges ranges = ranges_of(panel);
    Margins m;
    m.left = std::max(left, widest(y_ticks(panel, ranges.y, height)) + 12 + (panel.y.label.empty() ? 0 : label_room));
    m.right = panel.color_bar ? bar_room : 14;
    for (const Series& s : panel.series)
        if (const Bars* bars = std::get_if<Bars>(&s); bars && bars->horizontal)
            for (const std::string& label : bars->labels) m.right = std::max(m.right, text_width(label, tick_size) + 8);
    m.top = (panel.title.empty() ? 8 : 26) + (panel.color_bar && !panel.color_bar->label.empty() ? 12 : 0);
    if (panel.legend) m.top += legend_height({&panel}, width - m.left);
    const double pixels = width - m.left - m.right;
    m.bottom =
        x_tick_room(panel, x_ticks(panel, ranges.x, pixels), pixels) + 4 + (panel.x.label.empty() ? 0 : label_room);
    return m;
}

void draw(Svg& svg, const Panel& panel, double width, double height, const Margins& margins, const Colors& colors) {
    const Frame f{margins.left, margins.top, width - margins.right, height - margins.bottom};
    const Ranges ranges = ranges_of(panel);
    AxisMap x{ranges.x.low, ranges.x.high, f.left, f.right, panel.x.scale};
    AxisMap y{ranges.y.low, ranges.y.high, f.bottom, f.top, panel.y.scale};
    if (panel.x.reversed) std::swap(x.from, x.to);
    if (panel.y.reversed) std::swap(y.from, y.to);
    const std::vector<Tick> xs = x_ticks(panel, ranges.x, f.right - f.left),
                            ys = y_ticks(panel, ranges.y, f.bottom - f.top);
    if (!panel.title.empty())
        svg.text({f.left, 16}, shortened(panel.title, width - f.left, title_size),
                 {.size = title_size, .bold = true, .tooltip = panel.title});
    if (panel.legend) draw_legend(svg, {&panel}, width - f.left, colors, {f.left, panel.title.empty() ? 2.0 : 22.0});
    draw_x_axis(svg, panel, f, x, xs);
    draw_y_axis(svg, panel, f, y, ys);

    // Data are clipped to the axes; labels at the ends of horizontal bars may stand outside on the right.
    const bool labelled = std::any_of(panel.series.begin(), panel.series.end(), [](const Series& s) {
        const Bars* bars = std::get_if<Bars>(&s);
        return bars && bars->horizontal && !bars->labels.empty();
    });
    const double beyond = labelled ? margins.right : 0;
    const auto bars = std::count_if(panel.series.begin(), panel.series.end(),
                                    [](const Series& s) { return std::holds_alternative<Bars>(s); });
    svg.window(f.left, f.top, f.right - f.left + beyond, f.bottom - f.top, [&] {
        Placement place{x, y, {}, 0, std::max(1, static_cast<int>(bars))};
        place.x.from -= f.left, place.x.to -= f.left, place.y.from -= f.top, place.y.to -= f.top;
        for (const Series& s : panel.series) {
            place.color = color_in(colors, s);
            draw(svg, s, place);
            if (std::holds_alternative<Bars>(s)) ++place.bar;
        }
    });
    if (panel.frame) {
        svg.line({f.left, f.bottom}, {f.right, f.bottom}, stroked(Color::muted()));
        svg.line({f.left, f.top}, {f.left, f.bottom}, stroked(Color::muted()));
    }
    const TextStyle label{.size = label_size, .anchor = Anchor::middle, .color = Color::muted()};
    svg.text({(f.left + f.right) / 2, f.bottom + x_tick_room(panel, xs, f.right - f.left) + 14},
             shortened(panel.x.label, f.right - f.left + 40, label_size), label);
    TextStyle upright = label;
    upright.rotate = -90;
    svg.text({f.left - widest(ys) - 17, (f.top + f.bottom) / 2},
             shortened(panel.y.label, f.bottom - f.top + 20, label_size), upright);
    if (panel.color_bar) draw_color_bar(svg, *panel.color_bar, f);
}

}  // namespace summand::plot
