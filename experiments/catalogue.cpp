// SPDX-License-Identifier: Apache-2.0
#include "experiments/catalogue.hpp"

#include "summand/base/error.hpp"
#include "summand/space/search_space.hpp"

namespace summand::experiments {
namespace {

struct Entry {
    std::string name = {};
    Experiment (*make)(const Size&) = nullptr;
};

const std::vector<Entry>& catalogue() {
    static const std::vector<Entry> entries = {{"recovery", recovery},
                                               {"alpha", alpha},
                                               {"decompositions", decompositions},
                                               {"improvement", improvement},
                                               {"robot", robot},
                                               {"walker", walker},
                                               {"batch", batch},
                                               {"batch-walker", batch_walker},
                                               {"batch-robot", batch_robot}};
    return entries;
}

}  // namespace

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const Entry& entry : catalogue()) all.push_back(entry.name);
    return all;
}

Experiment make(const std::string& name, const Size& size) {
    if (size.repeats && *size.repeats < 1)
        throw InvalidArgument("experiment " + name + ": " + std::to_string(*size.repeats) +
                              " repeats were asked for; at least 1 is needed");
    for (const Entry& entry : catalogue())
        if (entry.name == name) return entry.make(size);
    const auto near = nearest_name(name, names());
    throw InvalidArgument("there is no experiment \"" + name + "\"" +
                          (near ? "; did you mean \"" + *near + "\"?" : "") +
                          " (`summand experiment list` shows all of them)");
}

}  // namespace summand::experiments
