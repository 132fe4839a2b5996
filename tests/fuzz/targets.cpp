// SPDX-License-Identifier: Apache-2.0
#include "fuzz/targets.hpp"

namespace summand::fuzz {

const std::vector<NamedTarget>& targets() {
    static const std::vector<NamedTarget> all = {{"optimizer_loop", optimizer_loop, true},
                                                 {"learned_structure", learned_structure, true},
                                                 {"study_file", study_file},
                                                 {"options_json", options_json},
                                                 {"stored_json", stored_json},
                                                 {"data_table", data_table},
                                                 {"snapshot", snapshot},
                                                 {"database", database},
#ifdef SUMMAND_WITH_SERVER
                                                 {"http_request", http_request}
#endif
    };
    return all;
}

}  // namespace summand::fuzz
