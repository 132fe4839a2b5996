// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/study/study.hpp"

namespace summand {

struct Forked {
    std::int64_t taken = 0;
    std::int64_t outside = 0;  ///< evaluations that the new space does not contain
};

/// Makes the study of the definition and gives it the evaluations of another one, as data of the user's own. Both need the
/// same parameters by name and the same goal; bounds, scales, values and options may differ. Throws InvalidArgument,
/// changing nothing, if they do not fit or the new study has trials already.
Forked fork_study(const Study& source, const StudyDefinition& definition);

}  // namespace summand
