// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "lanes.hpp"
#include "progress.hpp"
#include "summand/study/study.hpp"

#include <atomic>
#include <map>
#include <mutex>

namespace summand::server {

/// What adds trials to one study, one job after the other on threads of their own: suggestions take long, and points of the
/// user's wait for them.
class Asker : public std::enable_shared_from_this<Asker> {
  public:
    Asker(std::function<Study()> open, Pool& pool);
    using Job = std::function<void(Study& study, const std::stop_token& stop)>;
    /// Calls `job`, or `failed` with what it has thrown, from another thread. Throws HttpError 503 if too many wait.
    void run(Job job, std::function<void(std::exception_ptr)> failed);
    void stop() { stop_.request_stop(); }  ///< what runs and what waits throws Interrupted
    bool idle() const { return waiting_ == 0; }

  private:
    std::function<Study()> open_;
    std::optional<Study> study_;  // opened by the first ask; only the lane touches it
    std::stop_source stop_;
    std::atomic<int> waiting_ = 0;
    Lane lane_;
};

/// A study as the server has it open, with connections of their own for reading, for answers and for suggestions: none waits
/// for another.
struct OpenStudy {
    storage::StudyRecord record;
    StudySettings settings;
    Study reading;
    Study writing;
    std::shared_ptr<Asker> asker;
};
using StudyHandle = std::shared_ptr<OpenStudy>;

/// The studies of one database. Safe for several threads.
class Shelf {
  public:
    /// Makes the database if it is a file that does not exist. Throws StorageError. trouble: told in sentences when the server
    /// of the database cannot be reached; requests wait for it some seconds.
    Shelf(std::string database, Trouble trouble, Pool& asks);
    ~Shelf();

    const std::string& database() const { return database_; }
    double now();
    std::vector<storage::StudyRecord> records();     ///< in the order of creation, not older than a quarter of a second
    StudyHandle find(const std::string& name);       ///< throws NotFound
    Study open(const std::string& name);             ///< over a connection of its own
    bool create(const StudyDefinition& definition);  ///< false: it was there already; throws Conflict for another one
    /// Stops suggestions of this server and waits, elsewhere, for others to end; calls `done` with what was thrown, if anything.
    void remove_later(const std::string& name, std::function<void(std::exception_ptr)> done);
    void stop_asking();  ///< for good: what runs and waits is interrupted
    void changed();      ///< its settings: read them again

    /// How far a study is; the reference is good while `use` runs.
    void with_progress(const storage::StudyRecord& record, const std::function<void(const Progress&)>& use);
    storage::Storage& storage() { return *storage_; }  ///< for short reads of any study

  private:
    Trouble patient_for(double seconds);
    void remove(const StudyHandle& study);
    StudyHandle opened(const storage::StudyRecord& record, const StudyHandle& before);
    void close_the_idle();

    const std::string database_;
    const Trouble trouble_;
    std::atomic<bool> started_ = false;
    Pool& asks_;
    std::unique_ptr<storage::Storage> storage_;

    std::mutex mutex_;
    std::vector<storage::StudyRecord> records_;
    double listed_at_ = -1.0;
    struct Kept {
        StudyHandle study = {};
        std::int64_t used = 0;
    };
    std::map<std::int64_t, Kept> open_;
    std::int64_t uses_ = 0;

    std::mutex progress_mutex_;
    std::map<std::int64_t, Progress> progress_;
};

}  // namespace summand::server
