// SPDX-License-Identifier: Apache-2.0
#include "summand/report/collect.hpp"

#include "summand/report/page.hpp"
#include "summand/study/study.hpp"
#include "support/xml.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace summand::report {
namespace {

// A sum of a part of (a, b) and a part of c, which fails where d is "bad".
Outcome value_at(const Point& p) {
    const double a = std::get<double>(p[0]), b = std::get<double>(p[1]), c = std::get<double>(p[2]);
    if (std::get<std::string>(p[3]) == "bad") return Failed{"exit status 3"};
    return -(a - 0.3) * (a - 0.3) - 2 * a * b - (c - 0.7) * (c - 0.7);
}

Study study_after(int asks) {
    StudyDefinition definition{.name = "sum",
                               .space = SearchSpace({Real{.name = "a"}, Real{.name = "b"}, Real{.name = "c"},
                                                     Choice{.name = "d", .values = {"good", "fine", "bad"}}})};
    definition.options = {.goal = Goal::maximize, .batch_size = 4, .seed = 3, .preset = Preset::paper_batch};
    definition.options.groups = {{"a", "b"}};
    definition.settings.budget = 40;
    definition.settings.target = 0.5;
    Study study = Study::in_memory(definition);
    for (int k = 0; k < asks; ++k)
        for (const Trial& trial : study.ask()) study.tell(trial.id, value_at(trial.values));
    return study;
}

TEST(Collect, BringsEveryTrialAskOptionAndSetting) {
    const Study study = study_after(4);
    const ReportData data = collect(study, {.optimum = 0.1, .now = 5});
    ASSERT_EQ(data.trials.size(), 16u);
    EXPECT_EQ(data.asks.size(), 4u);
    EXPECT_EQ(data.budget, 40);
    EXPECT_EQ(data.target, 0.5);
    EXPECT_EQ(data.optimum, 0.1);
    ASSERT_NE(data.best(), nullptr);
    EXPECT_EQ(data.best()->id, study.best()->id);
    for (const Trial& trial : data.trials) {
        const bool bad = std::get<std::string>(trial.values[3]) == "bad";
        EXPECT_EQ(trial.state, bad ? TrialState::failed : TrialState::completed);
        EXPECT_EQ(trial.reason, bad ? "exit status 3" : "");
        EXPECT_EQ(trial.ask, (trial.id - 1) / 4);
    }
    const auto has = [](const auto& list, const std::string& name, const std::string& value) {
        return std::find(list.begin(), list.end(), std::make_pair(name, value)) != list.end();
    };
    EXPECT_TRUE(has(data.option_list, "seed", "3"));
    EXPECT_TRUE(has(data.option_list, "goal", "maximize"));
    EXPECT_FALSE(data.setting_list.empty());
}

TEST(Collect, AsksTheModelForStructureImportanceAndSlices) {
    const ReportData data = collect(study_after(6), {});
    EXPECT_TRUE(data.notes.empty()) << data.notes.front();
    EXPECT_EQ(data.structure.names, data.space.names());
    EXPECT_EQ(data.importance.size(), 4u);
    std::size_t maps = 0;
    for (const GroupSlice& slice : data.slices) maps += slice.parameters.size() == 2;
    EXPECT_EQ(maps, 1u);  // of (a, b)
    EXPECT_EQ(data.slices.size(), 3u);
    EXPECT_NE(render_page(data).find("id=\"slices\""), std::string::npos);
}

// Ackley's function has no groups: the learner guesses some, and a model of single parameters foretells better.
Study ackley_study(std::uint64_t seed) {
    std::vector<Parameter> parameters;
    for (int j = 1; j <= 12; ++j) parameters.push_back(Real{.name = "x" + std::to_string(j), .low = -5, .high = 10});
    StudyDefinition definition{.name = "ackley", .space = SearchSpace(parameters)};
    definition.options = {.goal = Goal::minimize, .batch_size = 4, .seed = seed};
    definition.settings.budget = 36;
    Study study = Study::in_memory(definition);
    for (int k = 0; k < 9; ++k)
        for (const Trial& trial : study.ask()) {
            double squares = 0, cosines = 0;
            for (const Value& value : trial.values) {
                const double x = std::get<double>(value);
                squares += x * x / 12, cosines += std::cos(6.283185307179586 * x) / 12;
            }
            study.tell(trial.id, 20 + std::exp(1.0) - 20 * std::exp(-0.2 * std::sqrt(squares)) - std::exp(cosines));
        }
    return study;
}

TEST(Collect, TakesTheSlicesOfTheModelThatLeadsWhateverGroupsWereLearned) {
    int pairs_apart = 0;  // studies in which two parameters of a learned group are apart in the model that leads
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const ReportData data = collect(ackley_study(seed), {});
        EXPECT_TRUE(data.notes.empty()) << data.notes.front();
        EXPECT_EQ(data.importance.size(), 12u);
        EXPECT_GE(data.slices.size(), 6u);
        const bool pairs = std::any_of(data.structure.groups.begin(), data.structure.groups.end(),
                                       [](const auto& group) { return group.size() == 2; });
        if (!pairs || leading_model(data.structure)->name != "every parameter alone") continue;
        ++pairs_apart;
        EXPECT_NE(render_page(data).find("What each parameter does"), std::string::npos);
    }
    EXPECT_GT(pairs_apart, 0);
}

