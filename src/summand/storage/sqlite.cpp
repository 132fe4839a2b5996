// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/sqlite.hpp"

#include "summand/storage/sql_storage.hpp"
#include "summand/storage/sqlite_file.hpp"

namespace summand::storage {

namespace {

class SqliteStorage final : public SqlStorage {
  public:
    SqliteStorage(std::filesystem::path path, std::unique_ptr<Database> database)
        : SqlStorage(std::move(database)), path_(std::move(path)) {}

    std::unique_ptr<Turn> take_turn(std::int64_t study, std::stop_token stop) override {
        return lock_turn(path_, study, stop);
    }

  private:
    std::filesystem::path path_;
};

}  // namespace

std::unique_ptr<Storage> open_sqlite(const std::filesystem::path& path, OpenMode mode) {
    if (mode == OpenMode::create_if_missing && !std::filesystem::exists(path)) create_file(path);
    auto database = open_file(path);
    // Through a link or not, the file that orders the asks must be the same one.
    return std::make_unique<SqliteStorage>(std::filesystem::canonical(path), std::move(database));
}

}  // namespace summand::storage
