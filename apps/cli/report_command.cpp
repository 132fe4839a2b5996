// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "option_checks.hpp"
#include "study_argument.hpp"
#include "summand/base/error.hpp"
#include "summand/report/collect.hpp"
#include "summand/report/page.hpp"
#include "summand/report/plots.hpp"
#include "summand/storage/open_storage.hpp"
#include "summand/study/study.hpp"

#include <CLI/CLI.hpp>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>

namespace summand::cli {
namespace {

namespace fs = std::filesystem;

struct ReportArguments {
    StudyArgument study = {};
    std::string output = {};
    std::string svg_directory = {};
    std::optional<double> optimum = {};
};

void write_file(const fs::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file)
        throw StorageError("report: cannot write " + path.string() +
                           "; check that the folder exists and is not full or read-only");
}

// A name as that of a file: letters, digits, _ and - only.
std::string safe_name(const std::string& name) {
    std::string safe;
    for (const char c : name) safe += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '-';
    return safe;
}

// No two alike.
std::string file_name(const std::string& name, std::set<std::string>& used) {
    const std::string safe = safe_name(name);
    std::string unique = safe;
    for (int k = 2; !used.insert(unique).second; ++k) unique = safe + "-" + std::to_string(k);
    return unique + ".svg";
}

std::size_t write_plots(const fs::path& directory, const report::ReportData& data) {
    std::error_code ignored;
    fs::create_directories(directory, ignored);  // a failure shows when the first file is written
    std::set<std::string> used;
    for (const report::ReportPlot& plot : report::all_plots(data))
        write_file(directory / file_name(plot.name, used), plot.svg(plot::Document::standalone));
    return used.size();
}

// What follows `summand COMMAND` on a command line about this study; a page is passed on, so it names no user of a server.
std::string source_of(const StudyArgument& study) {
    return storage::shown_address(study.path) + (study.name.empty() ? "" : " --study '" + study.name + "'");
}

void make_report(const ReportArguments& arguments) {
    const Study study = arguments.study.open_existing();
    const double now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    const report::ReportData data =
        report::collect(study, {.optimum = arguments.optimum, .now = now, .source = source_of(arguments.study)});
    if (!arguments.output.empty() || arguments.svg_directory.empty()) {
        const fs::path output =
            arguments.output.empty() ? fs::path(safe_name(study.name()) + "-report.html") : fs::path(arguments.output);
        write_file(output, report::render_page(data));
        std::cout << output.string() << '\n';
    }
    if (!arguments.svg_directory.empty())
        std::cout << write_plots(arguments.svg_directory, data) << " plots in " << arguments.svg_directory << '\n';
}

}  // namespace

void add_report(CLI::App& app) {
    auto arguments = std::make_shared<ReportArguments>();
    CLI::App* command =
        add_command(app, "report", "Write a page with the progress, the learned structure and the model of a study",
                    "summand report study.toml -o report.html --svg plots");
    add_study_argument(*command, arguments->study);
    command->add_option("-o,--output", arguments->output, "The page (default: NAME-report.html in this folder)")
        ->type_name("FILE");
    command->add_option("--svg", arguments->svg_directory, "A folder for the plots, one SVG file each")
        ->type_name("DIR");
    command
        ->add_option("--optimum", arguments->optimum,
                     "The best value there is, if known (default: the study's): adds regret")
        ->check(finite_number)
        ->type_name("VALUE");
    command->callback([arguments] { make_report(*arguments); });
}

}  // namespace summand::cli
