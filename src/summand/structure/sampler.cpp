// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/sampler.hpp"

#include "summand/base/error.hpp"

#include <cmath>

namespace summand::structure {

Sampler::Conditional Sampler::conditional(const Assignment& without_j) const {
    Conditional result;
    Index unused = -1;
    for (Index m = 0; m < without_j.labels(); ++m) {
        const Index count = without_j.counts()[static_cast<std::size_t>(m)];
        if (count == 0) {
            unused = unused < 0 ? m : unused;
        } else if (count < max_group_size_) {
            result.labels.push_back(m);
            // n_m counts parameters other than j.
            result.log_prior.push_back(prior_.log_weight(m, count, without_j.unused()));
        }
    }
    // All unused labels give the same partition: one likelihood, their summed prior weight.
    if (unused >= 0) {
        result.labels.push_back(unused);
        result.log_prior.push_back(prior_.log_weight_of_new(without_j.counts()));
    }
    return result;
}

void Sampler::settle(Assignment& z, Index j, const Conditional& choices, std::size_t chosen, Rng& rng) const {
    const Index label = choices.labels[chosen];
    const bool opens = z.counts()[static_cast<std::size_t>(label)] == 0;
    z.put(j, opens ? prior_.draw_unused(z.counts(), rng) : label);
}

void Sampler::site(Assignment& z, Index j, Rng& rng) {
    check_stop();
    const PartitionKey before = z.key();
    z.take(j);
    const Conditional choices = conditional(z);
    // log p(z_j = m | z_¬j, D) = log p(D | z_j = m) + log p(z_j = m | z_¬j) + const, drawn by the Gumbel-max trick.
    std::vector<double> log_weight = evidence_.log_likelihoods_with(z, j, choices.labels);
    for (std::size_t i = 0; i < log_weight.size(); ++i) log_weight[i] += choices.log_prior[i];
    settle(z, j, choices, static_cast<std::size_t>(rng.categorical_log(log_weight)), rng);
    ++sites_.proposed;
    sites_.accepted += z.key() != before;
}

void Sampler::screened_site(Assignment& z, Index j, RememberedEvidence& cheap, Rng& rng) {
    check_stop();
    const Index old = z.label_of(j);
    z.take(j);
    const Conditional choices = conditional(z);
    std::vector<double> log_q = cheap.log_likelihoods_with(z, j, choices.labels);
    for (std::size_t i = 0; i < log_q.size(); ++i) log_q[i] += choices.log_prior[i];
    const auto proposed = static_cast<std::size_t>(rng.categorical_log(log_q));
    // Where j came from, among the choices: its own label, or the unused one if it was alone.
    std::size_t from = choices.labels.size() - 1;
    for (std::size_t i = 0; i < choices.labels.size(); ++i)
        if (choices.labels[i] == old) from = i;
    std::size_t next = from;
    if (proposed != from) {
        const auto exact = evidence_.log_likelihoods_with(z, j, {choices.labels[from], choices.labels[proposed]});
        const double log_ratio = exact[1] + choices.log_prior[proposed] - log_q[proposed] -
                                 (exact[0] + choices.log_prior[from] - log_q[from]);
        if (std::log1p(-rng.uniform()) < log_ratio) next = proposed;
    }
    settle(z, j, choices, next, rng);
    ++sites_.proposed;
    sites_.accepted += next != from;
}

void Sampler::check_stop() const {
    if (stop_.stop_requested()) throw Interrupted();
}

bool Sampler::accept(Assignment& z, const Assignment& proposed, double log_proposal_ratio, Rng& rng) {
    check_stop();
    for (const Index count : proposed.counts())
        if (count > max_group_size_) return false;
    const double log_ratio = evidence_.log_likelihood(proposed) + prior_.log_density(proposed.counts()) -
                             evidence_.log_likelihood(z) - prior_.log_density(z.counts()) + log_proposal_ratio;
    // Also false for NaN: of two partitions that cannot be judged, the chain keeps the one it has.
    if (!(std::log1p(-rng.uniform()) < log_ratio)) return false;
    z = proposed;
    return true;
}

void Sampler::swap(Assignment& z, Rng& rng) {  // NOLINT(bugprone-exception-escape)
    const Index i = rng.below(z.dimension()), j = rng.below(z.dimension());
    const Index a = z.label_of(i), b = z.label_of(j);
    // Two singletons swapped are the same partition (only the labels differ, and those are equally probable or not asked for).
    if (a == b || z.members(a).size() + z.members(b).size() == 2) return;
    Assignment proposed = z;
    proposed.take(i);
    proposed.take(j);
    proposed.put(i, b);
    proposed.put(j, a);
    ++swaps_.proposed;
    swaps_.accepted += accept(z, proposed, 0.0, rng);  // as likely to be undone as to be done
}

void Sampler::resplit(Assignment& z, Rng& rng) {
    const Index i = rng.below(z.dimension()), j = rng.below(z.dimension());
    if (i == j || (z.label_of(i) == z.label_of(j) && z.unused() == 0)) return;
    const Index a = z.label_of(i);
    const bool apart = z.label_of(j) != a;
    // One group: its other half gets an unused label, uniform among the e unused ones.
    Index b = z.label_of(j);
    if (!apart) {
        Index skip = rng.below(z.unused());
        for (b = 0; z.counts()[static_cast<std::size_t>(b)] > 0 || skip-- > 0;) ++b;
    }
    std::vector<Index> both = z.members(a);
    if (apart) both.insert(both.end(), z.members(b).begin(), z.members(b).end());
    // Ways to pick this union: 2|A||B| ordered pairs if apart, |U|(|U|-1) pairs, each with one of e labels, if together.
    const auto log_ways = [&](const Assignment& state) {
        const auto n = static_cast<double>(state.members(a).size()), m = static_cast<double>(state.members(b).size());
        if (n > 0 && m > 0) return std::log(2 * n * m);
        return std::log((n + m) * (n + m - 1) / static_cast<double>(state.unused()));
    };
    Assignment proposed = z;
    for (const Index k : both) proposed.take(k);
    for (const Index k : both) proposed.put(k, rng.coin() ? a : b);
    ++resplits_.proposed;
    if (both.size() < 2 || proposed.key() == z.key()) return;
    resplits_.accepted += accept(z, proposed, log_ways(proposed) - log_ways(z), rng);
}

void Sampler::sweep(Assignment& z, Rng& rng) {
    for (Index j = 0; j < z.dimension(); ++j) site(z, j, rng);
}

void Sampler::mixed_sweep(Assignment& z, Rng& rng) {
    sweep(z, rng);
    for (Index i = 0; i < z.dimension(); i += 2) {
        swap(z, rng);
        resplit(z, rng);
    }
}

Partition draw_partition(const AssignmentPrior& prior, Index dimension, Index max_group_size, Rng& rng) {
    std::vector<Index> counts(static_cast<std::size_t>(prior.labels()), 0);
    std::vector<int> label;
    for (Index j = 0; j < dimension; ++j) {
        std::vector<double> log_weight;
        std::vector<Index> target;
        bool any_unused = false;
        for (Index m = 0; m < prior.labels(); ++m) {
            const Index count = counts[static_cast<std::size_t>(m)];
            any_unused = any_unused || count == 0;
            if (count == 0 || count >= max_group_size) continue;
            target.push_back(m);
            log_weight.push_back(prior.log_weight(m, count, 1));
        }
        if (any_unused) {
            target.push_back(prior.draw_unused(counts, rng));
            log_weight.push_back(prior.log_weight_of_new(counts));
        }
        const Index chosen = target[static_cast<std::size_t>(rng.categorical_log(log_weight))];
        ++counts[static_cast<std::size_t>(chosen)];
        label.push_back(static_cast<int>(chosen));
    }
    return Partition::from_labels(label);
}

}  // namespace summand::structure