TEST(Collect, BringsTheEndOfWhatTheProgramsOfFailedAndOfTheBestTrialsWrote) {
    Study study = study_after(0);
    for (const Trial& trial : study.ask()) {
        storage::AttemptRecord log{.trial = trial.id, .output = std::string(5000, 'o') + "end", .error = "because"};
        study.tell(trial.id,
                   trial.id == 2 ? Outcome(Failed{"exit status 3"}) : Outcome(1.0 * static_cast<double>(trial.id)),
                   {.log = log});
    }
    const ReportData data = collect(study, {.most_logs = 2, .log_bytes = 100});
    EXPECT_EQ(data.logs.at(2).substr(data.logs.at(2).size() - 11), "end\nbecause");
    EXPECT_LT(data.logs.at(2).size(), 110u);
    EXPECT_TRUE(data.logs.contains(4));  // the best
    EXPECT_FALSE(data.logs.contains(1));
}

TEST(Collect, LeavesOutSlicesBeyondTheLimitAndSaysSo) {
    const ReportData data = collect(study_after(6), {.most_curves = 1, .most_maps = 0});
    EXPECT_EQ(data.slices.size(), 1u);
    ASSERT_EQ(data.notes.size(), 1u);
    EXPECT_NE(data.notes[0].find("2 slices"), std::string::npos);
}

TEST(Collect, TakesTheModelFromAsManyPointsAsAllowed) {
    const Study study = study_after(8);
    const ReportData all = collect(study, {}), same = collect(study, {.most_points = 32}),
                     fewer = collect(study, {.most_points = 12});
    EXPECT_EQ(same.slices[0].mean, all.slices[0].mean);
    ASSERT_EQ(fewer.slices.size(), all.slices.size());
    EXPECT_NE(fewer.slices[0].mean, all.slices[0].mean);
}

TEST(PlanSlices, TakesMapsOfPairsAndTriplesAndCurvesOfTheRest) {
    const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    const std::vector<Importance> importance = {{0.01}, {0.02}, {0.03}, {0.04}, {0.1},
                                                {0.1},  {0.1},  {0.2},  {0.1},  {0.3}};
    const std::vector<std::vector<std::string>> groups = {{"a", "b", "c", "d"}, {"e", "f", "g"}, {"h", "i"}, {"j"}};
    const SlicePlan plan = plan_slices(groups, names, importance, {});
    const std::vector<std::vector<std::string>> expected = {{"j"}, {"h", "i"}, {"e", "f"}, {"e", "g"}, {"f", "g"},
                                                            {"a"}, {"b"},      {"c"},      {"d"}};
    EXPECT_EQ(plan.axes, expected);
    EXPECT_EQ(plan.left_out, 0u);
    const SlicePlan fewer = plan_slices(groups, names, importance, {.most_curves = 2, .most_maps = 1});
    EXPECT_EQ(fewer.axes, (std::vector<std::vector<std::string>>{{"j"}, {"h", "i"}, {"a"}}));
    EXPECT_EQ(fewer.left_out, 6u);
}

TEST(Collect, OfAStudyWithoutTrialsGivesAPage) {
    const std::string page = render_page(collect(study_after(0), {}));
    EXPECT_NE(page.find("none yet"), std::string::npos);
}

}  // namespace
}  // namespace summand::report
