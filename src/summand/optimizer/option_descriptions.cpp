// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/option_list.hpp"

#include <nlohmann/json.hpp>

namespace summand {
namespace {

class Describer {
  public:
    explicit Describer(std::string strategy, nlohmann::json initial)
        : strategy_(std::move(strategy)), initial_(std::move(initial)) {}
    std::vector<OptionDescription> found = {};

    template <class T>
    void operator()(const About& about, const T&) {
        add<T>(about, false);
    }
    template <class T>
    void operator()(const About& about, const std::optional<T>&) {
        add<T>(about, true);
    }

  private:
    template <class T>
    void add(const About& about, bool optional) {
        OptionDescription option{.name = about.key,
                                 .strategy = strategy_,
                                 .type = "groups",
                                 .optional = optional,
                                 .allowed = allowed(about),
                                 .initial = initial_.at(about.key).dump(),
                                 .meaning = about.meaning};
        if constexpr (std::is_enum_v<T>) {
            option.type = "word";
            option.words = words_of<T>();
        } else if constexpr (std::is_integral_v<T>) {
            option.type = "integer";
        } else if constexpr (std::is_same_v<T, double>) {
            option.type = "real";
        }
        found.push_back(std::move(option));
    }

    std::string strategy_;
    nlohmann::json initial_;
};

template <class StrategyType>
void describe_strategy(const char* word, Preset preset, std::vector<OptionDescription>& all) {
    Describer describe(word, nlohmann::json::parse(options_to_json({.preset = preset})));
    StrategyType strategy;
    visit_strategy(describe, strategy);
    all.insert(all.end(), describe.found.begin(), describe.found.end());
}

}  // namespace

std::vector<OptionDescription> describe_options() {
    Options options;
    Describer common("", nlohmann::json::parse(options_to_json(options)));
    common(preset_option, options.preset);
    visit_common(common, options);
    std::vector<OptionDescription> all = common.found;
    all.insert(all.begin() + 1, {.name = "strategy",
                                 .type = "word",
                                 .words = {"default", "paper"},
                                 .initial = "\"default\"",
                                 .meaning = "whose options these are; follows from the preset"});
    describe_strategy<DefaultStrategy>("default", Preset::standard, all);
    describe_strategy<PaperStrategy>("paper", Preset::paper_batch, all);
    return all;
}

}  // namespace summand
