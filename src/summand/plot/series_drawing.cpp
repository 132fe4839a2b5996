// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/decimate.hpp"
#include "summand/plot/hover.hpp"
#include "summand/plot/map_drawing.hpp"
#include "summand/plot/series.hpp"
#include "summand/plot/text.hpp"

#include <algorithm>
#include <cmath>

namespace summand::plot {
namespace {

constexpr std::size_t line_points = 1600;  // more cannot be told apart on a screen

// A marker as a piece of path; a dot is a stroke of no length with round caps.
std::string marker_path(Scatter::Marker marker, Xy at, double r) {
    const auto point = [&](double dx, double dy) { return coordinate(at.x + dx) + " " + coordinate(at.y + dy); };
    const std::string arc = "a" + coordinate(r) + " " + coordinate(r) + " 0 1 0 ";
    switch (marker) {
        case Scatter::Marker::dot:
            return point_path(at);
        case Scatter::Marker::ring:
            return "M" + point(-r, 0) + arc + coordinate(2 * r) + " 0" + arc + coordinate(-2 * r) + " 0";
        case Scatter::Marker::cross:
            return "M" + point(-r, -r) + "L" + point(r, r) + "M" + point(-r, r) + "L" + point(r, -r);
        case Scatter::Marker::diamond:
            return "M" + point(0, -1.4 * r) + "L" + point(1.4 * r, 0) + "L" + point(0, 1.4 * r) + "L" +
                   point(-1.4 * r, 0) + "Z";
    }
    return {};
}

Style marker_style(Scatter::Marker marker, double r, const Color& color, double opacity) {
    Style style = stroked(color, marker == Scatter::Marker::dot ? 2 * r : 1.5);
    style.round_caps = marker == Scatter::Marker::dot;
    if (marker == Scatter::Marker::diamond)  // outlined, to be seen on any ground
        style = {.fill = color, .stroke = Color::fixed("#1c2430")};
    style.opacity = opacity;
    return style;
}

struct Draw {
    Svg& svg;
    const Placement& place;

    Xy map(double x, double y) const { return {place.x(x), place.y(y)}; }

    bool page() const { return svg.document() == Document::inline_html; }

    // Points that are not drawn but say something: an invisible path for the script of a page, nothing in a file.
    void hover(const std::string& path, DataAttributes data) const {
        if (page() && !path.empty()) svg.path(path, {.data = std::move(data)});
    }

    // The same for the tooltips of the points (x, y); more than can be told apart are thinned out evenly.
    void hover_tooltips(const std::vector<double>& x, const std::vector<double>& y,
                        const std::vector<std::string>& tooltips) const {
        std::string path;
        std::vector<std::string> tips;
        const std::size_t n = std::min({x.size(), y.size(), tooltips.size()}), step = 1 + n / line_points;
        for (std::size_t i = 0; i < n; i += step)
            if (const Xy at = map(x[i], y[i]); std::isfinite(at.x) && std::isfinite(at.y)) {
                path += point_path(at);
                tips.push_back(tooltips[i]);
            }
        hover(path, hover_tips(tips));
    }

    void operator()(const Line& s) const {
        std::vector<Xy> points;
        const std::size_t n = std::min(s.x.size(), s.y.size());
        for (std::size_t i = 0; i < n; ++i) {
            const Xy p = map(s.x[i], s.y[i]);
            // On a step line the value holds until the next x; a repeated value needs no point of its own.
            if (s.step && i > 0 && i + 1 < n && s.y[i] == s.y[i - 1]) continue;
            if (s.step && !points.empty()) points.push_back({p.x, points.back().y});
            points.push_back(p);
        }
        Style style = stroked(place.color, s.width, s.dash);
        style.opacity = s.opacity;
        if (s.id && page())
            style.data = hover_ids(std::span(&*s.id, 1));
        else
            style.tooltip = s.tooltip;
        svg.polyline(decimate(points, line_points), style);
        hover_tooltips(s.x, s.y, s.tooltips);
    }

    void operator()(const Band& s) const {
        std::vector<Xy> low, high;
        for (std::size_t i = 0; i < std::min({s.x.size(), s.low.size(), s.high.size()}); ++i) {
            // On a log axis a band that reaches zero goes down to the axis.
            const bool cut = place.y.scale == Axis::Scale::log && !(s.low[i] > 0);
            const Xy a = map(s.x[i], cut ? place.y.low : s.low[i]), b = map(s.x[i], s.high[i]);
            if (!std::isfinite(a.x + a.y + b.y)) continue;
            low.push_back(a);
            high.push_back(b);
        }
        std::vector<Xy> outline = decimate(low, line_points / 2);
        const std::vector<Xy> upper = decimate(high, line_points / 2);
        outline.insert(outline.end(), upper.rbegin(), upper.rend());
        svg.polygon(outline, filled(place.color, s.opacity));
    }

