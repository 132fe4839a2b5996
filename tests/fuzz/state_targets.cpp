// SPDX-License-Identifier: Apache-2.0
// What a study keeps for itself, damaged: a snapshot is ignored, a database is refused with a sentence or read.
#include "fuzz/choices.hpp"
#include "fuzz/targets.hpp"
#include "summand/base/error.hpp"
#include "summand/study/study.hpp"
#include "support/temporary_folder.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace summand::fuzz {
namespace {

/// Bytes replaced, removed or put in at places that the choices name.
std::string damaged(std::string text, Choices& choices) {
    const int edits = 1 + choices.below(4);
    for (int i = 0; i < edits && !text.empty(); ++i) {
        const std::size_t place = (choices.byte() * 65536UL + choices.byte() * 256UL + choices.byte()) % text.size();
        switch (choices.below(4)) {
            case 0:
                text.erase(place, 1 + static_cast<std::size_t>(choices.byte()));
                break;
            case 1:
                text.insert(place, 1, static_cast<char>(choices.byte()));
                break;
            case 2:
                text.resize(place);
                break;
            default:
                text[place] = static_cast<char>(choices.byte());
        }
    }
    return text;
}

Optimizer told_optimizer(const Options& options) {
    Optimizer optimizer(SearchSpace({Real{.name = "x"}, Integer{.name = "n", .low = 1, .high = 9}}), options);
    for (int round = 0; round < 4; ++round)
        for (const Trial& trial : optimizer.ask()) optimizer.tell(trial.id, trial.real("x") + trial.real("n"));
    return optimizer;
}

struct Saved {
    Optimizer optimizer;
    std::string snapshot = optimizer.snapshot();
    Point next = Optimizer(optimizer).ask(1).front().values;
};

std::string database_file() {
    const testing_support::TemporaryFolder folder;
    const std::filesystem::path path = folder / "study.db";
    {
        StudyDefinition definition{.name = "fuzz",
                                   .space = SearchSpace({Real{.name = "x"}, Choice{.name = "c", .values = {"a", "b"}}}),
                                   .options = {.batch_size = 2, .initial_points = 4},
                                   .database = path.string()};
        Study study = Study::open_or_create(definition);
        for (const Trial& trial : study.ask()) study.tell(trial.id, Outcome(1.0 / static_cast<double>(trial.id)));
        study.add({{{0.5, "b"}, Outcome(Failed{"crashed"})}});
        study.ask();
    }
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
}

}  // namespace

void snapshot(const std::uint8_t* data, std::size_t size) {
    Options standard{.batch_size = 2, .threads = 1, .initial_points = 4};
    Options paper = standard;
    paper.strategy = PaperStrategy{.learner = LearnerName::full};
    static const Saved saved[] = {{told_optimizer(standard)}, {told_optimizer(paper)}};
    Choices choices(data, size);
    const Saved& one = saved[choices.below(2)];
    const std::string text = damaged(one.snapshot, choices);
    Optimizer optimizer(one.optimizer.space(), one.optimizer.options(), one.optimizer.history(), text);
    if (choices.below(64) == 0 && optimizer.ask(1).front().values != one.next)
        throw std::logic_error("broken promise: a snapshot never changes a result");
}

void database(const std::uint8_t* data, std::size_t size) {
    static const testing_support::TemporaryFolder folder;
    static const std::string whole = database_file();
    Choices choices(data, size);
    const std::filesystem::path path = folder / "damaged.db";
    for (const char* beside : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path.string() + beside);
    std::ofstream(path, std::ios::binary) << damaged(whole, choices);
    try {
        Study study = Study::open(path.string());
        study.trials();
        study.best();
        study.history();
        study.asks();
        study.optimizer();
        study.tell(1, Outcome(2.0));
    } catch (const Error&) {  // a sentence
    }
}

}  // namespace summand::fuzz
