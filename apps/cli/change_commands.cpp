// SPDX-License-Identifier: Apache-2.0
#include "answer_argument.hpp"
#include "commands.hpp"
#include "study_argument.hpp"
#include "summand/base/error.hpp"
#include "summand/study/fork.hpp"
#include "summand/study/quantities.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

// summand enqueue | correct | rerun | fork: what a user knows better than the study.
namespace summand::cli {

namespace {

struct EnqueueArguments {
    StudyArgument study = {};
    std::vector<std::string> settings = {};
    std::string key = {};
};

/// One value for each parameter, by name.
Point point_from(const std::vector<std::string>& settings, const SearchSpace& space) {
    std::vector<std::optional<Value>> values(space.size());
    for (const std::string& text : settings) {
        const auto [name, value] = assignment(text);
        const auto j = space.find(name);
        if (!j) {
            const auto near = nearest_name(name, space.names());
            throw InvalidArgument("enqueue: there is no parameter \"" + name + "\"" +
                                  (near ? "; did you mean \"" + *near + "\"?" : ""));
        }
        if (values[*j]) throw InvalidArgument("enqueue: \"" + name + "\" is given twice");
        const auto number = std::holds_alternative<Choice>(space[*j]) ? std::nullopt : study::parse_number(value);
        values[*j] = number ? Value(*number) : Value(value);
    }
    Point point;
    for (std::size_t j = 0; j < space.size(); ++j) {
        if (!values[j])
            throw InvalidArgument("enqueue: \"" + name_of(space[j]) +
                                  "\" is missing; give every parameter: " + name_of(space[j]) + "=VALUE");
        point.push_back(*values[j]);
    }
    return space.checked(point);
}

void enqueue(const EnqueueArguments& given) {
    const auto opened = given.study.any();
    AnyStudy& study = *opened;
    const auto ids = study.enqueue({point_from(given.settings, study.space())}, given.key);
    std::cout << "Trial " << ids.front() << " waits; it comes with the next ask or run.\n";
}

struct CorrectArguments {
    StudyArgument study = {};
    AnswerArgument answer = {};
};

std::string answer_text(const std::optional<double>& value, const std::string& reason) {
    return value ? short_number(*value) : "failed: " + reason;
}

void correct(const CorrectArguments& given) {
    const Outcome outcome = given.answer.outcome("correct");
    const TellRequest request = given.answer.request();
    const auto opened = given.study.any_existing();
    AnyStudy& study = *opened;
    if (!study.correct(given.answer.id, outcome, request)) {
        std::cerr << "summand: trial " << given.answer.id << " has this answer already\n";
        return;
    }
    const EarlierAnswer before = study.earlier_answers(given.answer.id).back();
    const auto now = study.trial(given.answer.id);
    std::cout << "Trial " << given.answer.id << ": " << answer_text(now->value, now->reason) << " (was "
              << answer_text(before.value, before.reason) << ").\n";
}

struct RerunArguments {
    StudyArgument study = {};
    std::vector<std::int64_t> ids = {};
};

void rerun(const RerunArguments& given) {
    const auto opened = given.study.any_existing();
    AnyStudy& study = *opened;
    std::vector<std::int64_t> ids;  // each once
    for (const std::int64_t id : given.ids) {
        if (std::find(ids.begin(), ids.end(), id) != ids.end()) continue;
        ids.push_back(id);
        const auto trial = study.trial(id);
        if (trial && is_open(trial->state))
            throw InvalidArgument("rerun: trial " + std::to_string(id) + " is " + to_string(trial->state) +
                                  "; only one that was answered or abandoned can be run again. Nothing was changed");
        if (!trial) throw InvalidArgument("rerun: there is no trial " + std::to_string(id) + ". Nothing was changed");
    }
    for (const std::int64_t id : ids) study.rerun(id);
    std::cout << (ids.size() == 1 ? "Trial " + std::to_string(ids.front()) + " waits; it comes"
                                  : std::to_string(ids.size()) + " trials wait; they come")
              << " with the next ask or run.\n";
}

struct ForkArguments {
    StudyArgument study = {};
    std::string file = {};
};

void fork(const ForkArguments& given) {
    const Study source = given.study.open_existing();
    const StudyDefinition definition = read_study_file(given.file);
    const Forked forked = fork_study(source, definition);
    std::cout << "Study \"" << definition.name << "\" begins with " << forked.taken << " evaluations of \""
              << source.name() << "\".\n";
    if (forked.outside > 0)
        std::cout << forked.outside << " evaluations lie outside its parameters' ranges and were left out.\n";
}

}  // namespace

void add_change(CLI::App& app) {
    {
        CLI::App* command = add_command(app, "enqueue", "Evaluate settings of your own before any suggestion",
                                        "summand enqueue study.toml rate=0.01 width=64 solver=adam");
        auto given = std::make_shared<EnqueueArguments>();
        add_study_argument(*command, given->study, Where::anywhere);
        command->add_option("SETTINGS", given->settings, "A value for each parameter")
            ->required()
            ->type_name("NAME=VALUE");
        command->add_option("--key", given->key, "A key for this request: repeated, it changes nothing");
        command->callback([given] { enqueue(*given); });
    }
    {
        CLI::App* command =
            add_command(app, "correct", "Replace the answer of a trial; the old one stays in the history",
                        "summand correct study.toml 17 0.83\n  summand correct study.toml 18 --failed \"bad sensor\"");
        auto given = std::make_shared<CorrectArguments>();
        add_study_argument(*command, given->study, Where::anywhere);
        add_answer_argument(*command, given->answer);
        command->callback([given] { correct(*given); });
    }
    {
        CLI::App* command = add_command(app, "rerun", "Evaluate trials once more; their answers stay in the history",
                                        "summand rerun study.toml 17 21");
        auto given = std::make_shared<RerunArguments>();
        add_study_argument(*command, given->study, Where::anywhere);
        command->add_option("IDS", given->ids, "The trials")->required()->type_name("ID");
        command->callback([given] { rerun(*given); });
    }
    {
        CLI::App* command =
            add_command(app, "fork", "Go on with other bounds or options, from the evaluations of a study",
                        "cp study.toml wider.toml   # change name, bounds, batch_size, ...\n  "
                        "summand fork study.toml wider.toml\n  summand run wider.toml");
        auto given = std::make_shared<ForkArguments>();
        add_study_argument(*command, given->study);
        command->add_option("FILE", given->file, "The study file to go on with; its study must be new")->required();
        command->callback([given] { fork(*given); });
    }
}

}  // namespace summand::cli
