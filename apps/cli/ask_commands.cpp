// SPDX-License-Identifier: Apache-2.0
#include "answer_argument.hpp"
#include "commands.hpp"
#include "option_checks.hpp"
#include "study_argument.hpp"
#include "summand/base/error.hpp"
#include "summand/study/json.hpp"
#include "summand/study/quantities.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>
#include <nlohmann/json.hpp>

// summand ask | tell | abandon: for users with a scheduler of their own.
namespace summand::cli {

using Json = nlohmann::ordered_json;

namespace {

struct AskArguments {
    StudyArgument study = {};
    int count = 0;
    std::string lease = {};
    std::string key = {};
    bool json = false;
};

void print(const std::vector<Trial>& trials, const AnyStudy& study, bool as_json) {
    if (!as_json) {
        for (const Trial& trial : trials)
            std::cout << trial.id << ": " << point_text(study.space(), trial.values) << '\n';
        return;
    }
    Json list = Json::array();
    for (const Trial& trial : trials)
        list.push_back({{"id", trial.id},
                        {"parameters",
                         Json::parse(study::point_to_json(study.space(), trial.values, study.settings().literals))}});
    std::cout << list.dump() << '\n';
}

/// Nobody has seen them: they wait for the next ask, and are named.
std::string taken_back(const std::vector<Trial>& trials, AnyStudy& study) {
    std::string back, lost;
    for (const Trial& trial : trials) {
        const std::string id = std::to_string(trial.id);
        try {
            study.abandon(trial.id);
            study.rerun(trial.id);
            back += (back.empty() ? "" : ", ") + id;
        } catch (const std::exception&) {
            lost += (lost.empty() ? "" : ", ") + id;
        }
    }
    return (back.empty() ? "" : ". These trials wait for the next ask: " + back) +
           (lost.empty() ? "" : ". These trials were handed out unseen, give them up with `summand abandon`: " + lost);
}

void ask(const AskArguments& given) {
    AskRequest request;
    request.count = given.count;
    request.key = given.key;
    if (!given.lease.empty()) {
        request.lease_seconds = study::parse_duration(given.lease);
        if (!request.lease_seconds)
            throw InvalidArgument("--lease is \"" + given.lease + "\"; write a duration such as 90s, 30m, 2h or 1d");
    }
    const auto opened = given.study.any();
    AnyStudy& study = *opened;
    const std::vector<Trial> trials = study.ask(request);
    if (trials.empty()) {
        const auto running = study.counts().running;
        std::cerr << "summand: no trial is left to hand out: the budget is used up or every point has been tried"
                  << (running > 0 ? "; " + std::to_string(running) + " are still running" : "") << '\n';
    }
    print(trials, study, given.json);
    try {
        check_written();
    } catch (const InvalidArgument& error) {
        if (trials.empty()) throw;
        throw InvalidArgument(error.what() + (given.key.empty() ? taken_back(trials, study)
                                                                : ". The same ask with the same --key gives the same "
                                                                  "trials"));
    }
}

struct TellArguments {
    StudyArgument study = {};
    AnswerArgument answer = {};
};

void tell(const TellArguments& given) {
    const Outcome outcome = given.answer.outcome("tell");
    const TellRequest request = given.answer.request();
    const std::int64_t id = given.answer.id;
    const auto opened = given.study.any_existing();
    AnyStudy& study = *opened;
    switch (study.tell(id, outcome, request)) {
        case TellResult::accepted:
            break;
        case TellResult::repeated:
            std::cerr << "summand: trial " << id << " had this answer already\n";
            break;
        case TellResult::kept_as_late:
            std::cerr << "summand: trial " << id
                      << (study.trial(id)->state == TrialState::abandoned ? " was abandoned"
                                                                          : " has another answer already")
                      << "; this one is kept as late and changes nothing\n";
            break;
    }
}

}  // namespace

void add_ask(CLI::App& app) {
    {
        CLI::App* command =
            add_command(app, "ask", "Hand out trials to evaluate elsewhere", "summand ask study.toml --count 4 --json");
        auto given = std::make_shared<AskArguments>();
        add_study_argument(*command, given->study, Where::anywhere);
        command->add_option("--count", given->count, "How many (default: the batch size)")->check(at_least_one);
        command->add_option("--lease", given->lease,
                            "Issue them again if there is no answer in this time (90s, 2h; default: the study's)");
        command->add_option("--key", given->key,
                            "A key for this request: repeated, it gives the same trials; a key belongs to one request");
        add_strategy_flag(*command, given->study);
        command->add_flag("--json", given->json, "A JSON array of {\"id\", \"parameters\"}");
        command->callback([given] { ask(*given); });
    }
    {
        CLI::App* command =
            add_command(app, "tell", "Give the result of a trial",
                        "summand tell study.toml 17 0.83\n  summand tell study.toml 18 --failed \"out of memory\"");
        auto given = std::make_shared<TellArguments>();
        add_study_argument(*command, given->study, Where::anywhere);
        add_answer_argument(*command, given->answer);
        command->callback([given] { tell(*given); });
    }
    {
        CLI::App* command = add_command(app, "abandon", "Give up a running trial: its answer is no longer wanted",
                                        "summand abandon study.toml 17");
        auto given = std::make_shared<TellArguments>();
        add_study_argument(*command, given->study, Where::anywhere);
        command->add_option("ID", given->answer.id, "The trial")->required();
        command->callback([given] { given->study.any_existing()->abandon(given->answer.id); });
    }
}

}  // namespace summand::cli
