// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/study/definition.hpp"
#include "summand/study/json.hpp"
#include "summand/study/quantities.hpp"

#include <gtest/gtest.h>

namespace summand {
namespace {

const std::string smallest = R"(name = "push"
goal = "maximize"
command = ["./simulate", "{x}", "{angle}"]
[budget]
trials = 200
[optimizer]
batch_size = 5
seed = 1
[parameters]
x = { type = "real", low = -5.0, high = 5.0 }
angle = { type = "real", low = 0.0, high = 6.283185 }
)";

std::string mistakes(const std::string& text) {
    try {
        parse_study(text, "s.toml");
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    return text.replace(at, from.size(), to);
}

void expect_mistake(const std::string& text, const std::string& line, const std::vector<std::string>& parts) {
    const std::string found = mistakes(text);
    EXPECT_EQ(found.rfind("s.toml:" + line + ": ", 0), 0U) << found;
    for (const std::string& part : parts) EXPECT_NE(found.find(part), std::string::npos) << part << "\nin: " << found;
}

TEST(StudyFile, TheSmallestOneIsUnderstood) {
    const StudyDefinition study = parse_study(smallest, "/tmp/somewhere/s.toml");
    EXPECT_EQ(study.name, "push");
    EXPECT_EQ(study.options.goal, Goal::maximize);
    EXPECT_EQ(study.options.batch_size, 5);
    EXPECT_EQ(study.options.seed, 1U);
    EXPECT_EQ(study.options.budget, 200);
    EXPECT_EQ(study.settings.budget_trials, 200);
    EXPECT_EQ(study.settings.command, (std::vector<std::string>{"./simulate", "{x}", "{angle}"}));
    EXPECT_EQ(study.settings.directory, "/tmp/somewhere/");
    EXPECT_EQ(study.database, "/tmp/somewhere/s.db");
    EXPECT_EQ(study.space.names(), (std::vector<std::string>{"x", "angle"})) << "in the order of the file";
}

TEST(StudyFile, EveryKeyIsUnderstood) {
    const StudyDefinition study = parse_study(R"(
name = "all"
goal = "minimize"
optimum = -1
command = ["prog", "{file}"]
directory = "work"
database = "../all.db"
input = "file"
[result]
from = "json"
field = "score.mean"
[budget]
time = "1h30m"
target = 0.5
[run]
workers = 3
asynchronous = true
time_limit = "90s"
memory_limit = "2GiB"
retries = 2
lease = 3600
log_limit = "1kB"
[optimizer]
preset = "paper-batch"
batch_size = 4
batch_method = "ucb-pe"
groups = [["rate", "n"]]
learner = "known"
[parameters.rate]
type = "real"
low = 1e-5
high = 1e-1
scale = "log"
[parameters]
n = { type = "integer", low = 1, high = 64, scale = "log" }
solver = { type = "choice", values = ["sgd", "adam"] }
width = { type = "levels", values = [16, 32.5] }
grid = { type = "levels", low = 0, high = 1, count = 3 }
)",
                                              "/a/b/s.toml");
    EXPECT_EQ(study.settings.directory, "/a/b/work");
    EXPECT_EQ(study.database, "/a/all.db");
    EXPECT_EQ(study.settings.input, InputMode::file_json);
    EXPECT_EQ(study.settings.result, ResultMode::stdout_json);
    EXPECT_EQ(study.settings.result_field, "score.mean");
    EXPECT_EQ(study.settings.budget_seconds, 5400.0);
    EXPECT_EQ(study.settings.target, 0.5);
    EXPECT_EQ(study.settings.optimum, -1.0);
    EXPECT_EQ(study.settings.workers, 3);
    EXPECT_TRUE(study.settings.asynchronous);
    EXPECT_EQ(study.settings.time_limit_seconds, 90.0);
    EXPECT_EQ(study.settings.memory_limit_bytes, 2147483648);
    EXPECT_EQ(study.settings.retries, 2);
    EXPECT_EQ(study.settings.lease_seconds, 3600.0);
    EXPECT_EQ(study.settings.log_bytes, 1000);
    EXPECT_EQ(std::get<PaperStrategy>(*study.options.strategy).batch_method, BatchName::ucb_pe);
    ASSERT_EQ(study.space.size(), 5U);
    EXPECT_EQ(study.space.parameters()[4], Parameter(Levels{"grid", {0.0, 0.5, 1.0}}));
    EXPECT_EQ(study::settings_from_json(study::settings_to_json(study.settings)), study.settings);
    EXPECT_EQ(study::space_from_json(study::space_to_json(study.space)), study.space);
}

TEST(StudyFile, SlurmIsUnderstoodAndKept) {
    const std::string table = R"([run]
executor = "slurm"
[run.slurm]
partition = "gpu"
time = "2:00:00"
cpus = 4
memory = "8G"
gres = "gpu:1"
account = "me"
arguments = ["--qos=long"]
prologue = "module load gcc"
folder = "shared"
retries = 7
poll = "5m"
file_delay = "1m"
[optimizer])";
    const StudyDefinition study = parse_study(replaced(smallest, "[optimizer]", table), "/tmp/somewhere/s.toml");
    EXPECT_EQ(study.settings.executor, ExecutorKind::slurm);
    EXPECT_EQ(study.settings.slurm.folder, "/tmp/somewhere/shared");
    EXPECT_EQ(study.settings.slurm.arguments, std::vector<std::string>{"--qos=long"});
    EXPECT_EQ(study.settings.slurm.poll_seconds, 300.0);
    EXPECT_EQ(study::settings_from_json(study::settings_to_json(study.settings)), study.settings);
    EXPECT_EQ(parse_study(smallest, "/tmp/somewhere/s.toml").settings.slurm.folder, "/tmp/somewhere/s.slurm");
    expect_mistake(replaced(smallest, "[optimizer]", "[run.slurm]\nnodes = 3\n[optimizer]"), "7",
                   {"nodes", "[run.slurm]"});
    expect_mistake(replaced(smallest, "[optimizer]", "[run]\nexecutor = \"pbs\"\n[optimizer]"), "7",
                   {"local", "slurm"});
}

