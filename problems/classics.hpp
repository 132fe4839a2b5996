// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "problems/problem.hpp"

// The classics, all minimised. Each maker takes Options::dimension as settled by `make`.
namespace summand::problems {

Problem make_ackley(const std::string& name, const Options& options);           ///< [-5, 10]^D, 0 at 0
Problem make_levy(const std::string& name, const Options& options);             ///< [-10, 10]^D, 0 at 1
Problem make_rastrigin(const std::string& name, const Options& options);        ///< [-5.12, 5.12]^D, 0 at 0
Problem make_rosenbrock(const std::string& name, const Options& options);       ///< [-5, 10]^D, 0 at 1
Problem make_styblinski_tang(const std::string& name, const Options& options);  ///< [-5, 5]^D, -39.1661657 D
Problem make_michalewicz(const std::string& name, const Options& options);      ///< [0, π]^D, steepness 10
Problem make_griewank(const std::string& name, const Options& options);         ///< [-600, 600]^D, 0 at 0

Problem make_branin(const std::string& name, const Options& options);     ///< [-5, 10] x [0, 15], 0.397887
Problem make_hartmann6(const std::string& name, const Options& options);  ///< [0, 1]^6, -3.322368

/// The same function of 2 (or 6) of D parameters in [0,1], chosen by the seed; the others change nothing.
Problem make_embedded_branin(const std::string& name, const Options& options);
Problem make_embedded_hartmann6(const std::string& name, const Options& options);

}  // namespace summand::problems
