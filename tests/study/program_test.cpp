// SPDX-License-Identifier: Apache-2.0
// How a trial becomes a command, and how its end becomes a result.
#include "summand/study/program.hpp"

#include "summand/base/error.hpp"
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
