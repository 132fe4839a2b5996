// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/storage/open_storage.hpp"
#include "summand/storage/storage.hpp"

// Storages that break one promise each: the torture test must notice every one of them.
namespace summand::testing_support {

/// Passes everything on to a database.
class PassingStorage : public storage::Storage {
  public:
    explicit PassingStorage(const std::string& address)
        : inner_(storage::open_storage(address, storage::OpenMode::create_if_missing)) {}

    double now() override { return inner_->now(); }

    storage::StudyRecord create_study(const storage::StudyRecord& s) override { return inner_->create_study(s); }
    std::vector<storage::StudyRecord> studies() override { return inner_->studies(); }
    void update_options(std::int64_t s, const std::string& text) override { inner_->update_options(s, text); }
    void update_settings(std::int64_t s, const std::string& text, std::optional<std::int64_t> budget) override {
        inner_->update_settings(s, text, budget);
    }
    std::unique_ptr<storage::Turn> take_turn(std::int64_t s, std::stop_token stop) override {
        return inner_->take_turn(s, stop);
    }
    void remove_study(std::int64_t study, double now) override { inner_->remove_study(study, now); }
    std::int64_t begin_ask(std::int64_t s, int count) override { return inner_->begin_ask(s, count); }
    std::vector<storage::TrialRecord> reserve(std::int64_t s, const storage::Reservation& r) override {
        return inner_->reserve(s, r);
    }
    void add(std::int64_t s, const std::vector<storage::NewTrial>& t, double now,
             const storage::Request& request) override {
        inner_->add(s, t, now, request);
    }
    void enqueue(std::int64_t s, const std::vector<storage::NewTrial>& t, double now,
                 const storage::Request& request) override {
        inner_->enqueue(s, t, now, request);
    }
    storage::Verdict tell(std::int64_t s, const storage::Answer& answer) override { return inner_->tell(s, answer); }
    storage::Verdict correct(std::int64_t s, const storage::Answer& answer) override {
        return inner_->correct(s, answer);
    }
    void rerun(std::int64_t s, std::int64_t id, double now) override { inner_->rerun(s, id, now); }
    void keep_logs(std::int64_t s, const std::vector<storage::AttemptRecord>& running) override {
        inner_->keep_logs(s, running);
    }
    void retry(std::int64_t s, const storage::AttemptRecord& failed, double ends) override {
        inner_->retry(s, failed, ends);
    }
    void abandon(std::int64_t s, std::int64_t id, double now) override { inner_->abandon(s, id, now); }
    void renew(std::int64_t s, const std::string& worker, double ends) override { inner_->renew(s, worker, ends); }
    void release(std::int64_t s, const std::string& worker, double now) override { inner_->release(s, worker, now); }
    std::optional<std::vector<std::int64_t>> reply_to(std::int64_t s, const storage::Request& request) override {
        return inner_->reply_to(s, request);
    }
    std::vector<storage::TrialRecord> trials(std::int64_t s) override { return inner_->trials(s); }
    std::vector<storage::TrialRecord> open_trials(std::int64_t s) override { return inner_->open_trials(s); }
    std::optional<storage::TrialRecord> trial(std::int64_t s, std::int64_t id) override { return inner_->trial(s, id); }
    std::optional<storage::TrialRecord> best(std::int64_t s) override { return inner_->best(s); }
    storage::Counts counts(std::int64_t s, double now) override { return inner_->counts(s, now); }
    std::vector<storage::EventRecord> events(std::int64_t s, std::int64_t after) override {
        return inner_->events(s, after);
    }
    std::vector<storage::AskRecord> asks(std::int64_t s) override { return inner_->asks(s); }
    std::vector<storage::AttemptRecord> attempts(std::int64_t s, std::int64_t id) override {
        return inner_->attempts(s, id);
    }
    std::vector<storage::LateAnswer> late_answers(std::int64_t s) override { return inner_->late_answers(s); }
    void store_snapshot(std::int64_t s, const storage::Snapshot& snapshot) override {
        inner_->store_snapshot(s, snapshot);
    }
    std::optional<storage::Snapshot> snapshot(std::int64_t s) override { return inner_->snapshot(s); }

  protected:
    std::unique_ptr<storage::Storage> inner_;
};

/// Acknowledges an answer at once and writes it with the next one, or when it is closed.
class HastyStorage final : public PassingStorage {
  public:
    using PassingStorage::PassingStorage;
    ~HastyStorage() override { write(); }
    storage::Verdict tell(std::int64_t study, const storage::Answer& answer) override {
        write();
        kept_ = {study, answer};
        return storage::Verdict::accepted;
    }

  private:
    void write() {
        if (kept_) inner_->tell(kept_->first, kept_->second);
        kept_.reset();
    }
    std::optional<std::pair<std::int64_t, storage::Answer>> kept_ = {};
};

/// Acknowledges corrections and does nothing.
class ForgetfulStorage final : public PassingStorage {
  public:
    using PassingStorage::PassingStorage;
    storage::Verdict correct(std::int64_t, const storage::Answer&) override { return storage::Verdict::accepted; }
};

/// Keeps answers and forgets their keys.
class KeylessStorage final : public PassingStorage {
  public:
    using PassingStorage::PassingStorage;
    storage::Verdict tell(std::int64_t study, const storage::Answer& given) override {
        storage::Answer answer = given;
        answer.request = {};
        return inner_->tell(study, answer);
    }
};

/// Its turns exclude no one.
class PushyStorage final : public PassingStorage {
  public:
    using PassingStorage::PassingStorage;
    std::unique_ptr<storage::Turn> take_turn(std::int64_t, std::stop_token) override {
        return std::make_unique<storage::Turn>();
    }
};

/// Its leases end as they begin: what one worker is evaluating is handed to the next.
class FickleStorage final : public PassingStorage {
  public:
    using PassingStorage::PassingStorage;
    std::vector<storage::TrialRecord> reserve(std::int64_t study, const storage::Reservation& given) override {
        storage::Reservation reservation = given;
        reservation.lease_ends = reservation.now;
        return inner_->reserve(study, reservation);
    }
};

}  // namespace summand::testing_support
