// SPDX-License-Identifier: Apache-2.0
#include "summand/study/help_text.hpp"

#include "summand/study/definition.hpp"

#include <gtest/gtest.h>

namespace summand::study {
namespace {

std::vector<std::string> names_in(const std::string& help) {
    std::vector<std::string> names;
    for (const HelpOption& option : options_in_help(help)) names.push_back(option.name());
    return names;
}

const std::string argparse = R"(usage: train.py [-h] [--lr LR] [--epochs N] [--solver {sgd,adam}]

options:
  -h, --help            show this help message and exit
  --lr LR               learning rate (default: 0.001)
  -e N, --epochs N      how many passes over the data
                        (default: 20)
  --solver {sgd,adam}   which solver (default: sgd)
  --seed SEED           random seed (default: 1)
  --data PATH           where the data are (default: data)
  --offset X            (default: -3)
)";

TEST(HelpText, OptionsOfArgparse) {
    const auto options = options_in_help(argparse);
    ASSERT_EQ(options.size(), 3U) << "no seed, no path, no default from which a range could be guessed";
    EXPECT_EQ(options[0].flag, "--lr");
    EXPECT_EQ(options[0].number, 0.001);
    EXPECT_FALSE(options[0].whole);
    EXPECT_EQ(options[1].flag, "--epochs");
    EXPECT_EQ(options[1].number, 20.0);
    EXPECT_TRUE(options[1].whole);
    EXPECT_EQ(options[2].values, (std::vector<std::string>{"sgd", "adam"}));
}

TEST(HelpText, OptionsOfClickClapAndCli11) {
    EXPECT_EQ(names_in("Options:\n  --rate FLOAT          Rate.  [default: 0.1]\n  --mode [fast|slow]    Mode.\n"),
              (std::vector<std::string>{"rate", "mode"}));
    EXPECT_EQ(
        names_in("Options:\n  -r, --rate <RATE>    [default: 1e-3]\n      --mode <MODE>  [possible values: a, b]\n"),
        (std::vector<std::string>{"rate", "mode"}));
    EXPECT_EQ(names_in("Options:\n  --tile-size INT [64]        Size\n  --mode TEXT:{a,b} [a]       Mode\n"),
              (std::vector<std::string>{"tile_size", "mode"}));
}

TEST(HelpText, TextWithoutOptionsGivesNone) {
    EXPECT_TRUE(options_in_help("").empty());
    EXPECT_TRUE(options_in_help("usage: thing FILE\nRuns --fast by default 3 times.\n").empty());
    EXPECT_TRUE(options_in_help("  --fast    be fast\n  --name TEXT   (default: v1.2.3)\n").empty());
}

TEST(HelpText, TheStudyMadeFromItIsSound) {
    const std::string text = study_from_help("train", "./train.py", options_in_help(argparse));
    const StudyDefinition study = parse_study(text, "/tmp/train.toml");
    EXPECT_EQ(study.settings.command,
              (std::vector<std::string>{"./train.py", "--lr", "{lr}", "--epochs", "{epochs}", "--solver", "{solver}"}));
    EXPECT_EQ(study.space[0], Parameter(Real{"lr", 1e-4, 1e-2, Scale::log}));
    EXPECT_EQ(study.space[1], Parameter(Integer{"epochs", 2, 200, Scale::log}));
    EXPECT_EQ(study.space[2], Parameter(Choice{"solver", {"sgd", "adam"}}));
}

}  // namespace
}  // namespace summand::study
