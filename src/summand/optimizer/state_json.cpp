// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/state_json.hpp"

#include <nlohmann/json.hpp>

namespace summand::optimizer {

using nlohmann::json;

json to_json(const Vector& vector) {
    return json(std::vector<double>(vector.data(), vector.data() + vector.size()));
}
Vector vector_from(const json& text) {
    const auto numbers = text.get<std::vector<double>>();
    return Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
}

json to_json(const Partition& partition) {
    return json(partition.labels());
}
Partition partition_from(const json& text) {
    return Partition::from_labels(text.get<std::vector<int>>());
}

json to_json(const Hyperparameters& hyperparameters) {
    return {{"lengthscale", to_json(hyperparameters.lengthscale)},
            {"variance", to_json(hyperparameters.variance)},
            {"noise_variance", hyperparameters.noise_variance},
            {"mean", hyperparameters.mean}};
}
Hyperparameters hyperparameters_from(const json& text) {
    return {.lengthscale = vector_from(text.at("lengthscale")),
            .variance = vector_from(text.at("variance")),
            .noise_variance = text.at("noise_variance"),
            .mean = text.at("mean")};
}

json to_json(const Learned& learned) {
    json pairs = json::array();
    for (Index i = 0; i < learned.pair_probability.rows(); ++i)
        pairs.push_back(to_json(Vector(learned.pair_probability.row(i).transpose())));
    json partitions = json::array();
    for (const auto& [partition, weight] : learned.partitions) partitions.push_back({to_json(partition), weight});
    return {{"partition", to_json(learned.partition)},
            {"pair_probability", pairs},
            {"verdict", learned.verdict},
            {"found", learned.found},
            {"log_likelihood", learned.log_likelihood},
            {"partitions", partitions},
            {"models", learned.models}};
}
Learned learned_from(const json& text) {
    Learned learned{.partition = partition_from(text.at("partition")),
                    .verdict = text.at("verdict"),
                    .found = text.at("found"),
                    .log_likelihood = text.at("log_likelihood"),
                    .models = text.at("models")};
    const json& pairs = text.at("pair_probability");
    const Index size = static_cast<Index>(pairs.size());
    learned.pair_probability.resize(size, size);
    for (Index i = 0; i < size; ++i)
        learned.pair_probability.row(i) = vector_from(pairs.at(static_cast<std::size_t>(i))).transpose();
    for (const json& item : text.at("partitions"))
        learned.partitions.emplace_back(partition_from(item.at(0)), item.at(1).get<double>());
    return learned;
}

}  // namespace summand::optimizer
