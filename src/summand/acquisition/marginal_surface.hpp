// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/acquisition/surface.hpp"
#include "summand/model/additive_gp.hpp"

#include <memory>
#include <vector>

namespace summand {

class GroupScreens;

/// A formula of the mean and standard deviation of one group. screen() uses acquisition/screen.hpp: the screens given, or its own.
std::unique_ptr<Surface> group_surface(const AdditiveGp& gp, Index m, Formula formula,
                                       const GroupScreens* screens = nullptr);
/// A formula of the mean and standard deviation of the sum.
std::unique_ptr<Surface> sum_surface(const AdditiveGp& gp, Formula formula);
/// The prior mean plus one surface for each group, at points of all columns.
std::unique_ptr<Surface> groupwise_surface(const AdditiveGp& gp, std::vector<std::unique_ptr<Surface>> groups);
/// The posterior mean of one group.
std::unique_ptr<Surface> mean_surface(const AdditiveGp& gp, Index m);

}  // namespace summand
