// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "csv.hpp"

#include <utility>

// Evaluations as CSV: the one convention of `add`, `structure learn` and `export` (docs/cli.md).
namespace summand::cli {

/// What `summand export` writes about a trial, before the parameters.
const std::vector<std::string>& trial_columns();

/// The column of a further value in an exported file.
std::string also_column(const std::string& name);

/// The column of a parameter in an export: its name, or "parameter.NAME" if a trial column has that name.
std::string parameter_column(const std::string& name);

/// Which column holds what. Others are all that say nothing about the trial itself, with the names they stand for.
struct EvaluationColumns {
    std::size_t value = 0;
    std::optional<std::size_t> state = {}, reason = {};
    std::vector<std::pair<std::string, std::size_t>> also = {};  ///< further values, of an exported file
    std::vector<std::pair<std::string, std::size_t>> others = {};
};

/// value_column: given by the user; empty: "value", or else "y". parameters: those of the study; empty if they are not known.
/// Throws InvalidArgument if there is no column of values, or if it cannot be told from a parameter of that name.
EvaluationColumns evaluation_columns(const CsvTable& table, const std::string& value_column,
                                     const std::vector<std::string>& parameters = {});

/// The state of a row; empty if there is none. Throws InvalidArgument for a word that is no state.
std::string state_of(const CsvTable& table, const CsvRow& row, const EvaluationColumns& columns);

/// The value of a row; empty if it was not completed, or its value is missing or not finite. Throws InvalidArgument for
/// anything else that is not a number.
std::optional<double> value_of(const CsvTable& table, const CsvRow& row, const EvaluationColumns& columns);

}  // namespace summand::cli
