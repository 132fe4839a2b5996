// SPDX-License-Identifier: Apache-2.0
#include "problem_points.hpp"

#include "csv.hpp"
#include "summand/base/error.hpp"

namespace summand::cli {
namespace {

using problems::Problem;

double given_number(const std::string& text, const std::string& where) {
    const auto value = number_in(text);
    if (!value) throw InvalidArgument(where + ": \"" + text + "\" is not a number");
    return *value;
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
        values[static_cast<Index>(j)] = given_number(texts[j], "parameter \"" + name_of(problem.space()[j]) + "\"");
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
        found[*j] = given_number(assignment.substr(equals + 1), "parameter \"" + name + "\"");
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

/// The column of each parameter by the names in the first line.
std::vector<std::size_t> columns_of(const Problem& problem, const CsvTable& table) {
    std::vector<std::size_t> columns;
    for (const std::string& name : problem.space().names()) {
        const auto found = table.find(name);
        if (!found)
            throw InvalidArgument(table.file + ": line 1 has no column \"" + name + "\"; name every parameter of \"" +
                                  problem.name + "\" there");
        columns.push_back(*found);
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
    const CsvTable table = read_csv(file);
    const std::vector<std::size_t> columns = columns_of(problem, table);
    std::vector<Vector> points;
    for (const CsvRow& row : table.rows) {
        std::vector<std::string> texts;
        for (const std::size_t column : columns) texts.push_back(row.fields[column]);
        try {
            points.push_back(from_positions(problem, texts));
        } catch (const InvalidArgument& error) {
            throw InvalidArgument(table.at(row) + ": " + error.what());
        }
    }
    return points;
}

}  // namespace summand::cli
