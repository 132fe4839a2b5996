// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/slurm_commands.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include <unistd.h>

namespace summand::executor {

namespace {

std::string quoted(const std::string& text) {
    std::string inside;
    for (const char c : text) inside += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return "'" + inside + "'";
}

/// The fields of a line; the last one takes the rest.
std::vector<std::string> fields_of(const std::string& line, std::size_t count) {
    std::vector<std::string> fields;
    std::size_t start = 0;
    while (fields.size() + 1 < count) {
        const std::size_t end = line.find('|', start);
        if (end == std::string::npos) return {};
        fields.push_back(line.substr(start, end - start));
        start = end + 1;
    }
    fields.push_back(line.substr(start));
    return fields;
}

std::string first_word(const std::string& text) {
    return text.substr(0, text.find(' '));
}

std::string joined(const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "" : ",") + text;
    return list;
}

}  // namespace

std::string ranges(const std::vector<int>& numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
        text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
        if (end > i + 1) text += "-" + std::to_string(numbers[end - 1]);
        i = end;
    }
    return text;
}

std::vector<std::string> submit_command(const SlurmOptions& options, const std::string& name,
                                        const std::filesystem::path& folder, const std::vector<int>& tasks) {
    std::vector<std::string> command = {"sbatch"};
    const auto pass = [&](const char* option, const std::string& value) {
        if (!value.empty()) command.push_back(std::string("--") + option + "=" + value);
    };
    pass("partition", options.partition);
    pass("time", options.time);
    pass("cpus-per-task", options.cpus ? std::to_string(*options.cpus) : "");
    pass("mem", options.memory);
    pass("gres", options.gres);
    pass("account", options.account);
    command.insert(command.end(), options.arguments.begin(), options.arguments.end());
    // Last, because of options given twice the last one counts. A task that Slurm started again by itself would find its
    // claim taken: we start it again, as a new attempt.
    command.insert(command.end(), {"--no-requeue", "--parsable"});
    pass("job-name", name);
    pass("array", ranges(tasks));
    pass("chdir", folder.string());
    pass("output", (folder / "%a.log").string());
    command.push_back((folder / "script").string());
    return command;
}

std::string task_script(const SlurmOptions& options, const std::filesystem::path& runner,
                        const std::filesystem::path& folder) {
    // It looks at its claim often enough to answer within the delay.
    return "#!/bin/bash\n" + options.prologue + "\nexec " + quoted(runner.string()) + " " + quoted(folder.string()) +
           " \"$SLURM_ARRAY_TASK_ID\" " + std::to_string(options.file_delay_seconds / 4.0) + "\n";
}

std::vector<std::string> queue_command() {
    return {"squeue",
            "--noheader",
            "--array",
            "--states=all",
            "--user=" + std::to_string(getuid()),
            "--format=%F|%K|%T|%N|%r|%j"};
}

std::vector<std::string> accounting_command(const std::vector<std::string>& tasks) {
    return {"sacct",
            "--noheader",
            "--parsable2",
            "--allocations",
            "--format=JobID,State,NodeList",
            "--jobs=" + joined(tasks)};
}

std::vector<std::string> cancel_command(const std::vector<std::string>& tasks) {
    std::vector<std::string> command = {"scancel", "--quiet"};
    command.insert(command.end(), tasks.begin(), tasks.end());
    return command;
}

Queue parse_queue(const std::string& output) {
    Queue queue;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        const auto fields = fields_of(line, 6);
        int task = 0;
        if (fields.empty()) continue;
        const char* end = fields[1].data() + fields[1].size();
        if (std::from_chars(fields[1].data(), end, task).ptr != end || fields[1].empty()) continue;
        QueueEntry& entry = queue[fields[5]][task];
        if (entry.state.empty() || is_over(entry.state)) entry = {fields[0], fields[2], fields[3], fields[4]};
    }
    return queue;
}

std::map<std::string, QueueEntry> parse_accounting(const std::string& output) {
    std::map<std::string, QueueEntry> found;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);)
        if (const auto fields = fields_of(line, 3); !fields.empty())
            found[fields[0]] = {fields[0], first_word(fields[1]), fields[2], {}};  // "CANCELLED by 1000"
    return found;
}

bool is_waiting(const std::string& state) {
    constexpr std::array words = {"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT"};
    return std::find(words.begin(), words.end(), state) != words.end();
}

bool is_over(const std::string& state) {
    constexpr std::array words = {"COMPLETED", "FAILED",        "TIMEOUT",   "PREEMPTED", "NODE_FAIL",
                                  "CANCELLED", "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE",  "REVOKED"};
    return std::find(words.begin(), words.end(), state) != words.end();
}

bool passes_by_itself(const std::string& complaint) {
    // Besides what Slurm says of its controller: its words for a message that was cut off on the way.
    constexpr std::array signs = {"nable to contact", "ontroller",          "onnection",          "imed out",
                                  "emporarily",       "Zero Bytes",         "Unexpected message", "Transport endpoint",
                                  "ommunication",     "missing socket",     "ocket timed",        "Message receive",
                                  "Message send",     "Header lengths are", "Broken pipe"};
    return std::any_of(signs.begin(), signs.end(),
                       [&](const char* sign) { return complaint.find(sign) != std::string::npos; });
}

}  // namespace summand::executor
