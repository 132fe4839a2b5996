// SPDX-License-Identifier: Apache-2.0
#include "trial_table.hpp"

#include "summand/study/trial_filter.hpp"

#include <algorithm>
#include <cstdio>
#include <ostream>

namespace summand::cli {

namespace {

struct Column {
    std::string name = {};
    std::vector<std::string> cells = {};
    bool number = true;  ///< stands at the right

    /// In characters, not bytes.
    std::size_t width() const {
        std::size_t most = length(name);
        for (const std::string& cell : cells) most = std::max(most, length(cell));
        return most;
    }
    static std::size_t length(const std::string& text) {
        return static_cast<std::size_t>(std::count_if(
            text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    }
};

std::string digits(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.5g", value);
    return buffer;
}

std::string cell_of(const Value& value) {
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? digits(*real) : to_text(value);
}

/// One line, at most 60 bytes of it.
std::string note_of(const Trial& trial) {
    std::string note = trial.reason.substr(0, 60);
    std::replace_if(
        note.begin(), note.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    if (note.size() < trial.reason.size()) note += "...";
    if (trial.late) note += note.empty() ? "late" : " (late)";
    return note;
}

template <class Cell>
Column column(const std::string& name, const std::vector<Trial>& trials, bool number, Cell cell) {
    Column made{name, {}, number};
    for (const Trial& trial : trials) made.cells.push_back(cell(trial));
    return made;
}

std::vector<Column> columns_of(const SearchSpace& space, const std::vector<Trial>& trials) {
    std::vector<Column> columns = {
        column("id", trials, true, [](const Trial& t) { return std::to_string(t.id); }),
        column("state", trials, false, [](const Trial& t) { return to_string(t.state); }),
        column("value", trials, true, [](const Trial& t) { return t.value ? digits(*t.value) : ""; })};
    for (const std::string& name : study::further_names(trials))
        columns.push_back(column(name, trials, true, [&](const Trial& t) {
            const auto value = study::number_of(t.also, name);
            return value ? digits(*value) : std::string();
        }));
    for (std::size_t j = 0; j < space.size(); ++j)
        columns.push_back(column(name_of(space[j]), trials, !std::holds_alternative<Choice>(space[j]),
                                 [j](const Trial& t) { return cell_of(t.values[j]); }));
    return columns;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::string space(width - Column::length(text), ' ');
    return right ? space + text : text + space;
}

}  // namespace

void print_table(std::ostream& out, const SearchSpace& space, const std::vector<Trial>& trials,
                 std::optional<std::size_t> width) {
    std::vector<Column> columns = columns_of(space, trials);
    const Column notes = column("note", trials, false, note_of);
    const bool noted = std::any_of(notes.cells.begin(), notes.cells.end(), [](const auto& n) { return !n.empty(); });
    if (noted) columns.insert(columns.begin() + 3, notes);
    std::size_t shown = 0, used = 0;
    for (; shown < columns.size(); ++shown) {
        const std::size_t wider = used + columns[shown].width() + (shown == 0 ? 0 : 2);
        if (width && wider > *width && shown > 3) break;
        used = wider;
    }
    const auto print_row = [&](auto cell) {
        std::string line;
        for (std::size_t c = 0; c < shown; ++c)
            line += (c == 0 ? "" : "  ") + padded(cell(columns[c]), columns[c].width(), columns[c].number);
        out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    };
    print_row([](const Column& c) { return c.name; });
    for (std::size_t r = 0; r < trials.size(); ++r) print_row([r](const Column& c) { return c.cells[r]; });
    if (shown < columns.size())
        out << columns.size() - shown << " more columns do not fit: `summand trials STUDY ID` shows all of one trial, "
            << "`summand export` of all\n";
}

}  // namespace summand::cli
