// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/storage/storage.hpp"

namespace summand::storage {

/// Copies a study with its trials, history, logs, keys and snapshot from one database to another, of either kind; the
/// target is made if need be. All or nothing: whoever works on the study meanwhile is not disturbed, and what they store
/// later is not in the copy. Returns how many rows were copied. Throws InvalidArgument if the target has a study of that
/// name.
std::int64_t copy_study(const std::string& from, const std::string& to, const std::string& name,
                        const Trouble& trouble);

}  // namespace summand::storage