    void operator()(const Scatter& s) const {
        const std::size_t n = std::min(s.x.size(), s.y.size());
        const bool with_ids = s.ids.size() == n, with_tips = s.tooltips.size() == n;
        Style style = marker_style(s.marker, s.radius, place.color, s.opacity);
        std::string drawn, places;
        std::vector<std::int64_t> ids;
        std::vector<std::string> tips;
        for (std::size_t i = 0; i < n; ++i) {
            const Xy at = map(s.x[i], s.y[i]);
            if (!std::isfinite(at.x) || !std::isfinite(at.y)) continue;
            if (with_tips && !page()) {
                style.tooltip = s.tooltips[i];
                svg.path(marker_path(s.marker, at, s.radius), style);
                continue;
            }
            drawn += marker_path(s.marker, at, s.radius);
            places += point_path(at);
            if (with_ids) ids.push_back(s.ids[i]);
            if (with_tips) tips.push_back(s.tooltips[i]);
        }
        if (drawn.empty()) return;
        DataAttributes says;
        if (with_ids || with_tips) says = with_ids ? hover_ids(ids) : hover_tips(tips);
        const bool dots = s.marker == Scatter::Marker::dot;  // a path of dots tells its points itself
        if (dots && page()) style.data = says;
        svg.path(drawn, style);
        if (!dots && !says.empty()) hover(places, says);
    }

    void error_bar(Xy from, Xy to, const Color& color) const {
        svg.line(from, to, stroked(color, 1.2));
        const Xy cap = from.x == to.x ? Xy{3, 0} : Xy{0, 3};
        for (const Xy end : {from, to})
            svg.line({end.x - cap.x, end.y - cap.y}, {end.x + cap.x, end.y + cap.y}, stroked(color, 1.2));
    }

    void operator()(const ErrorBars& s) const {
        for (std::size_t i = 0; i < std::min({s.x.size(), s.y.size(), s.error.size()}); ++i) {
            error_bar(map(s.x[i], s.y[i] - s.error[i]), map(s.x[i], s.y[i] + s.error[i]), place.color);
            svg.circle(map(s.x[i], s.y[i]), 3, filled(place.color));
        }
        hover_tooltips(s.x, s.y, s.tooltips);
    }

    void operator()(const Bars& s) const {
        for (std::size_t i = 0; i < s.values.size(); ++i) bar(s, i);
    }

    void bar(const Bars& s, std::size_t i) const {
        const AxisMap& along = s.horizontal ? place.x : place.y;
        const AxisMap& across = s.horizontal ? place.y : place.x;
        const auto category = static_cast<double>(i);
        const double slot = std::abs(across(category + 1) - across(category));
        const double thick = 0.76 * slot / place.bars;
        const double start = across(category) - 0.38 * slot + thick * place.bar;
        const double zero = along(std::clamp(0.0, along.low, along.high)), end = along(s.values[i]);
        const double low = std::min(zero, end), length = std::abs(end - zero);
        Style style = filled(place.color);
        if (i < s.tooltips.size()) style.tooltip = s.tooltips[i];
        if (s.horizontal)
            svg.rect(low, start, length, thick, style, std::min(2.0, thick / 4));
        else
            svg.rect(start, low, thick, length, style, std::min(2.0, thick / 4));
        const double middle = start + thick / 2;
        if (i < s.errors.size()) {
            const double a = along(s.values[i] - s.errors[i]), b = along(s.values[i] + s.errors[i]);
            s.horizontal ? error_bar({a, middle}, {b, middle}, Color::ink())
                         : error_bar({middle, a}, {middle, b}, Color::ink());
        }
        if (i < s.labels.size() && s.horizontal)
            svg.text({end + 5, middle + 4}, s.labels[i], {.size = 11, .color = Color::muted()});
    }

    void operator()(const HeatMap& s) const { draw_heat_map(svg, s, place); }
    void operator()(const Contours& s) const { draw_contours(svg, s, place); }

    void operator()(const Labels& s) const {
        for (std::size_t i = 0; i < std::min({s.x.size(), s.y.size(), s.texts.size()}); ++i) {
            const Xy at = map(s.x[i], s.y[i]);
            svg.text({at.x, at.y + (s.below ? 14 : -6)}, s.texts[i],
                     {.size = 10.5, .anchor = Anchor::middle, .color = Color::muted()});
        }
    }

    void operator()(const Rule& s) const {
        const double at = s.vertical ? place.x(s.at) : place.y(s.at);
        const Style style = stroked(place.color, 1.3, s.dash);
        if (s.vertical)
            svg.line({at, place.y.from}, {at, place.y.to}, style);
        else
            svg.line({place.x.from, at}, {place.x.to, at}, style);
    }
};

struct Key {
    Svg& svg;
    const Color& color;
    Xy c;
    void operator()(const Line& s) const {
        svg.line({c.x - 9, c.y}, {c.x + 9, c.y}, stroked(color, std::max(2.0, s.width), s.dash));
    }
    void operator()(const Band& s) const { svg.rect(c.x - 9, c.y - 5, 18, 10, filled(color, s.opacity), 2); }
    void operator()(const Scatter& s) const {
        const double r = std::max(3.0, s.radius);
        svg.path(marker_path(s.marker, c, r), marker_style(s.marker, r, color, 1));
    }
    void operator()(const ErrorBars&) const { svg.circle(c, 3, filled(color)); }
    void operator()(const Bars&) const { svg.rect(c.x - 6, c.y - 5, 12, 10, filled(color), 2); }
    void operator()(const Rule& s) const { svg.line({c.x - 9, c.y}, {c.x + 9, c.y}, stroked(color, 1.5, s.dash)); }
    void operator()(const HeatMap&) const {}
    void operator()(const Contours&) const {}
    void operator()(const Labels&) const {}
};

}  // namespace

void draw(Svg& svg, const Series& series, const Placement& placement) {
    std::visit(Draw{svg, placement}, series);
}

void draw_key(Svg& svg, const Series& series, const Color& color, Xy centre) {
    std::visit(Key{svg, color, centre}, series);
}

}  // namespace summand::plot
