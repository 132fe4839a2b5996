// SPDX-License-Identifier: Apache-2.0
// summand_ask SPACE OPTIONS: Summand as one of the methods of methods.py, which speaks to it over a pipe. SPACE and OPTIONS are
// JSON, as a study stores them. "ask N" is answered by {"points": [...], "seconds": of the processor}, "tell [VALUES]" (in the
// order of the points that were asked for) by {"seconds": ...}.
#include "summand/study/json.hpp"
#include "summand/summand.hpp"

#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

nlohmann::json answer(summand::Optimizer& optimizer, std::vector<std::int64_t>& open, const std::string& line) {
    if (line.starts_with("ask ")) {
        nlohmann::json points = nlohmann::json::array();
        for (const auto& trial : optimizer.ask(std::stoi(line.substr(4)))) {
            open.push_back(trial.id);
            points.push_back(nlohmann::json::parse(summand::study::point_to_json(optimizer.space(), trial.values)));
        }
        return {{"points", points}};
    }
    const auto values = nlohmann::json::parse(line.substr(5)).get<std::vector<double>>();
    for (std::size_t i = 0; i < values.size(); ++i) optimizer.tell(open.at(i), values[i]);
    open.erase(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(values.size()));
    return nlohmann::json::object();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: summand_ask SPACE OPTIONS (both JSON)\n";
        return 2;
    }
    try {
        summand::Optimizer optimizer(summand::study::space_from_json(argv[1]), summand::options_from_json(argv[2]));
        std::vector<std::int64_t> open;
        for (std::string line; std::getline(std::cin, line);) {
            const double start = cpu_seconds();
            nlohmann::json reply = answer(optimizer, open, line);
            reply["seconds"] = cpu_seconds() - start;
            std::cout << reply.dump() << std::endl;
        }
    } catch (const std::exception& error) {
        std::cerr << "summand_ask: " << error.what() << '\n';
        return 1;
    }
}
