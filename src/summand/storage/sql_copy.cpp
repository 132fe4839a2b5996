// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/storage/rules.hpp"
#include "summand/storage/sql_storage.hpp"

#include <algorithm>

// Row by row and column by column, whatever the tables are: what a later version adds is copied too.
namespace summand::storage {

namespace {

/// "a, b, c"; or the same number of question marks.
std::string list_of(const std::vector<std::string>& columns, bool question_marks = false) {
    std::string list;
    for (const std::string& column : columns)
        list += (list.empty() ? "" : ", ") + (question_marks ? std::string("?") : column);
    return list;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The values of a row, with texts of their own.
class Row {
  public:
    /// Where the target has a column for text, bytes are stored as text.
    Row(Query& query, const std::vector<std::string>& columns, const Table& target) {
        texts_.reserve(columns.size());  // so that addresses stay
        for (const std::string& column : columns) values.push_back(read(query, contains(target.text_columns, column)));
    }
    Row(const Row&) = delete;
    Row& operator=(const Row&) = delete;

    std::vector<SqlValue> values;

  private:
    SqlValue read(Query& query, bool as_text) {
        switch (query.kind()) {
            case SqlKind::integer:
                return query.integer();
            case SqlKind::real:
                return query.real();
            case SqlKind::blob:
                if (as_text) return texts_.emplace_back(query.text());
                return Blob{texts_.emplace_back(query.text())};
            case SqlKind::text:
                return texts_.emplace_back(query.text());
            case SqlKind::null:
                break;
        }
        query.text();
        return std::optional<double>();
    }
    std::vector<std::string> texts_;
};

const Table& table_named(const std::vector<Table>& tables, const std::string& name) {
    const auto found =
        std::find_if(tables.begin(), tables.end(), [&](const Table& table) { return table.name == name; });
    if (found == tables.end())
        throw StorageError("copy: the target has no table \"" + name + "\"; it belongs to another version of Summand");
    return *found;
}

void copy_study_row(Database& from, Database& to, const Table& table, std::int64_t study, std::int64_t new_study) {
    std::vector<std::string> columns = table.columns;
    std::erase(columns, "id");
    Query source = from.query("SELECT " + list_of(columns) + " FROM study WHERE id = ?", study);
    source.next();
    Row row(source, columns, table);
    row.values.emplace_back(new_study);
    to.query_with("INSERT INTO study (" + list_of(columns) + ", id) VALUES (" + list_of(columns, true) + ", ?)",
                  row.values)
        .run();
}

std::int64_t copy_rows(Database& from, Database& to, const Table& table, const Table& target, std::int64_t study,
                       std::int64_t new_study) {
    std::vector<std::string> columns = table.columns;
    std::erase(columns, "study");
    const std::string insert =
        "INSERT INTO " + table.name + " (" + list_of(columns) + ", study) VALUES (" + list_of(columns, true) + ", ?)";
    Query source = from.query("SELECT " + list_of(columns) + " FROM " + table.name + " WHERE study = ?" +
                                  (table.has_rowid ? " ORDER BY rowid" : ""),
                              study);
    std::int64_t count = 0;
    for (; source.next(); ++count) {
        Row row(source, columns, target);
        row.values.emplace_back(new_study);
        to.run_with(insert, row.values);
    }
    return count;
}

}  // namespace

std::int64_t SqlStorage::copy_to(SqlStorage& target, const StudyRecord& study) {
    const std::scoped_lock guard(mutex_, target.mutex_);
    if (target.find_study(study.name)) throw Conflict(study_exists(study.name));
    Database& from = *database_;
    Database& to = *target.database_;
    struct Moment {
        Database& database;
        explicit Moment(Database& source) : database(source) { database.begin_snapshot(); }
        ~Moment() { database.roll_back(); }
    } moment(from);
    Transaction transaction(to);
    const std::vector<Table> tables = from.tables(), target_tables = to.tables();
    std::int64_t count = 1;
    const std::int64_t new_study = target.next_study_id();
    copy_study_row(from, to, table_named(target_tables, "study"), study.id, new_study);
    for (const Table& table : tables)
        if (contains(table.columns, "study"))
            count += copy_rows(from, to, table, table_named(target_tables, table.name), study.id, new_study);
    transaction.commit();
    return count;
}

}  // namespace summand::storage
