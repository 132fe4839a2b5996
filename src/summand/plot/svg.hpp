// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/plot/color.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace summand::plot {

struct Xy {
    double x = 0.0, y = 0.0;
};

struct Style {
    Color fill = Color::none();
    Color stroke = Color::none();
    double width = 1.0;  ///< of the stroke
    double opacity = 1.0;
    std::string dash = {};                                       ///< "4 3": four on, three off
    std::string tooltip = {};                                    ///< shown when the pointer rests on the shape
    std::vector<std::pair<std::string, std::string>> data = {};  ///< for a script: attributes data-FIRST="SECOND"
    bool round_caps = false;                                     ///< of the stroke; a line of no length is then a dot
    bool crisp = false;           ///< edges on whole pixels: no hairlines between neighbours
    bool constant_width = false;  ///< the stroke does not scale with the groups around it
};
Style filled(Color color, double opacity = 1.0);
Style stroked(Color color, double width = 1.0, std::string dash = {});

enum class Anchor { start, middle, end };

struct TextStyle {
    double size = 12.0;
    Anchor anchor = Anchor::start;
    Color color = Color::ink();
    bool bold = false;
    double rotate = 0.0;  ///< degrees, clockwise, about the text's position
    std::string tooltip = {};
};

/// Moves, turns (degrees, clockwise) and scales what is drawn inside; scale_y = -1 makes y point up.
struct Transform {
    Xy translate = {};
    double rotate = 0.0;
    double scale_x = 1.0, scale_y = 1.0;
};

/// Where the text of a picture goes: a file of its own, or the middle of an HTML page that includes stylesheet() once.
enum class Document { standalone, inline_html };

/// A picture in pixels, x to the right and y down. A shape with a coordinate that is not finite is left out; a polyline
/// breaks there. Text is escaped.
class Svg {
  public:
    Svg(double width, double height, std::string title = {}, Document document = Document::standalone);

    void line(Xy from, Xy to, const Style& style);
    void polyline(const std::vector<Xy>& points, const Style& style);
    void polygon(const std::vector<Xy>& points, const Style& style);
    /// Closed rings as one shape, filled by the even-odd rule: a ring inside a ring is a hole.
    void rings(const std::vector<std::vector<Xy>>& rings, const Style& style);
    void rect(double x, double y, double width, double height, const Style& style, double corner = 0.0);
    void circle(Xy centre, double radius, const Style& style);
    void path(std::string_view data, const Style& style);  ///< data: the SVG path language
    void text(Xy at, std::string_view text, const TextStyle& style = {});

    void group(const Transform& transform, const std::function<void()>& draw);
    /// Clips to a rectangle; inside, (0, 0) is its upper left corner.
    void window(double x, double y, double width, double height, const std::function<void()>& draw);

    double width() const { return width_; }
    double height() const { return height_; }
    Document document() const { return document_; }
    std::string str() const;

  private:
    void element(std::string_view name, std::string_view attributes, const Style& style);
    double width_, height_;
    std::string title_;
    Document document_;
    std::string body_;
};

}  // namespace summand::plot
