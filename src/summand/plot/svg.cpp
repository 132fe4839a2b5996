// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/svg.hpp"

#include "summand/plot/text.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace summand::plot {
namespace {

bool finite(std::initializer_list<double> numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double v) { return std::isfinite(v); });
}
bool finite(Xy p) {
    return finite({p.x, p.y});
}

std::string attribute(std::string_view name, double value) {
    return " " + std::string(name) + "=\"" + coordinate(value) + "\"";
}

// The light colour is an attribute, which every viewer reads; the class lets a dark theme override it.
std::string colors(const Color& fill, const Color& stroke) {
    std::string classes;
    if (!fill.role.empty()) classes = "pf-" + fill.role;
    if (!stroke.role.empty()) classes += (classes.empty() ? "ps-" : " ps-") + stroke.role;
    return classes.empty() ? classes : " class=\"" + classes + "\"";
}

std::string attributes_of(const Style& style) {
    std::string text = colors(style.fill, style.stroke) + " fill=\"" + style.fill.light + "\"";
    if (style.stroke.light != "none") {
        text += " stroke=\"" + style.stroke.light + "\"" + attribute("stroke-width", style.width);
        if (!style.dash.empty()) text += " stroke-dasharray=\"" + style.dash + "\"";
        if (style.round_caps) text += " stroke-linecap=\"round\"";
        if (style.constant_width) text += " vector-effect=\"non-scaling-stroke\"";
    }
    if (style.crisp) text += " shape-rendering=\"crispEdges\"";
    if (style.opacity < 1.0) text += attribute("opacity", style.opacity);
    for (const auto& [name, value] : style.data) text += " data-" + name + "=\"" + escaped(value) + "\"";
    return text;
}

std::string points_of(const std::vector<Xy>& points) {
    std::string text;
    for (const Xy& p : points) {
        if (!text.empty()) text += ' ';
        text += coordinate(p.x) + "," + coordinate(p.y);
    }
    return text;
}

}  // namespace

Style filled(Color color, double opacity) {
    return {.fill = std::move(color), .opacity = opacity};
}
Style stroked(Color color, double width, std::string dash) {
    return {.stroke = std::move(color), .width = width, .dash = std::move(dash)};
}

Svg::Svg(double width, double height, std::string title, Document document)
    : width_(width), height_(height), title_(std::move(title)), document_(document) {}

void Svg::element(std::string_view name, std::string_view attributes, const Style& style) {
    body_ += "<" + std::string(name) + std::string(attributes) + attributes_of(style);
    body_ += style.tooltip.empty() ? std::string("/>\n")
                                   : "><title>" + escaped(style.tooltip) + "</title></" + std::string(name) + ">\n";
}

void Svg::line(Xy from, Xy to, const Style& style) {
    if (!finite(from) || !finite(to)) return;
    element("line", attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) + attribute("y2", to.y),
            style);
}

void Svg::polyline(const std::vector<Xy>& points, const Style& style) {
    std::vector<Xy> piece;
    const auto flush = [&] {
        if (piece.size() > 1)
            element("polyline", " points=\"" + points_of(piece) + "\" stroke-linejoin=\"round\"", style);
        piece.clear();
    };
    for (const Xy& p : points) {
        if (finite(p))
            piece.push_back(p);
        else
            flush();
    }
    flush();
}

void Svg::polygon(const std::vector<Xy>& points, const Style& style) {
    if (points.size() < 3 || !std::all_of(points.begin(), points.end(), [](Xy p) { return finite(p); })) return;
    element("polygon", " points=\"" + points_of(points) + "\"", style);
}

void Svg::rings(const std::vector<std::vector<Xy>>& rings, const Style& style) {
    std::string data;
    for (const auto& ring : rings)
        if (ring.size() > 2 && std::all_of(ring.begin(), ring.end(), [](Xy p) { return finite(p); }))
            data += "M" + points_of(ring) + "Z";
    if (!data.empty()) element("path", " d=\"" + data + "\" fill-rule=\"evenodd\"", style);
}

void Svg::rect(double x, double y, double width, double height, const Style& style, double corner) {
    if (!finite({x, y, width, height}) || width < 0 || height < 0) return;
    std::string text = attribute("x", x) + attribute("y", y) + attribute("width", width) + attribute("height", height);
    if (corner > 0) text += attribute("rx", corner);
    element("rect", text, style);
}

void Svg::circle(Xy centre, double radius, const Style& style) {
    if (!finite(centre) || !finite({radius})) return;
    element("circle", attribute("cx", centre.x) + attribute("cy", centre.y) + attribute("r", radius), style);
}

void Svg::path(std::string_view data, const Style& style) {
    element("path", " d=\"" + escaped(data) + "\"", style);
}

void Svg::text(Xy at, std::string_view text, const TextStyle& style) {
    if (!finite(at) || text.empty()) return;
    body_ += "<text" + attribute("x", at.x) + attribute("y", at.y) + attribute("font-size", style.size);
    body_ += colors(style.color, Color::none()) + " fill=\"" + style.color.light + "\"";
    if (style.anchor != Anchor::start)
        body_ += style.anchor == Anchor::middle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
    if (style.bold) body_ += " font-weight=\"600\"";
    if (style.rotate != 0.0)
        body_ +=
            " transform=\"rotate(" + coordinate(style.rotate) + " " + coordinate(at.x) + " " + coordinate(at.y) + ")\"";
    body_ += ">" + escaped(text);
    if (!style.tooltip.empty()) body_ += "<title>" + escaped(style.tooltip) + "</title>";
    body_ += "</text>\n";
}

void Svg::group(const Transform& transform, const std::function<void()>& draw) {
    const Transform& t = transform;
    std::string text;
    if (t.translate.x != 0 || t.translate.y != 0)
        text += "translate(" + coordinate(t.translate.x) + " " + coordinate(t.translate.y) + ") ";
    if (t.rotate != 0) text += "rotate(" + coordinate(t.rotate) + ") ";
    // Scales may be small (metres to pixels and back), so they keep more digits than a coordinate.
    if (t.scale_x != 1 || t.scale_y != 1)
        text += "scale(" + short_number(t.scale_x, 6) + " " + short_number(t.scale_y, 6) + ") ";
    if (!text.empty()) text.pop_back();
    body_ += text.empty() ? std::string("<g>\n") : "<g transform=\"" + text + "\">\n";
    draw();
    body_ += "</g>\n";
}

void Svg::window(double x, double y, double width, double height, const std::function<void()>& draw) {
    body_ += "<svg" + attribute("x", x) + attribute("y", y) + attribute("width", width) + attribute("height", height) +
             ">\n";
    draw();
    body_ += "</svg>\n";
}

std::string Svg::str() const {
    std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width_) +
                       attribute("height", height_) + " viewBox=\"0 0 " + coordinate(width_) + " " +
                       coordinate(height_) +
                       "\" font-family=\"system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif\"";
    text += " role=\"img\"";
    if (!title_.empty()) text += " aria-label=\"" + escaped(title_) + "\"";
    text += ">\n";
    if (document_ == Document::standalone) {
        text += "<style>" + stylesheet() + "</style>\n";
        text += "<rect width=\"100%\" height=\"100%\" class=\"pf-paper\" fill=\"" + Color::paper().light + "\"/>\n";
    }
    return text + body_ + "</svg>\n";
}

}  // namespace summand::plot
