// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/summary.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace summand::structure {

Matrix pair_probability(const std::vector<WeightedPartition>& partitions) {
    const Index D = partitions.front().partition.dimension();
    Matrix share = Matrix::Zero(D, D);
    for (const WeightedPartition& entry : partitions)
        for (const auto& group : entry.partition.groups())
            for (const Index i : group)
                for (const Index j : group) share(i, j) += entry.weight;
    return share.cwiseMin(1.0);
}

void sort_by_weight(std::vector<WeightedPartition>& partitions) {
    std::stable_sort(partitions.begin(), partitions.end(),
                     [](const WeightedPartition& a, const WeightedPartition& b) { return a.weight > b.weight; });
}

std::vector<WeightedPartition> distinct(const std::vector<ChainSamples>& chains) {
    std::vector<WeightedPartition> result;
    std::unordered_map<Partition, std::size_t> place;
    double total = 0;
    for (const ChainSamples& chain : chains)
        for (std::size_t i = 0; i < chain.partitions.size(); ++i) {
            const auto [found, fresh] = place.emplace(chain.partitions[i], result.size());
            if (fresh) result.push_back({chain.partitions[i], 0.0, chain.log_likelihood[i]});
            result[found->second].weight += 1.0;
            total += 1.0;
        }
    for (WeightedPartition& entry : result) entry.weight /= total;
    sort_by_weight(result);
    return result;
}

Partition consensus_of(const Matrix& pair_probability, Index max_group_size) {
    const Index D = pair_probability.rows();
    std::vector<std::tuple<double, Index, Index>> pairs;
    for (Index i = 0; i < D; ++i)
        for (Index j = i + 1; j < D; ++j)
            if (pair_probability(i, j) > 0.5) pairs.emplace_back(-pair_probability(i, j), i, j);
    std::sort(pairs.begin(), pairs.end());
    std::vector<int> label(static_cast<std::size_t>(D));
    for (Index j = 0; j < D; ++j) label[static_cast<std::size_t>(j)] = static_cast<int>(j);
    for (const auto& [minus_probability, i, j] : pairs) {
        const int a = label[static_cast<std::size_t>(i)], b = label[static_cast<std::size_t>(j)];
        const auto size = std::count(label.begin(), label.end(), a) + std::count(label.begin(), label.end(), b);
        if (a != b && size <= max_group_size) std::replace(label.begin(), label.end(), b, a);
    }
    return Partition::from_labels(label);
}

double pair_overlap(const Partition& a, const Partition& b) {
    Index both = 0, either = 0;
    for (Index i = 0; i < a.dimension(); ++i)
        for (Index j = i + 1; j < a.dimension(); ++j) {
            both += a.together(i, j) && b.together(i, j);
            either += a.together(i, j) || b.together(i, j);
        }
    return either == 0 ? 1.0 : static_cast<double>(both) / static_cast<double>(either);
}

namespace {

// The effective size of one indicator's chains: autocovariances about the common mean, averaged over chains.
double effective_size(const std::vector<Eigen::ArrayXd>& chains) {
    double total = 0, sum = 0;
    Index shortest = chains.front().size();
    for (const auto& chain : chains) {
        total += static_cast<double>(chain.size());
        sum += chain.sum();
        shortest = std::min(shortest, chain.size());
    }
    const double mean = sum / total;
    const auto covariance = [&](Index lag) {
        double c = 0;
        for (const auto& chain : chains)
            c += ((chain.head(chain.size() - lag) - mean) * (chain.tail(chain.size() - lag) - mean)).sum();
        return c / total;
    };
    const double variance = covariance(0);
    double inflation = 1.0;
    for (Index lag = 1; lag < shortest; ++lag) {
        const double correlation = covariance(lag) / variance;
        if (correlation <= 0.0) break;
        inflation += 2.0 * correlation;
    }
    return total / inflation;
}

}  // namespace

double effective_samples(const std::vector<ChainSamples>& chains) {
    const Index D = chains.front().partitions.front().dimension();
    double smallest = 0;
    for (const ChainSamples& chain : chains) smallest += static_cast<double>(chain.partitions.size());
    for (Index i = 0; i < D; ++i)
        for (Index j = i + 1; j < D; ++j) {
            std::vector<Eigen::ArrayXd> indicator;
            double sum = 0, count = 0;
            for (const ChainSamples& chain : chains) {
                Eigen::ArrayXd values(static_cast<Index>(chain.partitions.size()));
                for (Index t = 0; t < values.size(); ++t)
                    values(t) = chain.partitions[static_cast<std::size_t>(t)].together(i, j) ? 1.0 : 0.0;
                sum += values.sum();
                count += static_cast<double>(values.size());
                indicator.push_back(std::move(values));
            }
            if (sum > 0 && sum < count) smallest = std::min(smallest, effective_size(indicator));
        }
    return smallest;
}

}  // namespace summand::structure
