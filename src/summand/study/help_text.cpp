// SPDX-License-Identifier: Apache-2.0
#include "summand/study/help_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>
#include <sstream>

namespace summand::study {

namespace {

/// An option's line and the lines of description that follow it.
struct Entry {
    std::string flag = {};
    std::string text = {};
};

std::vector<Entry> entries_of(const std::string& help) {
    static const std::regex begins(R"(^\s*(?:-\w,?\s+(?:[A-Z_]+,?\s+)?)?(--[A-Za-z][\w-]*)(.*)$)");
    std::vector<Entry> entries;
    std::istringstream lines(help);
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        const bool indented = line.starts_with(' ') || line.starts_with('\t');
        if (indented && std::regex_match(line, match, begins)) {
            entries.push_back({match[1], match[2]});
            inside = true;
        } else if (inside && indented && line.find_first_not_of(" \t") != std::string::npos) {
            entries.back().text += " " + line;
        } else {
            inside = false;
        }
    }
    return entries;
}

std::vector<std::string> values_in(const std::string& text) {
    static const std::regex lists(R"(\{([^{}]+,[^{}]+)\}|\[([^\[\]]+\|[^\[\]]+)\]|\[possible values: ([^\[\]]+)\])");
    std::smatch match;
    std::vector<std::string> values;
    if (!std::regex_search(text, match, lists)) return values;
    static const std::regex word(R"([^,|\s]+)");
    const std::string list = match[1].matched ? match[1] : match[2].matched ? match[2] : match[3];
    for (std::sregex_iterator i(list.begin(), list.end(), word); i != std::sregex_iterator(); ++i)
        if (std::find(values.begin(), values.end(), i->str()) == values.end()) values.push_back(i->str());
    return values.size() > 1 ? values : std::vector<std::string>();
}

/// The text of a number that is a default: "(default: 0.1)", "[default: 0.1]", "default 0.1", "FLOAT [0.1]", "=0.1".
std::string default_in(const std::string& text) {
    static const std::string number = R"(([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?))";
    static const std::regex said("default(?:s to| is)?[:=]?\\s*" + number + "(?![\\w.])", std::regex::icase);
    static const std::regex bracket("^[ =]\\s*\\S+\\s+\\[" + number + "\\]|^=" + number + "(?![\\w.])");
    std::smatch match;
    if (std::regex_search(text, match, said)) return match[1];
    if (std::regex_search(text, match, bracket)) return match[1].matched ? match[1] : match[2];
    return "";
}

/// What no one would tune.
bool is_housekeeping(const std::string& flag) {
    static const std::vector<std::string> names = {"--help",    "--version", "--verbose", "--quiet",
                                                   "--seed",    "--port",    "--threads", "--jobs",
                                                   "--workers", "--gpu",     "--device"};
    return std::find(names.begin(), names.end(), flag) != names.end();
}

std::string number_text(double value, bool whole) {
    std::ostringstream text;
    text.precision(3);
    text << value;
    const std::string digits = text.str();
    return whole || digits.find_first_of(".e") != std::string::npos ? digits : digits + ".0";
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return result + "\"";
}

/// A tenth to ten times a positive default on a log scale; a share between 0 and 1 stays one.
std::string range_of(const HelpOption& option) {
    const double x = *option.number;
    double low = x / 10.0, high = x * 10.0;
    if (option.whole) low = std::max(1.0, std::floor(low)), high = std::ceil(high);
    const bool share = !option.whole && x >= 0.2 && x < 1.0;
    if (share) low = 0.0, high = 1.0;
    return std::string("{ type = \"") + (option.whole ? "integer" : "real") +
           "\", low = " + number_text(low, option.whole) + ", high = " + number_text(high, option.whole) +
           (share ? "" : ", scale = \"log\"") + " }";
}

std::string parameter_line(const HelpOption& option) {
    if (option.values.empty())
        return option.name() + " = " + range_of(option) + "  # default " + number_text(*option.number, option.whole) +
               "\n";
    std::string list;
    for (const std::string& value : option.values) list += (list.empty() ? "" : ", ") + quoted(value);
    return option.name() + " = { type = \"choice\", values = [" + list + "] }\n";
}

}  // namespace

std::string HelpOption::name() const {
    std::string name = flag.substr(flag.find_first_not_of('-'));
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

std::vector<HelpOption> options_in_help(const std::string& text) {
    std::vector<HelpOption> found;
    for (const Entry& entry : entries_of(text)) {
        if (is_housekeeping(entry.flag)) continue;
        HelpOption option{.flag = entry.flag, .values = values_in(entry.text)};
        if (const std::string digits = default_in(entry.text); option.values.empty() && !digits.empty()) {
            option.number = std::stod(digits);
            option.whole = digits.find_first_of(".eE") == std::string::npos;
        }
        const bool usable = !option.values.empty() || (option.number && *option.number > 0.0);
        const bool known =
            std::any_of(found.begin(), found.end(), [&](const auto& o) { return o.flag == option.flag; });
        if (usable && !known) found.push_back(std::move(option));
    }
    return found;
}

std::string study_from_help(const std::string& name, const std::string& program,
                            const std::vector<HelpOption>& options) {
    std::string command = quoted(program), parameters;
    for (const HelpOption& option : options) {
        command += ",\n           " + quoted(option.flag) + ", " + quoted("{" + option.name() + "}");
        parameters += parameter_line(option);
    }
    return "# Made from what `" + program +
           " --help` says. Check each range (they are a guess around the defaults), remove\n" +
           "# what should stay as it is, and say below what is to become small or large and where it is read.\n" +
           "# `summand init study.toml` writes a file with every key explained.\n\n" + "name = " + quoted(name) + "\n" +
           "goal = \"minimize\"                    # or \"maximize\"\n" +
           "budget = " + std::to_string(std::max<std::size_t>(50, 20 * options.size())) + "\ncommand = [" + command +
           "]\n\n" + "[result]                             # what the program prints\n" +
           "from = \"stdout\"                      # its last line that is a number\n" +
           "# prefix = \"loss:\"                   # the number after this\n\n" +
           "[optimizer]\nbatch_size = 2\nseed = 1\n\n" + "[parameters]\n" + parameters;
}

}  // namespace summand::study
