// SPDX-License-Identifier: Apache-2.0
#include "experiments/store.hpp"

#include "summand/base/error.hpp"

#include <atomic>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>

#include <unistd.h>

namespace summand::experiments {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Letters, digits and . = - only: a name that every file system and every archive keeps.
std::string file_word(std::string text) {
    for (char& c : text)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '=' && c != '-') c = '_';
    return text;
}

json to_json(const Result& result) {
    return {{"panel", result.cell.panel},   {"method", result.cell.method},
            {"repeat", result.cell.repeat}, {"definition", json::parse(result.definition)},
            {"numbers", result.numbers},    {"values", result.values}};
}

Result result_from(const json& file) {
    return {.cell = {.panel = file.at("panel"), .method = file.at("method"), .repeat = file.at("repeat")},
            .definition = file.at("definition").dump(),
            .values = file.at("values"),
            .numbers = file.at("numbers")};
}

}  // namespace

std::string to_text(const Cell& cell) {
    return cell.panel + ", " + cell.method + ", repeat " + std::to_string(cell.repeat);
}

void write_whole(const fs::path& file, const std::string& text) {
    static std::atomic<int> counter{0};
    const fs::path part =
        file.string() + "." + std::to_string(getpid()) + "." + std::to_string(counter.fetch_add(1)) + ".part";
    std::ofstream out(part, std::ios::binary);
    out << text;
    out.close();
    std::error_code error;
    if (out) fs::rename(part, file, error);
    if (!out || error)
        throw StorageError("experiment: cannot write " + file.string() +
                           "; check that the folder exists and is not full or read-only");
}

fs::path Store::file_of(const Cell& cell) const {
    return folder_ /
           (file_word(cell.panel) + "--" + file_word(cell.method) + "--" + std::to_string(cell.repeat) + ".json");
}

std::optional<Result> Store::load(const Cell& cell, const std::string& definition) const {
    const fs::path path = file_of(cell);
    std::ifstream in(path, std::ios::binary);
    if (!in) return {};
    const json file = json::parse(in, nullptr, false);
    if (file.is_discarded()) return {};
    try {
        Result result = result_from(file);
        if (result.cell == cell && json::parse(definition) == file.at("definition")) return result;
    } catch (const json::exception&) {
        return {};  // something is missing: computed again
    }
    throw StorageError("experiment: " + path.string() +
                       " was made with other options, another seed or another size; give another --out, or delete it");
}

void Store::save(const Result& result) const {
    std::error_code ignored;  // write_whole says what is wrong
    fs::create_directories(folder_, ignored);
    write_whole(file_of(result.cell), to_json(result).dump() + "\n");
}

std::vector<Result> Store::load_all(const Experiment& experiment) const {
    std::vector<Result> results;
    for (const Cell& cell : experiment.cells)
        if (fs::exists(file_of(cell)))
            if (auto result = load(cell, experiment.definition(cell))) results.push_back(std::move(*result));
    return results;
}

}  // namespace summand::experiments
