// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "experiments/experiment.hpp"

// One function for each experiment, each in the file of its name.
namespace summand::experiments {

Experiment recovery(const Size& size);
Experiment alpha(const Size& size);
Experiment decompositions(const Size& size);
Experiment improvement(const Size& size);
Experiment robot(const Size& size);
Experiment walker(const Size& size);
Experiment batch(const Size& size);
Experiment batch_walker(const Size& size);
Experiment batch_robot(const Size& size);

}  // namespace summand::experiments
