// SPDX-License-Identifier: Apache-2.0
#include "summand/plot/terminal.hpp"

#include <algorithm>
#include <cmath>

namespace summand::plot {
namespace {

// Characters, not bytes: those that do not continue another.
std::size_t characters(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

// Means of runs of equal length; values that are not finite do not count.
std::vector<double> shrunk(const std::vector<double>& values, std::size_t width) {
    if (values.size() <= width || width == 0) return values;
    std::vector<double> means;
    for (std::size_t run = 0; run < width; ++run) {
        double sum = 0;
        int count = 0;
        for (std::size_t i = run * values.size() / width; i < (run + 1) * values.size() / width; ++i)
            if (std::isfinite(values[i])) sum += values[i], ++count;
        means.push_back(count > 0 ? sum / count : std::nan(""));
    }
    return means;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::string space(width - std::min(width, characters(text)), ' ');
    return right ? space + text : text + space;
}

std::vector<std::size_t> column_widths(const std::vector<std::vector<std::string>>& lines, std::size_t least) {
    std::vector<std::size_t> widths;
    for (const auto& line : lines) {
        widths.resize(std::max(widths.size(), line.size()), least);
        for (std::size_t k = 0; k < line.size(); ++k) widths[k] = std::max(widths[k], characters(line[k]));
    }
    return widths;
}

bool right_of(const std::string& align, std::size_t k) {
    return k < align.size() && align[k] == 'r';
}

}  // namespace

std::string sparkline(const std::vector<double>& values, std::size_t width) {
    static const char* const heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const std::vector<double> shown = shrunk(values, width);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const double v : shown)
        if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
    std::string text;
    for (const double v : shown) {
        const double share = high > low ? (v - low) / (high - low) : 0.5;
        text += std::isfinite(v) ? heights[std::min(7, static_cast<int>(8 * share))] : " ";
    }
    return text;
}

std::string text_bar(double share, std::size_t width) {
    static const char* const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const double clamped = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0;
    const auto parts = static_cast<std::size_t>(std::lround(clamped * 8 * static_cast<double>(width)));
    std::string text;
    for (std::size_t k = 0; k < parts / 8; ++k) text += "█";
    text += eighths[parts % 8];
    return padded(text, width, false);
}

std::string TextTable::plain() const {
    std::vector<std::vector<std::string>> lines = {head};
    lines.insert(lines.end(), rows.begin(), rows.end());
    const std::vector<std::size_t> widths = column_widths(lines, 0);
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::string line;
        for (std::size_t k = 0; k < lines[i].size(); ++k)
            line += (k > 0 ? "  " : "") + padded(lines[i][k], widths[k], right_of(align, k));
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        if (i > 0) continue;
        for (std::size_t k = 0; k < widths.size(); ++k) text += (k > 0 ? "  " : "") + std::string(widths[k], '-');
        text += "\n";
    }
    return text;
}

std::string TextTable::markdown() const {
    std::vector<std::vector<std::string>> lines = {head};
    lines.insert(lines.end(), rows.begin(), rows.end());
    for (auto& line : lines)
        for (std::string& cell : line)
            for (std::size_t at = cell.find('|'); at != cell.npos; at = cell.find('|', at + 2)) cell.insert(at, "\\");
    const std::vector<std::size_t> widths = column_widths(lines, 3);
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        for (std::size_t k = 0; k < lines[i].size(); ++k)
            text += "| " + padded(lines[i][k], widths[k], right_of(align, k)) + " ";
        text += "|\n";
        if (i > 0) continue;
        for (std::size_t k = 0; k < widths.size(); ++k)
            text += "|" + std::string(widths[k] + 1, '-') + (right_of(align, k) ? ":" : "-");
        text += "|\n";
    }
    return text;
}

}  // namespace summand::plot
