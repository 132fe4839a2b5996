// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/storage/memory.hpp"
#include "summand/storage/open_storage.hpp"
#include "summand/storage/sqlite.hpp"
#include "summand/study/changes.hpp"
#include "summand/study/json.hpp"
#include "summand/study/study_impl.hpp"

#include <algorithm>

// How a study is found or made.
namespace summand {

using storage::Storage;
using storage::StudyRecord;

namespace {

std::string names_of(const std::vector<StudyRecord>& studies) {
    std::string list;
    for (const StudyRecord& study : studies) list += (list.empty() ? "\"" : ", \"") + study.name + "\"";
    return list;
}

StudySettings settings_of(const StudyDefinition& definition) {
    StudySettings settings = definition.settings;
    settings.batch_size = definition.options.batch_size;
    return settings;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string list;
    for (const std::string& part : parts) list += (list.empty() ? "" : "; ") + part;
    return list;
}

StudyRecord record_of(const StudyDefinition& definition, double now) {
    StudyRecord record;
    record.name = definition.name;
    record.goal = definition.options.goal;
    record.space = study::space_to_json(definition.space);
    record.options = options_to_store(definition.options);
    record.settings = study::settings_to_json(settings_of(definition));
    record.budget = definition.settings.budget;
    record.created_at = now;
    return record;
}

/// A name is part of addresses, where "." and ".." mean folders, and of lists, which control characters would cut.
void check_name(const std::string& name) {
    const bool control = std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (name == "." || name == "..")
        throw InvalidArgument("a study is to be named \"" + name +
                              "\", which means a folder in addresses; give it another name");
    if (control)
        throw InvalidArgument(
            "the name of a study has a control character, such as a tab or the end of a line; "
            "letters, digits, spaces and signs are allowed: give it another name");
}

StudyRecord find_or_create(Storage& storage, const StudyDefinition& definition) {
    if (auto found = storage.find_study(definition.name)) return *found;
    check_name(definition.name);
    const Optimizer usable(definition.space, definition.options);  // every mistake shows before anything is stored
    try {
        return storage.create_study(record_of(definition, storage.now()));
    } catch (const InvalidArgument&) {
        if (auto found = storage.find_study(definition.name)) return *found;  // another process was faster
        throw;
    }
}

}  // namespace

/// The space and the options determine every suggestion, so they may not change; the number of threads and the size of
/// the budget and of a batch may (those the optimiser planned with stay as they were).
void Study::Impl::refuse_changes(const StudyDefinition& definition) const {
    const std::string where = "study \"" + record.name + "\"" + (database.empty() ? "" : " in " + database);
    const std::string advice = "; to try something else, change the name or the database in the study file";
    refuse_unknown_options();
    if (space != definition.space)
        throw Conflict(where + " was created with other parameters (" +
                       joined(study::changes(space, definition.space)) + ")" + advice);
    Options before = options, after = resolved(definition.options);
    if (before.goal != after.goal)
        throw Conflict(where + " was created with the goal " + to_string(before.goal) + advice);
    before.threads = after.threads = {};
    before.budget = after.budget = {};
    before.batch_size = after.batch_size = 1;
    if (before == after) return;
    throw Conflict(where + " was created with other optimiser options (" + joined(study::changes(before, after)) + ")" +
                   advice);
}

void Study::Impl::bring_up_to_date(const StudyDefinition& definition) {
    StudySettings now = settings_of(definition);
    now.paused = settings.paused;  // not the file's to say
    const std::string text = study::settings_to_json(now);
    if (record.settings != text || record.budget != definition.settings.budget)
        storage->update_settings(record.id, text, definition.settings.budget);
    record.settings = text;
    record.budget = definition.settings.budget;
    settings = std::move(now);
    options.threads = definition.options.threads;
}

Study Study::open(const std::string& address, const std::string& name, const Trouble& trouble) {
    auto storage = storage::open_storage(address, storage::OpenMode::existing, trouble);
    const std::string database = storage::shown_address(address);
    const std::vector<StudyRecord> studies = storage->studies();
    if (studies.empty())
        throw InvalidArgument(database + " holds no study yet; `summand run` with a study file makes one");
    if (name.empty() && studies.size() > 1)
        throw InvalidArgument(database + " holds " + std::to_string(studies.size()) +
                              " studies; choose one with --study: " + names_of(studies));
    for (const StudyRecord& study : studies)
        if (name.empty() || study.name == name)
            return Study(std::make_unique<Impl>(std::move(storage), study, database));
    throw InvalidArgument(database + " holds no study \"" + name + "\"; there is " + names_of(studies));
}

Study Study::in(std::unique_ptr<Storage> storage, const StudyDefinition& definition) {
    const StudyRecord record = find_or_create(*storage, definition);
    auto impl = std::make_unique<Impl>(std::move(storage), record, storage::shown_address(definition.database));
    impl->refuse_changes(definition);
    impl->bring_up_to_date(definition);
    return Study(std::move(impl));
}

Study Study::open_or_create(const StudyDefinition& definition, const Trouble& trouble) {
    return in(storage::open_storage(definition.database, storage::OpenMode::create_if_missing, trouble), definition);
}

Study Study::in_memory(const StudyDefinition& definition) {
    StudyDefinition nowhere = definition;
    nowhere.database.clear();
    return in(storage::open_memory(), nowhere);
}

Study Study::open_path(const std::string& path, const std::string& name, const Trouble& trouble) {
    if (storage::is_database(path)) return open(path, name, trouble);
    return open_or_create(read_study_file(path), trouble);
}

}  // namespace summand
