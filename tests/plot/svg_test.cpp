// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/svg.hpp"

#include "summand/plot/color.hpp"
#include "summand/plot/decimate.hpp"
#include "summand/plot/text.hpp"
#include "support/xml.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace summand::plot {
namespace {

using summand::testing::count_of;
using summand::testing::xml_problem;

TEST(XmlCheck, FindsEachKindOfMistake) {
    EXPECT_EQ(xml_problem("<a b=\"1\">x &amp; y<c/></a>"), "");
    for (const char* wrong :
         {"<a>", "<a></b>", "<a>&nbsp;</a>", "<a b=1/>", "<a b=\"1\" b=\"2\"/>", "<a/><a/>", "<a b=\"<\"/>", "x"})
        EXPECT_NE(xml_problem(wrong), "") << wrong;
}

TEST(Text, CoordinatesAreShortAndNeverExponents) {
    EXPECT_EQ(coordinate(1.0), "1");
    EXPECT_EQ(coordinate(-0.001), "0");
    EXPECT_EQ(coordinate(12.5), "12.5");
    EXPECT_EQ(coordinate(-3.14159), "-3.14");
    EXPECT_EQ(coordinate(1e20), "100000000000000000000");
    EXPECT_EQ(coordinate(std::nan("")), "0");
}

TEST(Text, NumbersForPeopleKeepTheirSignificantDigits) {
    EXPECT_EQ(short_number(3.14159), "3.142");
    EXPECT_EQ(short_number(1e-3), "0.001");
    EXPECT_EQ(short_number(2.5e-7), "2.5e-7");
    EXPECT_EQ(short_number(123456.0), "123456");
    EXPECT_EQ(short_number(9999999.0), "1e7");
    EXPECT_EQ(short_number(-0.99999), "-1");
    EXPECT_EQ(short_number(0.0), "0");
    EXPECT_EQ(short_number(std::nan("")), "nan");
    EXPECT_EQ(with_uncertainty(0.0031, 0.0741), "0.003 ± 0.074");
    EXPECT_EQ(with_uncertainty(-0.0001, 0.0741), "0.000 ± 0.074");
    EXPECT_EQ(with_uncertainty(123.456, 12.3), "123 ± 12");
    EXPECT_EQ(with_uncertainty(7654321.0, 12300.0), "7.654e6 ± 12300");
    EXPECT_EQ(with_uncertainty(1e300, 0.1), "1e300 ± 0.1");
    EXPECT_EQ(with_uncertainty(2.5, 0.0), "2.5 ± 0");
}

TEST(Text, DurationsUseTwoUnitsAtMost) {
    EXPECT_EQ(duration(0.0123), "12.3 ms");
    EXPECT_EQ(duration(12.34), "12.3 s");
    EXPECT_EQ(duration(250), "4 min 10 s");
    EXPECT_EQ(duration(3600 * 3 + 300), "3 h 5 min");
    EXPECT_EQ(duration(86400 * 2 + 3600 * 4), "2 d 4 h");
}

TEST(Text, EscapingLeavesNothingXmlForbids) {
    EXPECT_EQ(escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
    EXPECT_EQ(escaped(std::string_view("a\x01\0b", 4)), "ab");
    EXPECT_EQ(escaped("ä€𝛼"), "ä€𝛼");
    EXPECT_EQ(escaped("\xC3("), "\xEF\xBF\xBD(");                // a byte that starts nothing
    EXPECT_EQ(escaped("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // overlong
}

TEST(Text, ShorteningFitsTheWidthAndCutsBetweenCharacters) {
    const std::string name = "größenverhältnis_der_längsachsen";
    const std::string cut = shortened(name, 80, 11);
    EXPECT_LE(text_width(cut, 11), 80);
    EXPECT_EQ(escaped(cut), cut);
    EXPECT_EQ(shortened("short", 80, 11), "short");
}

TEST(Svg, EveryShapeIsWellFormedAndTextIsEscaped) {
    for (const Document document : {Document::standalone, Document::inline_html}) {
        Svg svg(100, 50, "a <title> & \"more\"", document);
        svg.line({0, 0}, {1, 1}, stroked(Color::ink(), 2, "4 2"));
        svg.polyline({{0, 0}, {1, 2}, {3, 4}}, stroked(Color::series(1)));
        svg.polygon({{0, 0}, {1, 2}, {3, 4}}, filled(Color::fixed("#123456"), 0.5));
        svg.rings({{{0, 0}, {9, 0}, {9, 9}}, {{2, 1}, {3, 1}, {3, 2}}}, filled(Color::series(0)));
        svg.rect(1, 2, 3, 4, {.fill = Color::paper(), .stroke = Color::grid(), .tooltip = "<hint>"}, 2);
        svg.circle({5, 5}, 2, filled(Color::warning()));
        svg.path("M0 0L1 1", {.stroke = Color::muted(), .data = {{"tips", "\"<b>\""}}});
        svg.group(Transform{.translate = {3, 4}, .rotate = 30, .scale_x = 2, .scale_y = -2}, [&] {
            svg.window(0, 0, 10, 10, [&] { svg.text({1, 1}, "<b>", {.anchor = Anchor::middle, .rotate = -90}); });
        });
        EXPECT_EQ(xml_problem(svg.str()), "");
        EXPECT_EQ(svg.str().find("<b>"), std::string::npos);
        EXPECT_EQ(svg.str().find("<style>") == std::string::npos, document == Document::inline_html);
    }
}

TEST(Svg, WhatIsNotFiniteIsLeftOutAndBreaksALine) {
    const double nan = std::nan("");
    Svg svg(10, 10);
    svg.circle({nan, 1}, 2, filled(Color::ink()));
    svg.rect(0, 0, -1, 1, filled(Color::ink()));
    svg.polyline({{0, 0}, {1, 1}, {2, nan}, {3, 3}, {4, 4}}, stroked(Color::ink()));
    const std::string text = svg.str();
    EXPECT_EQ(count_of(text, "<circle"), 0);
    EXPECT_EQ(count_of(text, "<polyline"), 2);
    EXPECT_EQ(text.find("nan"), std::string::npos);
}

TEST(Color, TheSequentialMapGetsLighterAllTheWay) {
    const auto lightness = [](double t) {  // relative luminance of sRGB
        const std::string hex = ColorScale::sequential_hex(t);
        double sum = 0;
        const double weight[] = {0.2126, 0.7152, 0.0722};
        for (std::size_t c = 0; c < 3; ++c)
            sum += weight[c] * std::pow(std::stoi(hex.substr(1 + 2 * c, 2), nullptr, 16) / 255.0, 2.2);
        return sum;
    };
    for (int k = 0; k < 50; ++k) EXPECT_LT(lightness(k / 50.0), lightness((k + 1) / 50.0)) << k;
}

TEST(Color, EverySeriesHasAColourOfItsOwnInBothThemes) {
    for (int i = 0; i < 8; ++i) {
        EXPECT_NE(stylesheet().find(".ps-" + Color::series(i).role + "{"), std::string::npos);
        for (int j = 0; j < i; ++j) {
            EXPECT_NE(Color::series(i).light, Color::series(j).light);
            EXPECT_NE(Color::series(i).dark, Color::series(j).dark);
        }
    }
    EXPECT_EQ(Color::series(8), Color::series(0));
}

TEST(Decimate, KeepsEndsExtremesAndOrder) {
    std::vector<Xy> points;
    for (int i = 0; i < 10000; ++i) points.push_back({static_cast<double>(i), std::sin(i * 0.37)});
    points[4321].y = 50;
    points[8765].y = -50;
    const std::vector<Xy> kept = decimate(points, 1000);
    EXPECT_LE(kept.size(), 1000u);
    EXPECT_GE(kept.size(), 500u);
    EXPECT_EQ(kept.front().x, 0);
    EXPECT_EQ(kept.back().x, 9999);
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end(), [](Xy a, Xy b) { return a.x < b.x; }));
    const auto has = [&](double x) { return std::any_of(kept.begin(), kept.end(), [x](Xy p) { return p.x == x; }); };
    EXPECT_TRUE(has(4321));
    EXPECT_TRUE(has(8765));
}

TEST(Decimate, KeepsGapsAndShortLines) {
    std::vector<Xy> points(5000, Xy{1, 1});
    points[77].y = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Xy> kept = decimate(points, 100);
    EXPECT_EQ(std::count_if(kept.begin(), kept.end(), [](Xy p) { return std::isnan(p.y); }), 1);
    EXPECT_EQ(decimate({{0, 0}, {1, 1}}, 1).size(), 2u);
}

}  // namespace
}  // namespace summand::plot
