// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/optimizer.hpp"

#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

namespace summand::options_test {
namespace {

std::string message_of(const auto& call) {
    try {
        call();
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

template <class Enum>
void expect_words_read_back() {
    const auto words = words_of<Enum>();
    for (std::size_t i = 0; i < words.size(); ++i) {
        EXPECT_EQ(to_string(static_cast<Enum>(i)), words[i]);
        EXPECT_EQ(from_string<Enum>(words[i], "test"), static_cast<Enum>(i));
    }
}

TEST(Options, EveryWordReadsBackAsItsEnumerator) {
    expect_words_read_back<Goal>();
    expect_words_read_back<Preset>();
    expect_words_read_back<InitialDesign>();
    expect_words_read_back<LearnerName>();
    expect_words_read_back<AcquisitionName>();
    expect_words_read_back<BatchName>();
    expect_words_read_back<KernelName>();
    expect_words_read_back<HyperparameterSource>();
}

TEST(Options, AMisspeltWordNamesTheNearest) {
    const std::string text = message_of([] { from_string<BatchName>("ucb-dpp-fcn", "batch_method"); });
    EXPECT_NE(text.find("batch_method: \"ucb-dpp-fcn\""), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean \"ucb-dpp-fnc\""), std::string::npos) << text;
}

TEST(Options, JsonReadsBackExactly) {
    Options paper{.goal = Goal::maximize, .batch_size = 5, .seed = 18446744073709551615ULL, .threads = 2, .budget = 77};
    paper.preset = Preset::paper_batch;
    paper.strategy = PaperStrategy{
        .learner = LearnerName::known, .max_groups = 7, .lengthscale = 0.1 + 0.2, .beta_factor = 1.0 / 3.0};
    paper.groups = {{"a", "b"}, {"c"}};
    paper.initial_points = 12;
    paper.evaluation_seconds = 1.0 / 7.0;
    EXPECT_EQ(options_from_json(options_to_json(paper)), resolved(paper));
    const Options standard{.initial_design = InitialDesign::sobol};
    EXPECT_EQ(options_from_json(options_to_json(standard)), resolved(standard));
    EXPECT_EQ(options_from_json("{}"), resolved(Options{}));
}

TEST(Options, APresetFillsWhatIsNotGiven) {
    const Options options = options_from_json(R"({"preset": "paper-batch", "max_group_size": 2, "batch_size": 5})");
    PaperStrategy expected = std::get<PaperStrategy>(strategy_of(Preset::paper_batch));
    expected.max_group_size = 2;
    EXPECT_EQ(std::get<PaperStrategy>(*options.strategy), expected);
    EXPECT_EQ(options.initial_design, InitialDesign::uniform);
}

TEST(Options, PresetsHaveThePapersValues) {
    const auto sequential = std::get<PaperStrategy>(strategy_of(Preset::paper_sequential));
    EXPECT_EQ(sequential.relearn_every, 50);  // sec. 5.1
    EXPECT_EQ(sequential.sweeps, 100);        // sec. 5.1
    EXPECT_EQ(sequential.burn_in, 50);        // sec. 5.1
    EXPECT_EQ(sequential.lengthscale, 0.1);   // sec. 5.1
    EXPECT_EQ(sequential.variance, 5.0);      // sec. 5.1
    EXPECT_EQ(sequential.alpha, 1.0);         // appendix, sensitivity analysis for alpha
    EXPECT_FALSE(sequential.beta_factor);     // 1 up to D = 10, 1/5 from D = 20 on
    EXPECT_EQ(std::get<PaperStrategy>(strategy_of(Preset::paper_batch)).beta_factor, 1.0);  // sec. 5.2
}

TEST(Options, EveryMistakeInJsonIsReportedAtOnce) {
    const std::string text = message_of([] {
        options_from_json(R"({"goal": "maximise", "batch_sise": 3, "seed": -1, "threads": 1.5, "learner": "gibbs"})");
    });
    EXPECT_NE(text.find("did you mean \"maximize\""), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean \"batch_size\""), std::string::npos) << text;
    EXPECT_NE(text.find("seed is -1"), std::string::npos) << text;
    EXPECT_NE(text.find("threads is 1.5"), std::string::npos) << text;
    EXPECT_NE(text.find("learner does not belong to the default strategy"), std::string::npos) << text;
    EXPECT_NE(message_of([] { options_from_json("[1, 2"); }).find("not a JSON object"), std::string::npos);
}

TEST(Options, EveryProblemIsASentence) {
    Options options{.batch_size = 0, .threads = 0, .budget = 0};
    options.strategy = PaperStrategy{.learner = LearnerName::known, .sweeps = 10, .burn_in = 10, .lengthscale = -1.0};
    EXPECT_EQ(options.problems().size(), 6u);
    options = {};
    options.groups = {{"a", "b"}, {"b"}, {}};
    EXPECT_EQ(options.problems().size(), 2u);
    for (const Preset preset : {Preset::standard, Preset::paper_sequential, Preset::paper_batch})
        EXPECT_TRUE(Options{.preset = preset}.problems().empty());
}

TEST(Options, ValuesOfTheWrongKindAreRefusedNotSwallowed) {
    for (const std::string& key : option_keys())
        for (const char* value : {"true", "\"x\"", "[[1]]", "{}", "-3.5"}) {
            const std::string json = "{\"" + key + "\": " + value + "}";
            EXPECT_NE(message_of([&] { options_from_json(json); }), "") << json;
        }
}

TEST(Options, TheOptimizerReportsAllMistakesTogetherWithUnknownGroups) {
    const SearchSpace space{{Real{.name = "rate"}, Real{.name = "width"}}};
    Options options{.batch_size = 0};
    options.groups = {{"rate", "widht"}};
    const std::string text = message_of([&] { Optimizer(space, options); });
    EXPECT_NE(text.find("batch_size is 0"), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean \"width\""), std::string::npos) << text;
}

// They were found when the initial design had been evaluated: by a crash, or by a sentence at every ask from then on.
TEST(Options, LimitsThatNoGroupsCanKeepAreRefusedBeforeAnythingIsEvaluated) {
    std::vector<Parameter> parameters;
    for (const char* name : {"a", "b", "c", "d"}) parameters.push_back(Real{.name = name});
    const auto problem = [&](const PaperStrategy& strategy, const std::vector<std::vector<std::string>>& groups = {}) {
        Options options{.groups = groups};
        options.strategy = strategy;
        return message_of([&] { Optimizer(SearchSpace(parameters), options); });
    };
    EXPECT_EQ(problem({.learner = LearnerName::full, .max_groups = 1}),
              "Options: max_groups is 1, but learner = \"full\" makes 4; raise max_groups, or leave it out");
    EXPECT_EQ(
        problem({.max_groups = 2}, {{"a", "b"}}),
        "Options: max_groups is 2, but groups, with a group for each parameter it does not mention, makes 3; raise "
        "max_groups, or leave it out");
    EXPECT_EQ(problem({.max_groups = 1, .max_group_size = 2}),
              "Options: max_groups is 1 and max_group_size is 2, room for fewer than the 4 parameters of the search "
              "space; raise one of them, or leave it out");
    for (const LearnerName learner : {LearnerName::gibbs, LearnerName::none, LearnerName::best_of_five})
        EXPECT_EQ(problem({.learner = learner, .max_groups = 2, .max_group_size = 2}), "");
    EXPECT_EQ(problem({.max_groups = 3}, {{"a", "b"}}), "");
}

TEST(Options, NumbersThatNoMemoryHoldsAreRefused) {
    Options options{.initial_points = 2'000'000'000};
    options.strategy = PaperStrategy{.sweeps = 2'000'000'000, .max_groups = 2'000'000'000, .structures = 2'000'000'000};
    EXPECT_EQ(options.problems().size(), 4u);
}

TEST(OptionDescriptions, TheDocumentationHasEveryRow) {
    std::ifstream file(SUMMAND_GOLDEN_DIR "/../../docs/optimizer.md");
    std::stringstream text;
    text << file.rdbuf();
    int rows = 0;
    for (const OptionDescription& option : describe_options()) {
        if (option.strategy != "default") continue;
        const std::string row =
            "| `" + option.name + "` | " + option.initial + " | " + option.allowed + " | " + option.meaning + " |";
        EXPECT_NE(text.str().find(row), std::string::npos) << row;
        ++rows;
    }
    EXPECT_EQ(rows, 4);
}

TEST(OptionDescriptions, KnowEveryKey) {
    std::set<std::string> described;
    for (const OptionDescription& option : describe_options()) described.insert(option.name);
    const auto keys = option_keys();
    EXPECT_EQ(described, std::set<std::string>(keys.begin(), keys.end()));
}

}  // namespace
}  // namespace summand::options_test
