// SPDX-License-Identifier: Apache-2.0
// How a trial becomes a command, and how its end becomes a result.
#include "summand/study/program.hpp"

#include "summand/base/error.hpp"
#include "summand/study/shell_command.hpp"
#include "support/temporary_folder.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace summand::study {
namespace {

const SearchSpace space{{Real{.name = "x", .low = 0.0, .high = 1.0}, Integer{.name = "n", .low = 1, .high = 9},
                         Choice{.name = "how", .values = {"a b", "c"}}}};

struct Program : ::testing::Test {
    testing_support::TemporaryFolder folder;
    StudySettings settings;
    Launch launch{"demo", 7, 2, {0.1, std::int64_t{3}, std::string("a b")}, folder.path()};

    std::string why(const std::string& output) {
        executor::Finished finished;
        finished.output = output;
        const Outcome outcome = outcome_of(settings, launch, finished);
        return std::holds_alternative<double>(outcome) ? "" : std::get<Failed>(outcome).reason;
    }
    double value(const std::string& output) {
        executor::Finished finished;
        finished.output = output;
        return std::get<double>(outcome_of(settings, launch, finished));
    }
};

TEST_F(Program, ColoursDoNotHideANumberAndControlCharactersAreShown) {
    EXPECT_EQ(value("\033[31m0.5\033[0m\n"), 0.5);
    settings.result_prefix = "loss:";
    EXPECT_EQ(value("\033[1;32mloss:\033[0m \033[38;5;9m-2e3\033[m\n"), -2000.0);
    settings.result_prefix.clear();
    EXPECT_EQ(why("\033[31mwrong\033[0m\a\n"),
              "unreadable result: no line of standard output is a number; it ends with \"wrong\\x07\"");
    EXPECT_EQ(why("cut\033["), "unreadable result: no line of standard output is a number; it ends with \"cut\"");
}

TEST_F(Program, PlaceholdersTakeTheValuesOfTheTrial) {
    settings.command = {"prog", "--x={x}", "{n}{n}", "{how}", "{{x}}", "{trial}/{attempt}"};
    EXPECT_EQ(job_for(settings, space, launch).command,
              (std::vector<std::string>{"prog", "--x=0.1", "33", "a b", "{x}", "7/2"}));
}

TEST_F(Program, ParametersCanComeAsJsonOnStandardInput) {
    settings.input = InputMode::stdin_json;
    EXPECT_EQ(job_for(settings, space, launch).input, "{\"x\":0.1,\"n\":3,\"how\":\"a b\"}\n");
}

TEST_F(Program, ParametersCanComeAsAFile) {
    settings.input = InputMode::file_json;
    settings.command = {"prog", "{file}"};
    const executor::Job job = job_for(settings, space, launch);
    std::ifstream file(job.command[1]);
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(line, "{\"x\":0.1,\"n\":3,\"how\":\"a b\"}");
    EXPECT_EQ(job.environment.at("SUMMAND_FILE"), job.command[1]);
}

TEST_F(Program, ParametersCanComeAsVariables) {
    settings.input = InputMode::environment;
    const auto environment = job_for(settings, space, launch).environment;
    EXPECT_EQ(environment.at("SUMMAND_x"), "0.1");
    EXPECT_EQ(environment.at("SUMMAND_how"), "a b");
    EXPECT_EQ(environment.at("SUMMAND_TRIAL"), "7");
}

TEST_F(Program, TheLastLineThatIsANumberIsTheResult) {
    EXPECT_EQ(value("1.5\n"), 1.5);
    EXPECT_EQ(value("loading\n3\nscore:\n -2.5e-3 \ndone in 3 s\n"), -2.5e-3);
    EXPECT_EQ(value("+4"), 4.0);
    EXPECT_NE(why("no numbers here\n").find("unreadable result"), std::string::npos);
    EXPECT_NE(why("").find("ends with nothing"), std::string::npos);
}

TEST_F(Program, AnArgumentWhoseChoiceIsEmptyIsLeftOut) {
    const SearchSpace optional{
        {Choice{.name = "flag", .values = {"", "--fast"}}, Choice{.name = "o", .values = {"", "2"}}}};
    settings.command = {"prog", "{flag}", "-O{o}", "end"};
    launch.values = {std::string(), std::string("2")};
    EXPECT_EQ(arguments_of(settings, optional, launch), (std::vector<std::string>{"prog", "-O2", "end"}));
    launch.values = {std::string("--fast"), std::string()};
    EXPECT_EQ(arguments_of(settings, optional, launch), (std::vector<std::string>{"prog", "--fast", "end"}));
}

TEST_F(Program, LiteralsReachJsonWithoutQuotes) {
    const SearchSpace mixed{
        {Choice{.name = "b", .values = {"false", "true"}}, Choice{.name = "w", .values = {"auto", "16", "0.5"}}}};
    settings.input = InputMode::stdin_json;
    settings.literals = {{"b", {"false", "true"}}, {"w", {"16", "0.5"}}};
    launch.values = {std::string("true"), std::string("16")};
    EXPECT_EQ(job_for(settings, mixed, launch).input, "{\"b\":true,\"w\":16}\n");
    launch.values = {std::string("false"), std::string("auto")};
    EXPECT_EQ(job_for(settings, mixed, launch).input, "{\"b\":false,\"w\":\"auto\"}\n");
    settings.literals = {};
    EXPECT_EQ(job_for(settings, mixed, launch).input, "{\"b\":\"false\",\"w\":\"auto\"}\n");
}

TEST_F(Program, ANumberCanFollowAPrefix) {
    settings.result_prefix = "loss:";
    EXPECT_EQ(value("loss: 3\n  loss: 0.25 (epoch 9)\nval_loss: 7\ndone\n"), 0.25);
    EXPECT_EQ(value("loss:+1e-3,\n"), 1e-3);
    EXPECT_EQ(value("loss: 5.\n"), 5.0);
    EXPECT_EQ(why("loss: nan\n"), "the result is NaN");
    for (const char* text : {"", "5\n", "the loss: 3\n", "loss: 3\nloss: none\n", "loss: 1.2.3\n", "loss: 3rd\n"})
        EXPECT_NE(why(text).find("no number follows \"loss:\""), std::string::npos) << text;
}

TEST_F(Program, ANumberCanBeCapturedByAPattern) {
    settings.result_pattern = "score = ([-+.e0-9]+) at";
    EXPECT_EQ(value("a score = 1 at 3\nb score = -2.5e-1 at 4\nscore = 9\n"), -0.25);
    EXPECT_NE(why("score = at 4\n").find("captures no number"), std::string::npos);
    EXPECT_NE(why("score = --3 at\n").find("captures no number"), std::string::npos);
    settings.result_pattern = "[0-9]+$";
    EXPECT_EQ(value("took 12\n"), 12.0);
    EXPECT_EQ(value("took 12\n" + std::string(1'000'000, '7') + "\n"), 12.0) << "a very long line is passed over";
}

TEST_F(Program, FurtherValuesAreFoundAsTheFirstIs) {
    executor::Finished finished;
    settings.result_prefix = "loss:";
    settings.result_also = {{"accuracy", "acc:"}, {"seconds", "time:"}, {"noise", "sd:"}};
    finished.output = "acc: 0.5\nloss: 2\nsd: nan\nacc: 0.75\n";
    EXPECT_EQ(also_of(settings, launch, finished), (NamedValues{{"accuracy", 0.75}})) << "what is missing is left out";
    settings.result_prefix.clear();
    settings.result_pattern = "L(\\d+)";
    settings.result_also = {{"s", "S(\\d+)"}};
    finished.output = "L1 S2\n";
    EXPECT_EQ(also_of(settings, launch, finished), (NamedValues{{"s", 2.0}}));
    settings.result_pattern.clear();
    settings.result = ResultMode::stdout_json;
    settings.result_field = "loss";
    settings.result_also = {{"acc", "other.acc"}};
    finished.output = R"({"loss": 1, "other": {"acc": 0.5}})";
    EXPECT_EQ(also_of(settings, launch, finished), (NamedValues{{"acc", 0.5}}));
}

TEST_F(Program, ItsCommandCanBeTypedIntoAShell) {
    settings.directory = "/tmp/a b";
    settings.command = {"prog", "--x={x}", "{how}", "it's"};
    EXPECT_EQ(shell_command(settings, space, launch), R"(cd '/tmp/a b' && prog --x=0.1 'a b' 'it'\''s')");
    settings.input = InputMode::environment;
    settings.command = {"prog"};
    EXPECT_EQ(shell_command(settings, space, launch),
              "cd '/tmp/a b' && SUMMAND_x=0.1 SUMMAND_n=3 SUMMAND_how='a b' prog");
    settings.input = InputMode::stdin_json;
    EXPECT_EQ(shell_command(settings, space, launch),
              R"(cd '/tmp/a b' && printf '%s\n' '{"x":0.1,"n":3,"how":"a b"}' | prog)");
}

TEST_F(Program, NanAndInfinityAreFailures) {
    EXPECT_EQ(why("5\nnan\n"), "the result is NaN") << "an earlier number must not stand in for it";
    EXPECT_EQ(why("-inf\n"), "the result is infinite");
    EXPECT_EQ(why("1e999\n"), "the result is infinite");
}

TEST_F(Program, AJsonFieldCanBeTheResult) {
    settings.result = ResultMode::stdout_json;
    settings.result_field = "score.mean";
    EXPECT_EQ(value("{\"score\": {\"mean\": 2.25}}"), 2.25);
    EXPECT_EQ(value("starting\n{\"score\": {\"mean\": 3}}\n"), 3.0);
    EXPECT_EQ(value("{\n \"score\": {\n \"mean\": 4}}\n"), 4.0);
    EXPECT_NE(why("{\"score\": 1}").find("no field \"score.mean\""), std::string::npos);
    EXPECT_EQ(why("{\"score\": {\"mean\": null}}"), "the result is NaN");
    EXPECT_NE(why("{\"score\": {\"mean\": \"x\"}}").find("unreadable"), std::string::npos);
    EXPECT_NE(why("rubbish").find("unreadable"), std::string::npos);
    const std::string deep(200'000, '[');
    EXPECT_NE(why("{\"score\": {\"mean\": " + deep + std::string(200'000, ']') + "}}").find("unreadable"),
              std::string::npos);
}

TEST_F(Program, AFileCanBeTheResult) {
    settings.result = ResultMode::file;
    settings.command = {"prog", "{result}"};
    const executor::Job job = job_for(settings, space, launch);
    EXPECT_EQ(job.command[1], job.result_file);
    EXPECT_NE(why("").find("did not write"), std::string::npos);
    executor::Finished finished;
    finished.result = "comment\n0.75\n";
    EXPECT_EQ(std::get<double>(outcome_of(settings, launch, finished)), 0.75);
}

TEST_F(Program, CausesOfFailureAreKeptApart) {
    const auto reason = [&](executor::Ending ending, int code) {
        executor::Finished finished;
        finished.ending = ending;
        finished.code = code;
        finished.output = "1.0\n";
        return std::get<Failed>(outcome_of(settings, launch, finished)).reason;
    };
    EXPECT_EQ(reason(executor::Ending::exited, 3), "exit status 3");
    EXPECT_EQ(reason(executor::Ending::signalled, 9), "signal 9 (Killed)");
    EXPECT_EQ(reason(executor::Ending::time_limit, 9), "time limit");
}

TEST_F(Program, EachTrialCanHaveADirectoryOfItsOwn) {
    settings.directory = (folder / "work").string() + "/{trial}-{attempt}";
    settings.result = ResultMode::file;
    settings.result_file = "out.txt";
    EXPECT_FALSE(shares_result_file(settings));
    const executor::Job job = job_for(settings, space, launch);
    EXPECT_EQ(job.directory, folder / "work" / "7-2");
    EXPECT_TRUE(std::filesystem::is_directory(job.directory));
    EXPECT_EQ(job.environment.at("SUMMAND_RESULT"), (folder / "work" / "7-2" / "out.txt").string());
    settings.directory = folder.path();
    EXPECT_TRUE(shares_result_file(settings));
    settings.result_file = "out-{trial}.txt";
    EXPECT_FALSE(shares_result_file(settings));
    settings.directory = (folder / "work").string() + "/{trial}";
    settings.result_file = "/tmp/out.txt";
    EXPECT_TRUE(shares_result_file(settings)) << "an absolute path is the same in every directory";
}

TEST_F(Program, TheLastLineOfStandardErrorIsTheReason) {
    executor::Finished finished;
    finished.code = 3;
    finished.error = "Traceback:\n  line 1\nModuleNotFoundError: No module named 'numpy'\n\n";
    EXPECT_EQ(std::get<Failed>(outcome_of(settings, launch, finished)).reason,
              "exit status 3: ModuleNotFoundError: No module named 'numpy'");
    finished.error.clear();
    EXPECT_EQ(std::get<Failed>(outcome_of(settings, launch, finished)).reason, "exit status 3");
}

}  // namespace
}  // namespace summand::study
