// SPDX-License-Identifier: Apache-2.0
#include "problem_points.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iostream>
#include <sstream>

namespace summand::cli {
namespace {

using problems::Problem;

double number_in(const std::string& text, const std::string& where) {
    double value = 0.0;
    const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(first, text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        throw InvalidArgument(where + ": \"" + text + "\" is not a number");
    return value;
}

/// Throws if the point is not in the problem's space.
Vector checked(const Problem& problem, const Vector& values) {
    const auto mistake = problem.space().problem_with_point(Point(values.begin(), values.end()));
    if (!mistake.empty()) throw InvalidArgument(mistake);
    return values;
}

Vector from_positions(const Problem& problem, const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
        if (text.starts_with("--")) throw InvalidArgument("there is no option \"" + text + "\" (--help shows all)");
    if (static_cast<Index>(texts.size()) != problem.dimension())
        throw InvalidArgument("problem \"" + problem.name + "\" has " + std::to_string(problem.dimension()) +
                              " parameters, but " + std::to_string(texts.size()) +
                              " values were given; give one for each, in the order of `summand problem show " +
                              problem.name + "`");
    Vector values(problem.dimension());
    for (std::size_t j = 0; j < texts.size(); ++j)
        values[static_cast<Index>(j)] = number_in(texts[j], "parameter \"" + name_of(problem.space()[j]) + "\"");
    return checked(problem, values);
}

Vector from_assignments(const Problem& problem, const std::vector<std::string>& assignments) {
    std::vector<std::optional<double>> found(problem.space().size());
    for (const std::string& assignment : assignments) {
        const auto equals = assignment.find('=');
        if (equals == std::string::npos)
            throw InvalidArgument("--param \"" + assignment + "\": write it as name=value");
        const std::string name = assignment.substr(0, equals);
        const auto j = problem.space().find(name);
        if (!j) {
            const auto near = nearest_name(name, problem.space().names());
            throw InvalidArgument("problem \"" + problem.name + "\" has no parameter \"" + name + "\"" +
                                  (near ? "; did you mean \"" + *near + "\"?" : ""));
        }
        if (found[*j]) throw InvalidArgument("--param: \"" + name + "\" is given twice");
        found[*j] = number_in(assignment.substr(equals + 1), "parameter \"" + name + "\"");
    }
    Vector values(problem.dimension());
    std::string missing;
    for (std::size_t j = 0; j < found.size(); ++j) {
        if (!found[j]) missing += (missing.empty() ? "" : ", ") + name_of(problem.space()[j]);
        values[static_cast<Index>(j)] = found[j].value_or(0.0);
    }
    if (!missing.empty()) throw InvalidArgument("problem \"" + problem.name + "\": no value was given for " + missing);
    return checked(problem, values);
}

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) {
        const auto first = field.find_first_not_of(" \t\r\""), last = field.find_last_not_of(" \t\r\"");
        fields.push_back(first == std::string::npos ? "" : field.substr(first, last - first + 1));
    }
    return fields;
}

/// The column of each parameter by the names in the first line.
std::vector<std::size_t> columns_of(const Problem& problem, const std::vector<std::string>& header,
                                    const std::string& file) {
    std::vector<std::size_t> columns;
    for (const std::string& name : problem.space().names()) {
        const auto found = std::ranges::find(header, name);
        if (found == header.end())
            throw InvalidArgument(file + ": line 1 has no column \"" + name + "\"; name every parameter of \"" +
                                  problem.name + "\" there");
        columns.push_back(static_cast<std::size_t>(found - header.begin()));
    }
    return columns;
}

}  // namespace

Vector point_of(const Problem& problem, const std::vector<std::string>& texts,
                const std::vector<std::string>& assignments) {
    if (!assignments.empty() && !texts.empty())
        throw InvalidArgument("values were given both in order and by --param; use one of the two");
    return assignments.empty() ? from_positions(problem, texts) : from_assignments(problem, assignments);
}

std::vector<Vector> points_of_csv(const Problem& problem, const std::string& file) {
    std::ifstream opened;
    if (file != "-") {
        opened.open(file);
        if (!opened) throw InvalidArgument("--csv " + file + ": the file cannot be read");
    }
    std::istream& stream = file == "-" ? std::cin : opened;
    std::string line;
    std::vector<std::size_t> columns;
    std::vector<Vector> points;
    for (int number = 1; std::getline(stream, line); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        const auto fields = fields_of(line);
        if (columns.empty()) {
            columns = columns_of(problem, fields, file);
            continue;
        }
        const std::string where = file + ": line " + std::to_string(number);
        std::vector<std::string> texts;
        for (const std::size_t column : columns) {
            if (column >= fields.size())
                throw InvalidArgument(where + " has " + std::to_string(fields.size()) +
                                      " fields, fewer than the first line");
            texts.push_back(fields[column]);
        }
        try {
            points.push_back(from_positions(problem, texts));
        } catch (const InvalidArgument& error) {
            throw InvalidArgument(where + ": " + error.what());
        }
    }
    if (columns.empty()) throw InvalidArgument(file + ": it is empty; the first line names the parameters");
    return points;
}

}  // namespace summand::cli
