// SPDX-License-Identifier: Apache-2.0
#include "data_table.hpp"

#include "evaluation_file.hpp"
#include "summand/base/error.hpp"
#include "summand/space/parameter.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace summand::cli {
namespace {

double checked_number(const std::string& where, const std::string& field) {
    const std::string what = where + ": ";
    if (field.empty()) throw InvalidArgument(what + "the value is missing; give a number or leave the whole line out");
    const auto value = number_in(field);
    if (!value)
        throw InvalidArgument(what + "\"" + field +
                              "\" is not a number; every column must hold numbers such as 0.5 or 1e-3");
    if (!std::isfinite(*value))
        throw InvalidArgument(what + "\"" + field +
                              "\" is not a finite number; leave the line out if the evaluation failed");
    return *value;
}

using Bounds = std::map<std::string, std::pair<double, double>>;

Bounds read_bounds(const std::filesystem::path& path, const std::vector<std::string>& names) {
    Bounds bounds;
    for (const CsvRow& line : read_csv_rows(path)) {
        const std::string where = path.string() + ": line " + std::to_string(line.line);
        if (line.fields.size() != 3)
            throw InvalidArgument(where + " has " + std::to_string(line.fields.size()) +
                                  " fields; name,low,high is needed");
        if (bounds.empty() && line.fields[1] == "low") continue;  // a header
        if (std::find(names.begin(), names.end(), line.fields[0]) == names.end())
            throw InvalidArgument(where + ": no parameter is called \"" + line.fields[0] +
                                  "\"; use the names of the data's first line");
        const double low = checked_number(where + ", column 2 (low)", line.fields[1]);
        const double high = checked_number(where + ", column 3 (high)", line.fields[2]);
        if (!(low < high)) throw InvalidArgument(where + ": low is not below high; exchange them or widen the range");
        bounds[line.fields[0]] = {low, high};
    }
    return bounds;
}

}  // namespace

DataTable read_data_table(const std::filesystem::path& path, const std::string& value_column) {
    const CsvTable file = read_csv(path);
    const EvaluationColumns columns = evaluation_columns(file, value_column);
    if (columns.others.empty())
        throw InvalidArgument(file.file +
                              ": line 1: there is no parameter; at least one column beside that of the values "
                              "is needed, separated by commas");
    DataTable table;
    for (const auto& [name, column] : columns.others) table.names.push_back(name);
    std::vector<std::pair<const CsvRow*, double>> points;
    for (const CsvRow& row : file.rows)
        if (const auto value = value_of(file, row, columns)) points.emplace_back(&row, *value);
    table.left_out = file.rows.size() - points.size();
    if (points.size() < 2)
        throw InvalidArgument(file.file + ": " + std::to_string(points.size()) +
                              " lines have a value; at least two points are needed, and some tens to learn anything");
    const auto D = static_cast<Index>(table.names.size()), N = static_cast<Index>(points.size());
    table.X.resize(N, D);
    table.y.resize(N);
    for (Index i = 0; i < N; ++i) {
        const auto& [row, value] = points[static_cast<std::size_t>(i)];
        table.y(i) = value;
        for (Index j = 0; j < D; ++j) {
            const std::size_t column = columns.others[static_cast<std::size_t>(j)].second;
            table.X(i, j) = checked_number(file.at(*row, column), row->fields[column]);
        }
    }
    if (table.y.maxCoeff() == table.y.minCoeff())
        throw InvalidArgument(file.file + ": column " + std::to_string(columns.value + 1) + " (" +
                              file.header[columns.value] +
                              "): all values are equal; nothing can be learned from a constant");
    return table;
}

Matrix scaled_to_unit_cube(const DataTable& table, const std::filesystem::path& bounds_file) {
    const Bounds given = bounds_file.empty() ? Bounds{} : read_bounds(bounds_file, table.names);
    Matrix unit = table.X;
    for (Index j = 0; j < unit.cols(); ++j) {
        const std::string& name = table.names[static_cast<std::size_t>(j)];
        auto [low, high] = std::pair(unit.col(j).minCoeff(), unit.col(j).maxCoeff());
        if (const auto found = given.find(name); found != given.end()) {
            if (low < found->second.first || high > found->second.second)
                throw InvalidArgument(bounds_file.string() + ": the data have values of " + name + " from " +
                                      to_text(low) + " to " + to_text(high) + ", outside the bounds given; widen them");
            std::tie(low, high) = found->second;
        }
        unit.col(j) = (unit.col(j).array() - low) / (high > low ? high - low : 1.0);
    }
    return unit;
}

std::vector<std::string> leave_out_silent(std::vector<std::string>& names, Matrix& X) {
    constexpr double alike = 1e-12;  // of the range
    std::vector<std::string> sentences, kept_names;
    std::vector<Index> kept;
    for (Index j = 0; j < X.cols(); ++j) {
        const std::string& name = names[static_cast<std::size_t>(j)];
        const auto same = std::find_if(kept.begin(), kept.end(),
                                       [&](Index i) { return (X.col(i) - X.col(j)).cwiseAbs().maxCoeff() < alike; });
        if (X.col(j).maxCoeff() - X.col(j).minCoeff() < alike) {
            sentences.push_back(name +
                                " has the same value in all rows and was left out: nothing can be learned about it");
        } else if (same != kept.end()) {
            sentences.push_back(name + " says the same as " + names[static_cast<std::size_t>(*same)] +
                                " in all rows and was left out: what is said about " +
                                names[static_cast<std::size_t>(*same)] + " may be about either");
        } else {
            kept.push_back(j);
            kept_names.push_back(name);
        }
    }
    if (kept.size() < 2)
        throw InvalidArgument(
            "structure learn: " + std::to_string(kept.size()) + " of " + std::to_string(X.cols()) +
            " parameters change from row to row on their own; two are needed, or there is nothing to group");
    X = Matrix(X(Eigen::indexing::all, kept));
    names = std::move(kept_names);
    return sentences;
}

}  // namespace summand::cli
