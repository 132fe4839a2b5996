// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// The paper's tables and figures, one file each; how to run them and what is known of them: docs/experiments.md.
namespace summand::experiments {

/// One unit of work: independent of all others, computed on one thread, kept in one file.
struct Cell {
    std::string panel = {};   ///< "D=20"
    std::string method = {};  ///< "Gibbs"
    int repeat = 0;           ///< from 0; a repeat is another function, the same one for every method
    bool operator==(const Cell&) const = default;
};
/// "D=20, Gibbs, repeat 3".
std::string to_text(const Cell& cell);

struct Result {
    Cell cell = {};
    std::string definition = {};      ///< JSON: options, seed, problem: all that the result depends on
    std::vector<double> values = {};  ///< of the function, in the order of evaluation; empty if nothing was optimised
    std::map<std::string, double> numbers = {};  ///< by name; "seconds" of processor time among them
};

struct Report {
    std::string text = {};                          ///< tables for a terminal
    std::map<std::string, std::string> files = {};  ///< contents by name: CSV and SVG
};

struct Experiment {
    std::string name = {};
    std::string source = {};       ///< "Fig. 2 and appendix"
    std::string summary = {};      ///< what is compared
    std::string cells_from = {};   ///< the experiment whose cells these are: `name`, or another that shares its runs
    std::vector<Cell> cells = {};  ///< in the order in which they are best run: repeat by repeat, the longest first
    std::function<std::string(const Cell&)> definition = {};
    std::function<Result(const Cell&)> run = {};
    /// Of the cells that have been run so far; any may be missing.
    std::function<Report(const std::vector<Result>&)> report = {};
};

struct Size {
    bool quick = false;               ///< a smoke run: a few seconds, no meaning
    std::optional<int> repeats = {};  ///< empty = the paper's number, or 10 where it gives none
    std::uint64_t seed = 0;           ///< repeat r uses 1000 seed + r, for the function and for the method
};

/// In the order of docs/experiments.md.
std::vector<std::string> names();
/// Throws InvalidArgument for an unknown name, with the nearest one. A quick experiment's name ends in "-quick".
Experiment make(const std::string& name, const Size& size = {});

}  // namespace summand::experiments
