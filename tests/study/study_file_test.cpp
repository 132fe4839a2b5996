// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/study/definition.hpp"
#include "summand/study/json.hpp"
#include "summand/study/quantities.hpp"

#include <limits>
#include <map>

#include <gtest/gtest.h>

namespace summand {
namespace {

const std::string smallest = R"(name = "push"
goal = "maximize"
command = ["./simulate", "{x}", "{angle}"]
budget = 200
# its options:
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
    EXPECT_EQ(study.settings.budget, 200);
    EXPECT_EQ(study.settings.command, (std::vector<std::string>{"./simulate", "{x}", "{angle}"}));
    EXPECT_EQ(study.settings.directory, "/tmp/somewhere/");
    EXPECT_EQ(study.database, "/tmp/somewhere/s.db");
    EXPECT_EQ(study.space.names(), (std::vector<std::string>{"x", "angle"})) << "in the order of the file";
}

Parameter parameter_of(const std::string& line) {
    const std::string head = "name = \"p\"\ngoal = \"minimize\"\n[parameters]\n";
    return parse_study(head + "p = " + line + "\n", "s.toml").space[0];
}

TEST(StudyFile, TypeAndScaleFollowFromWhatIsWritten) {
    EXPECT_EQ(parameter_of("{ low = 0.0, high = 1.0 }"), Parameter(Real{"p", 0.0, 1.0, Scale::linear}));
    EXPECT_EQ(parameter_of("{ low = 0, high = 1.0 }"), Parameter(Real{"p", 0.0, 1.0, Scale::linear}));
    EXPECT_EQ(parameter_of("{ low = 1, high = 9 }"), Parameter(Integer{"p", 1, 9, Scale::linear}));
    EXPECT_EQ(parameter_of("{ low = 1e-5, high = 0.1 }"), Parameter(Real{"p", 1e-5, 0.1, Scale::log}));
    EXPECT_EQ(parameter_of("{ low = 1, high = 1000 }"), Parameter(Integer{"p", 1, 1000, Scale::log}));
    EXPECT_EQ(parameter_of("{ low = 1, high = 1000, scale = \"linear\" }"), Parameter(Integer{"p", 1, 1000}));
    EXPECT_EQ(parameter_of("{ type = \"real\", low = 1, high = 1000 }"), Parameter(Real{"p", 1.0, 1000.0}))
        << "a type that is written has a linear scale unless the file says otherwise";
    EXPECT_EQ(parameter_of("{ values = [16, 32, 64] }"), Parameter(Levels{"p", {16.0, 32.0, 64.0}}));
    EXPECT_EQ(parameter_of("{ values = [\"a\", \"b\"] }"), Parameter(Choice{"p", {"a", "b"}}));
    EXPECT_EQ(parameter_of("{ values = [true, false] }"), Parameter(Choice{"p", {"true", "false"}}));
    EXPECT_EQ(parameter_of("{ type = \"bool\" }"), Parameter(Choice{"p", {"false", "true"}}));
    EXPECT_EQ(parameter_of("{ type = \"choice\", values = [3, 0.5, \"auto\"] }"),
              Parameter(Choice{"p", {"3", "0.5", "auto"}}));
}

TEST(StudyFile, ChoicesOfNumbersAndTruthValuesAreKnownAsSuch) {
    const StudyDefinition study = parse_study(R"(
name = "p"
goal = "minimize"
[parameters]
b = { type = "bool" }
w = { type = "choice", values = [3, "auto"] }
c = { type = "choice", values = ["1", "2"] }
[[start]]
b = true
w = 3
c = "2"
)",
                                              "s.toml");
    EXPECT_EQ(study.settings.literals,
              (std::map<std::string, std::vector<std::string>>{{"b", {"false", "true"}}, {"w", {"3"}}}));
    EXPECT_EQ(study.settings.start, (std::vector<std::string>{R"({"b":"true","w":"3","c":"2"})"}));
    EXPECT_EQ(study::settings_from_json(study::settings_to_json(study.settings)), study.settings);
}

