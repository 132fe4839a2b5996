// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/executor.hpp"

// Jobs and their ends as bytes: a program's output may hold anything, so every field stands behind its length.
namespace summand::executor {

std::string to_bytes(const Job& job);
std::string to_bytes(const Finished& finished);
std::optional<Job> job_from(const std::string& bytes);            ///< empty if they are not whole
std::optional<Finished> finished_from(const std::string& bytes);  ///< likewise

}  // namespace summand::executor
