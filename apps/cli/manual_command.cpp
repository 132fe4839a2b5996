// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "study_argument.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <sstream>

// summand man | completion SHELL: made from the commands themselves, so they cannot fall behind.
namespace summand::cli {

namespace {

std::vector<const CLI::App*> subcommands(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string escaped(const std::string& text, const std::string& special) {
    std::string safe;
    for (const char c : text) {
        if (special.find(c) != std::string::npos) safe += '\\';
        safe += c;
    }
    return safe;
}

std::string roff(const std::string& text) {
    std::string safe = escaped(text, "\\-");
    if (!safe.empty() && (safe[0] == '.' || safe[0] == '\'')) safe.insert(0, "\\&");
    return safe;
}

std::vector<std::string> flags_of(const CLI::Option& option) {
    std::vector<std::string> flags;
    for (const std::string& name : option.get_snames()) flags.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) flags.push_back("--" + name);
    return flags;
}

void write_manual(const CLI::App& app, const std::string& path, std::ostream& out) {
    std::string usage = path;
    std::ostringstream options;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) continue;  // hidden
        std::string heading;
        for (const std::string& flag : flags_of(*option)) heading += (heading.empty() ? "" : ", ") + flag;
        if (heading.empty()) {
            heading = option->get_name();
            usage += option->get_required() ? " " + heading : " [" + heading + "]";
        }
        options << ".TP\n\\fB" << roff(heading) << "\\fR\n" << roff(option->get_description()) << '\n';
    }
    out << ".SS \"" << roff(usage) << "\"\n" << roff(app.get_description()) << ".\n" << options.str();
    if (!app.get_footer().empty()) {
        out << ".PP\n.nf\n";
        std::istringstream lines(app.get_footer());
        for (std::string line; std::getline(lines, line);) out << roff(line) << '\n';
        out << ".fi\n";
    }
    for (const CLI::App* command : subcommands(app)) write_manual(*command, path + " " + command->get_name(), out);
}

void write_manual_page(const CLI::App& app, std::ostream& out) {
    out << ".TH SUMMAND 1\n.SH NAME\nsummand \\- optimise expensive functions of many parameters\n.SH SYNOPSIS\n"
           ".B summand\nCOMMAND [OPTIONS]\n.SH DESCRIPTION\n"
        << roff(app.get_description())
        << "\n.PP\nSTUDY is a study file (study.toml) or its database (study.db, "
           "postgresql://user@host/database).\n.SH COMMANDS\n";
    for (const CLI::App* command : subcommands(app)) write_manual(*command, "summand " + command->get_name(), out);
    out << ".SH EXIT STATUS\n";
    const std::vector<std::pair<int, const char*>> codes = {
        {exit_success, "success"},
        {exit_failure, "anything unforeseen"},
        {exit_usage, "a mistake in the arguments, a file or a value"},
        {exit_storage, "the database: full disk, read-only, damaged, foreign"},
        {exit_executor, "a program that could not be started"},
        {exit_numerical, "a computation that broke down"},
        {exit_interrupted, "stopped by Ctrl-C or a signal; everything is stored"}};
    for (const auto& [code, meaning] : codes) out << ".TP\n\\fB" << code << "\\fR\n" << roff(meaning) << '\n';
}

/// Calls visit(path of a command, its subcommands and flags) for the application and all below it.
template <class Visit>
void for_each_command(const CLI::App& app, const std::string& path, Visit visit) {
    std::vector<std::pair<std::string, std::string>> words;
    for (const CLI::App* command : subcommands(app))
        words.emplace_back(command->get_name(), command->get_description());
    for (const CLI::Option* option : app.get_options())
        if (!option->get_group().empty())
            for (const std::string& flag : flags_of(*option)) words.emplace_back(flag, option->get_description());
    visit(path, words);
    for (const CLI::App* command : subcommands(app))
        for_each_command(*command, path + " " + command->get_name(), visit);
}

void write_bash(const CLI::App& app, std::ostream& out) {
    out << "# bash completion for summand: source it, or put it into /etc/bash_completion.d\n"
           "_summand() {\n    local current=${COMP_WORDS[COMP_CWORD]} path=summand word words\n"
           "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n        case \"$path $word\" in\n";
    for_each_command(app, "summand", [&](const std::string& path, const auto&) {
        if (path != "summand") out << "            '" << path << "') path='" << path << "' ;;\n";
    });
    out << "        esac\n    done\n    case $path in\n";
    for_each_command(app, "summand", [&](const std::string& path, const auto& words) {
        out << "        '" << path << "') words='";
        for (const auto& [word, meaning] : words) out << word << ' ';
        out << "' ;;\n";
    });
    out << "    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
           "    [[ $current == -* ]] || COMPREPLY+=($(compgen -f -- \"$current\"))\n}\n"
           "complete -o filenames -F _summand summand\n";
}

void write_zsh(const CLI::App& app, std::ostream& out) {
    // Not `path`: in zsh that is $PATH.
    out << "#compdef summand\n# zsh completion for summand: put it into a folder of $fpath as _summand\n"
           "_summand() {\n  local at=summand word\n  local -a choices\n"
           "  for word in ${words[2,CURRENT-1]}; do\n    case \"$at $word\" in\n";
    for_each_command(app, "summand", [&](const std::string& path, const auto&) {
        if (path != "summand") out << "      '" << path << "') at='" << path << "' ;;\n";
    });
    out << "    esac\n  done\n  case $at in\n";
    for_each_command(app, "summand", [&](const std::string& path, const auto& words) {
        out << "    '" << path << "') choices=(";
        for (const auto& [word, meaning] : words) {
            std::string text = meaning;
            std::replace(text.begin(), text.end(), '\'', ' ');
            out << " '" << word << ":" << escaped(text, ":") << "'";
        }
        out << " ) ;;\n";
    });
    out << "  esac\n  _describe 'summand' choices\n  _files\n}\n_summand \"$@\"\n";
}

void write_fish(const CLI::App& app, std::ostream& out) {
    out << "# fish completion for summand: put it into ~/.config/fish/completions as summand.fish\n";
    for_each_command(app, "summand", [&](const std::string& path, const auto& words) {
        std::string condition = "__fish_use_subcommand";
        if (path != "summand") {
            std::istringstream parts(path.substr(8));
            condition.clear();
            for (std::string part; parts >> part;)
                condition += (condition.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + part);
        }
        for (const auto& [word, meaning] : words) {
            const std::string kind = word.rfind("--", 0) == 0 ? "-l " + word.substr(2)
                                     : word[0] == '-'         ? "-s " + word.substr(1)
                                                              : "-a " + word;
            out << "complete -c summand -n '" << condition << "' " << kind << " -d '" << escaped(meaning, "'\\")
                << "'\n";
        }
    });
}

}  // namespace

void add_manual(CLI::App& app) {
    CLI::App* manual = add_command(app, "man", "Write the manual page", "summand man | man -l -");
    manual->callback([&app] { write_manual_page(app, std::cout); });

    CLI::App* completion =
        add_command(app, "completion", "Write a completion script for a shell", "source <(summand completion bash)");
    auto shell = std::make_shared<std::string>();
    completion->add_option("SHELL", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    completion->callback([&app, shell] {
        if (*shell == "bash")
            write_bash(app, std::cout);
        else if (*shell == "zsh")
            write_zsh(app, std::cout);
        else
            write_fish(app, std::cout);
    });
}

}  // namespace summand::cli
