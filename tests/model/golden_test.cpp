// SPDX-License-Identifier: Apache-2.0
// Against scikit-learn (tests/golden/make_gp_golden.py, which names the version).
#include "summand/model/additive_gp.hpp"
#include "summand/model/fit.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace summand {
namespace {

std::map<std::string, Vector> read_golden() {
    std::ifstream file(SUMMAND_GOLDEN_DIR "/gp_golden.txt");
    EXPECT_TRUE(file.good()) << "tests/golden/gp_golden.txt is missing";
    std::map<std::string, Vector> values;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream words(line);
        std::string name;
        Index count = 0;
        words >> name >> count;
        Vector& vector = values[name] = Vector(count);
        for (double& value : vector) words >> value;
    }
    return values;
}

Matrix by_rows(const Vector& values, Index columns) {
    return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(values.data(), values.size() / columns,
                                                                            columns);
}

class AgainstScikitLearn : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(AgainstScikitLearn, LikelihoodGradientAndPosteriorAgree) {
    const auto& [family_name, structure] = GetParam();
    auto golden = read_golden();
    const auto family = family_name == "se" ? KernelFamily::squared_exponential : KernelFamily::matern52;
    const bool additive = structure == "additive";
    const auto partition = additive ? Partition::from_groups({{0, 2}, {1, 3}}, 4) : Partition::single(4);
    const Index M = partition.group_count();
    const Hyperparameters hyperparameters{golden["lengthscale"], golden["variance"].head(M), golden["noise"][0],
                                          golden["mean"][0]};
    const Matrix X = by_rows(golden["X"], 4), test = by_rows(golden["test"], 4);
    const AdditiveGp gp(family, partition, hyperparameters, X, golden["y"]);
    const std::string key = family_name + "_" + structure + "_";

    // Both programs are right to about n ε cond = 25 · 2e-16 · 25 · 2.3 / 0.02 = 2e-11; gradients are up to ten times larger.
    const double golden_tolerance = 1e-10;
    EXPECT_NEAR(gp.log_marginal_likelihood(), golden[key + "likelihood"][0], golden_tolerance);
    const auto gradient = log_likelihood_gradient(family, partition, hyperparameters, X, golden["y"], {});
    EXPECT_LT((gradient.gradient.head(4 + M + 1) - golden[key + "gradient"]).cwiseAbs().maxCoeff(),
              10 * golden_tolerance);
    EXPECT_LT((gp.sum_marginals(test).mean - golden[key + "mean"]).cwiseAbs().maxCoeff(), golden_tolerance);
    EXPECT_LT((gp.sum_covariance(test) - by_rows(golden[key + "covariance"], 6)).cwiseAbs().maxCoeff(),
              golden_tolerance);
    for (Index m = 0; m < M; ++m) {
        const std::string group = key + "group" + std::to_string(m) + "_";
        Matrix Z(6, static_cast<Index>(partition.group(m).size()));
        for (Index j = 0; j < Z.cols(); ++j) Z.col(j) = test.col(partition.group(m)[static_cast<std::size_t>(j)]);
        EXPECT_LT((gp.group_marginals(m, Z).mean - golden[group + "mean"]).cwiseAbs().maxCoeff(), golden_tolerance);
        EXPECT_LT((gp.group_covariance(m, Z) - by_rows(golden[group + "covariance"], 6)).cwiseAbs().maxCoeff(),
                  golden_tolerance);
    }
}

INSTANTIATE_TEST_SUITE_P(Golden, AgainstScikitLearn,
                         testing::Combine(testing::Values("se", "matern"), testing::Values("additive", "ordinary")),
                         [](const auto& one) { return std::get<0>(one.param) + "_" + std::get<1>(one.param); });

}  // namespace
}  // namespace summand
