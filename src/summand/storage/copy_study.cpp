// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/copy_study.hpp"

#include "summand/base/error.hpp"
#include "summand/storage/open_storage.hpp"
#include "summand/storage/sql_storage.hpp"

namespace summand::storage {

std::int64_t copy_study(const std::string& from, const std::string& to, const std::string& name,
                        const Trouble& trouble) {
    const auto source = open_storage(from, OpenMode::existing, trouble);
    const auto study = source->find_study(name);
    if (!study) throw InvalidArgument("copy: " + shown_address(from) + " holds no study \"" + name + "\"");
    const auto target = open_storage(to, OpenMode::create_if_missing, trouble);
    // Whatever has an address is an SQL database.
    return dynamic_cast<SqlStorage&>(*source).copy_to(dynamic_cast<SqlStorage&>(*target), *study);
}

}  // namespace summand::storage
