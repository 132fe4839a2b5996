// SPDX-License-Identifier: Apache-2.0
#include "problems/walker.hpp"

#include "golden_csv.hpp"

namespace summand::problems::walker {
namespace {

/// "[1121 0]" as the golden file writes the ends of phases: 1 a step, 2 a fall, 0 time or failure.
std::string text_of(const std::vector<End>& ends) {
    std::string text = "[";
    for (const End end : ends) text += end == End::step ? '1' : end == End::fall ? '2' : '0';
    return text + "]";
}

Vector random_input(Rng& rng) {
    Vector p(25);
    p[0] = rng.uniform(1.0, 10.0);
    for (Index k = 1; k < 25; ++k) p[k] = rng.uniform(-2.0, 2.0);
    return p;
}

TEST(Walker, ThePapersVariantAgreesWithItsCode) {
    for (const GoldenRow& row : read_golden("walker_golden.csv")) {
        const Walk walk = simulate(row.head(25), paper_rules);
        EXPECT_NEAR(paper_value(walk), row.number("value"), 0.005);
        EXPECT_EQ(text_of(walk.ends), row.text.at("events"));
        EXPECT_NEAR(walk.samples.back().time, row.number("t_end"), 1e-9);
    }
}

TEST(Walker, AnAccurateIntegrationAgreesWithTheExactHipIntegral) {
    const Rules accurate = {.restart = true, .max_phases = 20};
    for (const GoldenRow& row : read_golden("walker_golden.csv")) {
        const Walk walk = simulate(row.head(25), accurate);
        const double value = (walk.distance + leg * std::sin(walk.samples.back().state[0])) / 5.0;
        EXPECT_NEAR(value, row.number("value_exact_hip"), 1e-3);
        EXPECT_NEAR(paper_value(walk), row.number("value_tight"), 1e-3);
    }
}

TEST(Walker, TheSoundVariantIsTheHipsDistanceUntilAFall) {
    int falls = 0;
    for (const GoldenRow& row : read_golden("walker_golden.csv")) {
        const Walk sound = simulate(row.head(25), sound_rules);
        const Walk endless = simulate(row.head(25), {.restart = true, .max_phases = 20});
        const bool falls_somewhere = row.text.at("events").find('2') != std::string::npos;
        falls += falls_somewhere;
        EXPECT_EQ(sound.ends.back(), falls_somewhere ? End::fall : End::time);
        if (!falls_somewhere) {
            EXPECT_EQ(sound.distance, endless.distance);
        }
        // A change of legs does not move the hip, so its position over the ground says the same.
        const auto hip = [](const Sample& sample) { return sample.foot + leg * std::sin(sample.state[0]); };
        EXPECT_NEAR(hip(sound.samples.back()) - hip(sound.samples.front()), sound.distance, 1e-12);
    }
    EXPECT_GT(falls, 0);
}

TEST(Walker, OnlyTheSoundVariantIsIndependentOfTheIntegratorsTolerance) {
    Rng rng = Rng::from_seed(1);
    int changed_sound = 0, changed_paper = 0;
    const int inputs = 60;
    for (int i = 0; i < inputs; ++i) {
        const Vector p = random_input(rng);
        Rules tighter = {.relative_tolerance = 1e-9, .absolute_tolerance = 1e-10};
        const double change = simulate(p, sound_rules).distance - simulate(p, tighter).distance;
        changed_sound += std::abs(change) / 5.0 > 1e-3;
        Rules tight_paper = {.relative_tolerance = 1e-6, .absolute_tolerance = 1e-7, .restart = true, .max_phases = 20};
        changed_paper += std::abs(paper_value(simulate(p, paper_rules)) - paper_value(simulate(p, tight_paper))) > 1e-2;
    }
    EXPECT_EQ(changed_sound, 0);
    EXPECT_GT(changed_paper, inputs / 2);  // 336 of 400 change by more than 0.01 between 1e-5 and 1e-8
}

/// Kinetic energy and angular momenta of the masses at x, the stance foot at rest.
struct Moving {
    double kinetic = 0.0, momentum_about_swing_foot = 0.0, momentum_about_stance_foot = 0.0;
};
Moving motion(const State& x) {
    const double mass[] = {5.0, 15.0, 10.0, 5.0};
    const double c[4][3] = {{0.5, 0, 0}, {1, 0, 0}, {1, 0, 0.5}, {1, -0.5, 0}};
    const double foot_x = std::sin(x[0]) - std::sin(x[1]), foot_y = std::cos(x[0]) - std::cos(x[1]);
    Moving sum;
    for (int i = 0; i < 4; ++i) {
        double px = 0, py = 0, vx = 0, vy = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            px += c[i][k] * std::sin(x[k]);
            py += c[i][k] * std::cos(x[k]);
            vx += c[i][k] * std::cos(x[k]) * x[k + 3];
            vy -= c[i][k] * std::sin(x[k]) * x[k + 3];
        }
        sum.kinetic += 0.5 * mass[i] * (vx * vx + vy * vy);
        sum.momentum_about_stance_foot += mass[i] * (px * vy - py * vx);
        sum.momentum_about_swing_foot += mass[i] * ((px - foot_x) * vy - (py - foot_y) * vx);
    }
    return sum;
}

TEST(Walker, AnImpactKeepsAngularMomentumAboutTheFootThatStrikes) {
    Rng rng = Rng::from_seed(3);
    for (int i = 0; i < 50; ++i) {
        State x;
        for (double& v : x) v = rng.uniform(-1.0, 1.0);
        const State after = impact(x);
        EXPECT_EQ(after[0], x[1]);
        EXPECT_EQ(after[1], x[0]);
        EXPECT_NEAR(motion(after).momentum_about_stance_foot, motion(x).momentum_about_swing_foot, 1e-11);
        EXPECT_LE(motion(after).kinetic, motion(x).kinetic + 1e-12);
    }
}

TEST(Walker, ParametersCanBeRestrictedToThePapersFortyLevels) {
    const Problem problem = make("walker", {.levels = 40});
    EXPECT_EQ(std::get<Levels>(problem.space()[0]).values.size(), 40u);
    EXPECT_EQ(problem.space().names()[1], "a0_1");
    EXPECT_EQ(problem.space().names()[24], "b3_3");
    const Vector middle = Vector::Constant(25, 0.5);
    EXPECT_NE(problem.evaluate_unit(middle), make("walker").evaluate_unit(middle)) << "no level is in the middle";
}

}  // namespace
}  // namespace summand::problems::walker