TEST(StudyFile, MistakesNameTheLineWhatIsAllowedAndTheNearestName) {
    expect_mistake(replaced(smallest, "goal =", "gaol ="), "1",
                   {"has no goal", "s.toml:2: unknown key \"gaol\"", "did you mean \"goal\"?"});
    expect_mistake(replaced(smallest, "maximize", "maximise"), "2", {"did you mean \"maximize\"?"});
    expect_mistake(replaced(smallest, "trials = 200", "trials = 0"), "5", {"trials is 0", "at least 1"});
    expect_mistake(replaced(smallest, "trials = 200", "trails = 200"), "5", {"did you mean \"trials\"?"});
    expect_mistake(replaced(smallest, "batch_size = 5", "bach_size = 5"), "7", {"did you mean \"batch_size\"?"});
    expect_mistake(replaced(smallest, "batch_size = 5", "batch_size = \"many\""), "7", {"batch_size", "whole number"});
    expect_mistake(replaced(smallest, "{angle}", "{angel}"), "3",
                   {"{angel}", "did you mean {angle}?", "does not use the parameter \"angle\""});
    expect_mistake(replaced(smallest, "type = \"real\", low = -5.0", "type = \"reel\", low = -5.0"), "10",
                   {"did you mean \"real\"?"});
    expect_mistake(replaced(smallest, "low = -5.0, ", ""), "10", {"\"x\" has no low"});
    expect_mistake(replaced(smallest, "low = -5.0", "low = 7.0"), "10", {"\"x\""});
    expect_mistake(replaced(smallest, "[\"./simulate\", \"{x}\", \"{angle}\"]", "\"./simulate {x}\""), "3",
                   {"write a list"});
    expect_mistake(replaced(smallest, "seed = 1", "seed = "), "8", {"this is not TOML"});
    expect_mistake(replaced(smallest, "[budget]", "[budget]\ntime = \"soon\""), "5", {"\"2h\""});
}

TEST(StudyFile, AllMistakesAreReportedAtOnce) {
    const std::string found =
        mistakes(replaced(replaced(smallest, "maximize", "best"), "batch_size = 5", "batch_size = -5"));
    EXPECT_NE(found.find("s.toml:2:"), std::string::npos) << found;
    EXPECT_NE(found.find("s.toml:7:"), std::string::npos) << found;
}

TEST(StudyFile, AFileWithoutParametersSaysHowToWriteThem) {
    expect_mistake("name = \"a\"\ngoal = \"minimize\"\n", "1", {"[parameters]", "type = \"real\""});
}

TEST(StudyFile, TheExampleIsSound) {
    const StudyDefinition study = parse_study(example_study_file("demo"), "/tmp/demo.toml");
    EXPECT_EQ(study.name, "demo");
    EXPECT_EQ(study.space.size(), 2U);
}

TEST(Quantities, DurationsAndSizesAreUnderstood) {
    EXPECT_EQ(study::parse_duration("1h30m"), 5400.0);
    EXPECT_EQ(study::parse_duration("1.5h"), 5400.0);
    EXPECT_EQ(study::parse_duration("250ms"), 0.25);
    EXPECT_FALSE(study::parse_duration("90"));
    EXPECT_FALSE(study::parse_duration("-1s"));
    EXPECT_FALSE(study::parse_duration("2 weeks"));
    EXPECT_EQ(study::parse_size("512MB"), 512'000'000);
    EXPECT_EQ(study::parse_size("1KiB"), 1024);
    EXPECT_FALSE(study::parse_size("big"));
}

TEST(StudyFile, NamesItsDatabaseElseTheEnvironmentElseAFileBesideIt) {
    const std::string rest =
        "\nname = 'd'\ngoal = 'minimize'\n[parameters]\nx = { type = 'real', low = 0.0, high = 1.0 }\n";
    const auto database_of = [&](const std::string& line) { return parse_study(line + rest, "/a/d.toml").database; };
    unsetenv("SUMMAND_DATABASE");
    EXPECT_EQ(database_of(""), "/a/d.db");
    setenv("SUMMAND_DATABASE", "postgresql://me@server/studies", 1);
    EXPECT_EQ(database_of(""), "postgresql://me@server/studies");
    EXPECT_EQ(database_of("database = 'here.db'"), "/a/here.db");
    unsetenv("SUMMAND_DATABASE");
    EXPECT_EQ(database_of("database = 'postgresql:///studies?host=/run/x'"), "postgresql:///studies?host=/run/x");
}

}  // namespace
}  // namespace summand
