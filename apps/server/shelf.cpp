// SPDX-License-Identifier: Apache-2.0
#include "shelf.hpp"

#include "errors.hpp"
#include "steady_seconds.hpp"
#include "summand/base/stop.hpp"
#include "summand/storage/open_storage.hpp"
#include "summand/study/json.hpp"

#include <algorithm>
#include <chrono>

namespace summand::server {

using storage::StudyRecord;

namespace {

constexpr int most_waiting_asks = 2000;          // asks of one study
constexpr std::size_t most_open = 64;            // studies: each takes three connections
constexpr std::size_t most_open_on_server = 20;  // PostgreSQL takes 100 connections unless it is told otherwise
constexpr double patience_at_start_seconds = 60.0;
constexpr double database_patience_seconds = 5.0;  // of a request, with a database server that cannot be reached
constexpr double listing_age_seconds = 0.25;

/// Whether an Asker that was opened with the one may go on with the other: it reads budget and pauses itself.
bool same_for_asks(StudySettings a, StudySettings b) {
    a.paused = b.paused = false;
    a.budget = b.budget = {};
    return a == b;
}

}  // namespace

Asker::Asker(std::function<Study()> open, Pool& pool) : open_(std::move(open)), lane_(pool) {}

void Asker::run(Job job, std::function<void(std::exception_ptr)> failed) {
    if (waiting_ >= most_waiting_asks)
        throw HttpError(503, std::to_string(most_waiting_asks) + " asks of this study wait already; try again later");
    ++waiting_;
    lane_.run([self = shared_from_this(), job = std::move(job), failed = std::move(failed)] {
        try {
            const std::stop_token stop = self->stop_.get_token();
            throw_if_stopped(stop);
            if (!self->study_) self->study_ = self->open_();
            job(*self->study_, stop);
        } catch (...) {
            failed(std::current_exception());
        }
        --self->waiting_;
    });
}

Shelf::Shelf(std::string database, Trouble trouble, Pool& asks)
    : database_(std::move(database)),
      trouble_(std::move(trouble)),
      asks_(asks),
      storage_(storage::open_storage(database_, storage::OpenMode::create_if_missing,
                                     patient_for(patience_at_start_seconds))) {
    started_ = true;
}

/// Tries again for a while; then whoever asked is told, and the next one who asks tries again.
Trouble Shelf::patient_for(double seconds) {
    return [this, seconds, since = std::make_shared<double>(0.0)](const std::string& sentence) {
        if (!sentence.empty()) *since = steady_seconds();
        if (!sentence.empty() && trouble_) trouble_(sentence);
        if (steady_seconds() - *since > (started_ ? database_patience_seconds : seconds))
            throw StorageError(storage::shown_address(database_) + " cannot be reached; try again later");
    };
}

Study Shelf::open(const std::string& name) {
    return Study::open(database_, name, patient_for(database_patience_seconds));
}

Shelf::~Shelf() {
    stop_asking();
}

void Shelf::stop_asking() {
    const std::lock_guard guard(mutex_);
    for (const auto& [id, kept] : open_) kept.study->asker->stop();
}

double Shelf::now() {
    return storage_->now();
}

std::vector<StudyRecord> Shelf::records() {
    const std::lock_guard guard(mutex_);
    if (steady_seconds() - listed_at_ > listing_age_seconds) {
        records_ = storage_->studies();
        listed_at_ = steady_seconds();
    }
    return records_;
}

void Shelf::changed() {
    const std::lock_guard guard(mutex_);
    listed_at_ = -1.0;
}

StudyHandle Shelf::opened(const StudyRecord& record, const StudyHandle& before) {
    StudySettings settings = study::settings_from_json(record.settings);
    auto asker = before && same_for_asks(before->settings, settings)
                     ? before->asker
                     : std::make_shared<Asker>([this, name = record.name] { return open(name); }, asks_);
    return std::make_shared<OpenStudy>(
        OpenStudy{record, std::move(settings), open(record.name), open(record.name), std::move(asker)});
}

StudyHandle Shelf::find(const std::string& name) {
    const std::vector<StudyRecord> all = records();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& record) { return record.name == name; });
    if (found == all.end()) throw NotFound("there is no study \"" + name + "\" here; GET /api/v1/studies lists them");
    const std::lock_guard guard(mutex_);
    Kept& kept = open_[found->id];
    kept.used = ++uses_;
    const bool stale =
        !kept.study || kept.study->record.settings != found->settings || kept.study->record.budget != found->budget;
    if (stale) kept.study = opened(*found, kept.study);
    StudyHandle study = kept.study;
    close_the_idle();
    return study;
}

void Shelf::close_the_idle() {
    while (open_.size() > (storage::is_postgres(database_) ? most_open_on_server : most_open)) {
        auto oldest = open_.end();
        for (auto it = open_.begin(); it != open_.end(); ++it)
            if (it->second.study && it->second.study.use_count() == 1 && it->second.study->asker->idle() &&
                (oldest == open_.end() || it->second.used < oldest->second.used))
                oldest = it;
        if (oldest == open_.end()) return;
        open_.erase(oldest);
    }
}

bool Shelf::create(const StudyDefinition& definition) {
    StudyDefinition here = definition;
    here.database = database_;
    const auto all = storage_->studies();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& record) { return record.name == definition.name; });
    if (found == all.end()) {
        Study::open_or_create(here, patient_for(database_patience_seconds));
        changed();
        return true;
    }
    open(definition.name).refuse_changes(here);
    StudySettings wanted = here.settings, stored = study::settings_from_json(found->settings);
    wanted.batch_size = here.options.batch_size;
    wanted.paused = stored.paused;
    wanted.budget = stored.budget;
    if (wanted != stored)
        throw Conflict("there is a study \"" + definition.name +
                       "\" with the same parameters and other settings; choose another name, or leave it as it is");
    return false;
}

void Shelf::remove_later(const std::string& name, std::function<void(std::exception_ptr)> done) {
    const StudyHandle study = find(name);
    study->asker->stop();
    asks_.run([this, study, done = std::move(done)] {
        try {
            remove(study);
            done(nullptr);
        } catch (...) {
            done(std::current_exception());
        }
    });
}

void Shelf::remove(const StudyHandle& study) {
    const auto turn = storage_->take_turn(study->record.id);
    storage_->remove_study(study->record.id, now());
    const std::lock_guard guard(mutex_);
    listed_at_ = -1.0;
    open_.erase(study->record.id);
    const std::lock_guard progress_guard(progress_mutex_);
    progress_.erase(study->record.id);
}

void Shelf::with_progress(const StudyRecord& record, const std::function<void(const Progress&)>& use) {
    const std::lock_guard guard(progress_mutex_);
    Progress& progress = progress_[record.id];
    progress.update(*storage_, record.id);
    use(progress);
}

}  // namespace summand::server
