// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/figure.hpp"

#include "summand/plot/text.hpp"

#include <algorithm>

namespace summand::plot {
namespace {

// The margins of each panel, the largest of its column on the sides and of its row above and below: axes stand in line.
std::vector<Margins> aligned_margins(const std::vector<Panel>& panels, int columns, const FigureOptions& options) {
    const auto stride = static_cast<std::size_t>(columns);
    std::vector<Margins> sides(stride), rows((panels.size() + stride - 1) / stride), result;
    for (std::size_t k = 0; k < panels.size(); ++k) {
        const Margins m = margins_of(panels[k], options.panel_width, options.panel_height);
        sides[k % stride].left = std::max(sides[k % stride].left, m.left);
        sides[k % stride].right = std::max(sides[k % stride].right, m.right);
    }
    for (std::size_t k = 0; k < panels.size(); ++k) {
        const Margins m = margins_of(panels[k], options.panel_width, options.panel_height, sides[k % stride].left);
        rows[k / stride].top = std::max(rows[k / stride].top, m.top);
        rows[k / stride].bottom = std::max(rows[k / stride].bottom, m.bottom);
    }
    for (std::size_t k = 0; k < panels.size(); ++k)
        result.push_back(
            {sides[k % stride].left, sides[k % stride].right, rows[k / stride].top, rows[k / stride].bottom});
    return result;
}

}  // namespace

std::string figure(std::vector<Panel> panels, const FigureOptions& options) {
    const auto count = static_cast<int>(panels.size());
    const int columns = std::clamp(options.columns, 1, std::max(1, count));
    const int rows = (count + columns - 1) / columns;
    const Colors colors = colors_of(panels);
    std::vector<const Panel*> all;
    for (Panel& panel : panels) {
        if (options.shared_legend) panel.legend = false;
        all.push_back(&panel);
    }
    const double width = columns * options.panel_width;
    const double title_height = options.title.empty() ? 0 : 26;
    const double legend = options.shared_legend ? legend_height(all, width - 20) : 0;
    const double head = title_height + legend + (title_height + legend > 0 ? 6 : 0);
    const std::vector<Margins> margins = aligned_margins(panels, columns, options);

    Svg svg(width, head + rows * options.panel_height,
            options.title.empty() && count > 0 ? panels[0].title : options.title, options.document);
    if (!options.title.empty())
        svg.text({10, 18}, shortened(options.title, width - 20, 15), {.size = 15, .bold = true});
    if (options.shared_legend) draw_legend(svg, all, width - 20, colors, {10, title_height});
    for (int k = 0; k < count; ++k) {
        const int row = k / columns, column = k % columns;
        const Xy corner{column * options.panel_width, head + row * options.panel_height};
        svg.group(Transform{.translate = corner}, [&] {
            const auto panel = static_cast<std::size_t>(k);
            draw(svg, panels[panel], options.panel_width, options.panel_height, margins[panel], colors);
        });
    }
    return svg.str();
}

}  // namespace summand::plot