TEST(StudyFile, ResultsAreFoundByPrefixOrPatternWithFurtherValues) {
    const auto with = [](const std::string& result) {
        return replaced(smallest, "# its", "[result]\n" + result + "\n# its");
    };
    const StudyDefinition study =
        parse_study(with("prefix = \"loss:\"\nalso = { accuracy = \"acc:\", seconds = \"time:\" }"), "s.toml");
    EXPECT_EQ(study.settings.result_prefix, "loss:");
    EXPECT_EQ(study.settings.result_also,
              (std::vector<std::pair<std::string, std::string>>{{"accuracy", "acc:"}, {"seconds", "time:"}}));
    EXPECT_EQ(study::settings_from_json(study::settings_to_json(study.settings)), study.settings);
    EXPECT_EQ(parse_study(with("pattern = 'loss (\\S+)'"), "s.toml").settings.result_pattern, "loss (\\S+)");
    expect_mistake(with("pattern = 'loss ('"), "6", {"pattern is no regular expression"});
    expect_mistake(with("pattern = '(a)(b)'"), "6", {"several pairs of parentheses"});
    expect_mistake(with("prefix = 'a'\npattern = 'b'"), "5", {"more than one of field, prefix and pattern"});
    expect_mistake(with("also = { a = 'b' }"), "6", {"of the same kind"});
    expect_mistake(with("prefix = 'a'\nalso = { a = 3 }"), "7", {"also: a is 3"});
    expect_mistake(with("from = 'json'\nfield = 'x'\nprefix = 'a'"), "5", {"more than one"});
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
[run]
stop_after = "1h30m"
target = 0.5
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
    EXPECT_EQ(study.settings.stop_after_seconds, 5400.0);
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

TEST(StudyFile, OfVersion01WithATableForTheBudgetStillOpens) {
    const StudyDefinition now = parse_study(
        replaced(smallest, "[optimizer]", "[run]\nstop_after = \"2h\"\ntarget = 0.5\n[optimizer]"), "s.toml");
    const StudyDefinition then = parse_study(
        replaced(smallest, "budget = 200\n", "[budget]\ntrials = 200\ntime = \"2h\"\ntarget = 0.5\n"), "s.toml");
    EXPECT_EQ(then.settings, now.settings);
    EXPECT_EQ(then.options, now.options);
    std::string stored = study::settings_to_json(now.settings);
    stored = replaced(replaced(stored, "\"budget\"", "\"budget_trials\""), "stop_after_seconds", "budget_seconds");
    EXPECT_EQ(study::settings_from_json(stored), now.settings);
    expect_mistake(replaced(smallest, "budget = 200\n", "[budget]\ntrails = 200\n"), "5", {"did you mean \"trials\"?"});
}

TEST(StudyFile, MistakesNameTheLineWhatIsAllowedAndTheNearestName) {
    expect_mistake(replaced(smallest, "goal =", "gaol ="), "1",
                   {"has no goal", "s.toml:2: unknown key \"gaol\"", "did you mean \"goal\"?"});
    expect_mistake(replaced(smallest, "maximize", "maximise"), "2", {"did you mean \"maximize\"?"});
    expect_mistake(replaced(smallest, "budget = 200", "budget = 0"), "4", {"budget is 0", "at least 1"});
    expect_mistake(replaced(smallest, "budget = 200", "bugdet = 200"), "4", {"did you mean \"budget\"?"});
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
    expect_mistake(replaced(smallest, "seed = 1", "[ = 1"), "8", {"this is not TOML", "saw '='"});
    expect_mistake(replaced(smallest, "seed = 1", "seed = é1"), "8", {"this is not TOML"});
    expect_mistake(replaced(smallest, "[optimizer]", "[run]\nstop_after = \"soon\"\n[optimizer]"), "7", {"\"2h\""});
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

TEST(StudyFile, InfinityAndNanAreRefusedWhereverTheyStand) {
    expect_mistake(replaced(smallest, "command", "optimum = inf\ncommand"), "3", {"optimum is inf", "finite number"});
    expect_mistake(replaced(smallest, "[optimizer]", "[run]\ntarget = nan\n[optimizer]"), "7", {"target is nan"});
    expect_mistake(replaced(smallest, "[optimizer]", "[run]\nstop_after = inf\n[optimizer]"), "7",
                   {"stop_after is inf"});
    expect_mistake(replaced(smallest, "seed = 1", "explore_at = -inf"), "8", {"explore_at is -inf"});
    expect_mistake(smallest + "n = { type = \"levels\", values = [1, inf] }\n", "12", {"values is inf"});
}

TEST(StudyFile, SettingsThatAnOlderVersionStoredWithAnInfinityOpenAgain) {
    StudySettings settings;
    settings.optimum = 1.5;
    std::string json = study::settings_to_json(settings);
    for (const char* number : {"1.5", "86400.0"}) json.replace(json.find(number), std::string(number).size(), "null");
    const StudySettings read = study::settings_from_json(json);
    EXPECT_FALSE(read.optimum);
    EXPECT_EQ(read.lease_seconds, settings.lease_seconds);
    settings.optimum = std::numeric_limits<double>::infinity();
    EXPECT_THROW(study::settings_to_json(settings), InvalidArgument);
}

TEST(StudyFile, DirectoryAndFileTakeTheNumbersOfTheTrial) {
    const std::string own =
        "directory = \"work/{trial}-{attempt}\"\n[result]\nfrom = \"file\"\nfile = \"out.txt\"\n# its";
    const StudyDefinition study = parse_study(replaced(smallest, "# its", own), "/tmp/{braces}/s.toml");
    EXPECT_EQ(study.settings.directory, "/tmp/{{braces}}/work/{trial}-{attempt}") << "only what the user wrote counts";
    expect_mistake(replaced(smallest, "# its", "directory = \"w/{x}\"\n# its"), "5",
                   {"directory names {x}", "{trial}"});
    expect_mistake(replaced(smallest, "# its", "[result]\nfrom = \"file\"\nfile = \"{trail}\"\n# its"), "7",
                   {"file names {trail}"});
}

TEST(StudyFile, ParametersWhoseNamesMeanSomethingElseAreRefused) {
    const std::string environment = replaced(smallest, "command", "input = \"environment\"\ncommand");
    const std::string one = "\"a b\" = { low = 0.0, high = 1.0 }\n", other = "a_b = { low = 0.0, high = 1.0 }\n";
    EXPECT_EQ(mistakes(environment + one), "");
    expect_mistake(environment + one + other, "10", {"\"a_b\" would be the variable SUMMAND_a_b", "\"a b\"", "rename"});
    expect_mistake(environment + "TRIAL = { low = 0.0, high = 1.0 }\n", "10", {"SUMMAND_TRIAL", "rename"});
    EXPECT_EQ(mistakes(environment + "trial = { low = 0.0, high = 1.0 }\n"), "")
        << "SUMMAND_trial is free, {trial} not used";
    const std::string shadowed =
        replaced(environment, "{angle}", "{angle}-{trial}") + "trial = { low = 0.0, high = 1.0 }\n";
    expect_mistake(shadowed, "10", {"a parameter is named \"trial\"", "rename"});
}

TEST(StudyFile, LevelsAreGivenInOneWay) {
    const std::string head = smallest + "n = { type = \"levels\", ";
    expect_mistake(head + "values = [1, 2], low = 0.0, high = 1.0 }\n", "12",
                   {"has values and also low, high or count"});
    expect_mistake(head + "low = 0.0, high = 1.0 }\n", "12", {"has no count"});
    expect_mistake(head + "low = 0.0, high = 1.0, count = 1000000000 }\n", "12",
                   {"1000000000 levels", "at most 10000"});
}

TEST(StudyFile, ALogScaleMayBeginBelowTheNormalNumbers) {
    for (const std::string low : {"1e-310", "1e-300"})
        EXPECT_EQ(mistakes(replaced(smallest, "{angle}", "{angle}{n}") + "n = { low = " + low +
                           ", high = 1.0, scale = \"log\" }\n"),
                  "");
}

TEST(StudyFile, ASuggestionShareIsAShare) {
    expect_mistake(replaced(smallest, "seed = 1", "suggestion_share = 5"), "8",
                   {"suggestion_share", "between 1e-09 and 1"});
}

TEST(StudyFile, SoManyTablesInTablesAreRefused) {
    std::string key = "a";
    std::string quoted = "'='", in_text = "x = {a = '''\n''', a";
    for (int i = 0; i < 100'000; ++i) key += ".a", quoted += i % 2 == 0 ? ".\"=\"" : ".'='", in_text += ".'='";
    for (const std::string& line : {key + " = 1", "[" + key + "]", "x = {" + key + " = 1}", quoted + " = 1"})
        expect_mistake(replaced(smallest, "seed = 1", line), "8", {"tables in tables"});
    expect_mistake(replaced(smallest, "seed = 1", in_text + " = 1}"), "9", {"tables in tables"});
    const std::string leader(200, '.');
    EXPECT_EQ(parse_study(replaced(smallest, "seed = 1", "# " + leader + "\nseed = 1"), "s.toml").options.seed, 1U);
}

TEST(Json, WhatIsNestedTooDeepIsRefused) {
    const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
    const SearchSpace space({Real{.name = "x"}});
    EXPECT_THROW(study::point_from_json(space, "{\"x\": " + deep + "}"), InvalidArgument);
    EXPECT_THROW(study::space_from_json(deep), InvalidArgument);
    EXPECT_THROW(study::settings_from_json("{\"command\": " + deep + "}"), InvalidArgument);
    EXPECT_THROW(options_from_json("{\"groups\": " + deep + "}"), InvalidArgument);
    EXPECT_THROW(options_from_store("{\"seed\": " + deep + "}"), InvalidArgument);
}

TEST(Json, WholeLevelsAreWholeNumbers) {
    const SearchSpace space{{Levels{.name = "width", .values = {16.0, 32.0}},
                             Levels{.name = "rate", .values = {0.5, 1.0}}, Real{.name = "x", .low = 0.0, .high = 1.0}}};
    const std::string json = study::point_to_json(space, {32.0, 1.0, 1.0});
    EXPECT_EQ(json, R"({"width":32,"rate":1.0,"x":1.0})");
    EXPECT_EQ(study::point_from_json(space, json), (Point{32.0, 1.0, 1.0}));
}

}  // namespace
}  // namespace summand
