// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/study/study.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

// Studies that a program with version 1 of the default strategy began (tests/golden/make_strategy1_databases.sh).
namespace summand {
namespace {

namespace fs = std::filesystem;

class OldStudy : public ::testing::Test {
  protected:
    std::string copy_of(const std::string& name) {
        const fs::path path = folder_.path() / (name + ".db");
        fs::copy_file(fs::path(SUMMAND_GOLDEN_DIR) / (name + ".db"), path);
        return path.string();
    }
    testing_support::TemporaryFolder folder_;
};

std::string refusal(Study& study) {
    try {
        study.ask({.count = 1});
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

/// The definition that the study was made from, as a program of today reads it.
StudyDefinition definition(const std::string& database, const std::string& name) {
    StudyDefinition made{.name = name,
                         .space = SearchSpace{{Integer{"n", -9, 9}, Integer{"m", 1, 9}}},
                         .options = {.batch_size = 2, .seed = 5, .budget = 14, .initial_points = 6}};
    made.database = database;
    made.settings.command = {"sh", "-c", "echo $(( {n} * {m} ))"};
    made.settings.budget = 20;
    return made;
}

TEST_F(OldStudy, IsReadAsItWas) {
    const Study study = Study::open(copy_of("strategy1"));
    EXPECT_EQ(study.best()->value, -81.0);
    EXPECT_EQ(study.options().seed, 5u);
    EXPECT_EQ(study.trials().size(), 15u);
}

TEST_F(OldStudy, SaysWhatChangesBeforeItGoesOn) {
    Study study = Study::open(copy_of("strategy1-set"));
    study.tell(15, -49.0);
    const std::string text = refusal(study);
    EXPECT_NE(text.find("version 1 of the default strategy"), std::string::npos) << text;
    EXPECT_NE(text.find("idle_share = 0.2"), std::string::npos) << text;
    EXPECT_NE(text.find("--accept-new-strategy"), std::string::npos) << text;
    EXPECT_EQ(text.find("explore_share"), std::string::npos) << text;  // still an option: it is kept
    EXPECT_EQ(study.trials().size(), 15u);
}

TEST_F(OldStudy, GoesOnWithWhatTheUserSetOnceAccepted) {
    const std::string path = copy_of("strategy1-set");
    {
        Study study = Study::open(path);
        study.tell(15, -49.0);
        study.accept_new_strategy();
        EXPECT_EQ(study.ask({.count = 2}).size(), 2u);
    }
    Study again = Study::open(path);
    const auto strategy = std::get<DefaultStrategy>(*again.options().strategy);
    EXPECT_EQ(strategy.explore_share, 0.3);
    EXPECT_EQ(strategy.temper_from, DefaultStrategy{}.temper_from);  // 0.3 then, and not set by anybody
    EXPECT_EQ(again.ask({.count = 1}).size(), 1u);
}

TEST_F(OldStudy, ItsFileIsNotRefusedForNumbersNobodySet) {
    Study study = Study::open_or_create(definition(copy_of("strategy1"), "strategy1"));
    study.accept_new_strategy();
    study.tell(15, -49.0);
    EXPECT_EQ(study.ask({.count = 1}).size(), 1u);
}

TEST(StoredOptions, AreTheVersionAndWhatWasSet) {
    EXPECT_EQ(options_to_store({}), R"({"preset":"default","strategy_version":4})");
    Options set{.seed = 7, .strategy = DefaultStrategy{.explore_share = 0.5}};
    EXPECT_EQ(options_to_store(set), R"({"preset":"default","strategy_version":4,"seed":7,"explore_share":0.5})");
    EXPECT_EQ(options_from_store(options_to_store(set)).options, resolved(set));
    Options paper{.preset = Preset::paper_batch, .strategy = PaperStrategy{.sweeps = 7, .burn_in = 3}};
    EXPECT_EQ(options_from_store(options_to_store(paper)).options, resolved(paper));
    EXPECT_THROW(options_from_store(R"({"preset":"default","strategy_version":5})"), InvalidArgument);
}

TEST(StoredOptions, OfVersion2KeepWhatIsStillAnOption) {
    const StoredOptions old =
        options_from_store(R"({"preset":"default","strategy_version":2,"explore_share":0.5,"trend_share":0.1})");
    EXPECT_EQ(old.strategy_version, 2);
    EXPECT_EQ(old.options, resolved(Options{.strategy = DefaultStrategy{.explore_share = 0.5}}));
    EXPECT_EQ(old.no_longer_known, std::vector<std::string>{"trend_share = 0.1"});
}

}  // namespace
}  // namespace summand
