// SPDX-License-Identifier: Apache-2.0
// Texts that people and programs write: each is read, or refused with a sentence.
#include "csv.hpp"
#include "data_table.hpp"
#include "fuzz/choices.hpp"
#include "fuzz/targets.hpp"
#include "summand/base/error.hpp"
#include "summand/study/definition.hpp"
#include "summand/study/json.hpp"
#include "support/temporary_folder.hpp"

#include <fstream>
#include <stdexcept>

namespace summand::fuzz {
namespace {

std::string text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// Refusals must say something.
template <class Read>
void read_or_refuse(const Read& read) {
    try {
        read();
    } catch (const InvalidArgument& error) {
        require(error.what()[0] != '\0', "a refusal is a sentence");
    }
}

}  // namespace

void study_file(const std::uint8_t* data, std::size_t size) {
    read_or_refuse([&] {
        const StudyDefinition read = parse_study(text_of(data, size), "/tmp/study.toml");
        require(options_from_json(options_to_json(read.options)) == resolved(read.options), "options are kept");
        require(study::space_from_json(study::space_to_json(read.space)) == read.space, "the space is kept");
        require(study::settings_from_json(study::settings_to_json(read.settings)) == read.settings,
                "settings are kept");
    });
}

void options_json(const std::uint8_t* data, std::size_t size) {
    read_or_refuse([&] {
        const Options read = options_from_json(text_of(data, size));
        require(options_from_json(options_to_json(read)) == resolved(read), "options are kept");
    });
}

void stored_json(const std::uint8_t* data, std::size_t size) {
    Choices choices(data, size);
    const int kind = choices.below(3);
    const std::string text = choices.rest();
    static const SearchSpace space({Real{.name = "x"}, Integer{.name = "n", .low = 1, .high = 9},
                                    Choice{.name = "c", .values = {"a", "b"}}, Levels{.name = "l", .values = {1, 2}}});
    read_or_refuse([&] {
        if (kind == 0) {
            const SearchSpace read = study::space_from_json(text);
            require(study::space_from_json(study::space_to_json(read)) == read, "a space is kept");
        } else if (kind == 1) {
            const Point read = study::point_from_json(space, text);
            require(study::point_from_json(space, study::point_to_json(space, read)) == read, "a point is kept");
        } else {
            const StudySettings read = study::settings_from_json(text);
            require(study::settings_from_json(study::settings_to_json(read)) == read, "settings are kept");
        }
    });
}

void data_table(const std::uint8_t* data, std::size_t size) {
    static const testing_support::TemporaryFolder folder;
    const std::filesystem::path path = folder / "data.csv";
    std::ofstream(path, std::ios::binary) << text_of(data, size);
    read_or_refuse([&] { cli::read_csv(path); });
    read_or_refuse([&] {
        const cli::DataTable table = cli::read_data_table(path, "y");
        require(cli::scaled_to_unit_cube(table, {}).allFinite(), "scaled points are numbers");
    });
    read_or_refuse(
        [&] { cli::scaled_to_unit_cube({.names = {"x"}, .X = Matrix::Ones(2, 1), .y = Vector::Ones(2)}, path); });
}

}  // namespace summand::fuzz
