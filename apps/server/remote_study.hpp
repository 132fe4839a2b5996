// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "http_client.hpp"
#include "summand/study/any_study.hpp"

#include <functional>
#include <mutex>

namespace summand::server {

/// A study of a server. A request that gets no answer is sent again until the patience is over; those that change something
/// carry a key, so that a repetition changes nothing. Safe for several threads; asks have a connection of their own.
class RemoteStudy : public AnyStudy {
  public:
    /// Throws NotFound if there is no such study, StorageError if the server does not answer.
    RemoteStudy(const ServerAddress& server, const std::string& name, double patience_seconds);

    const std::string& name() const override { return name_; }
    const SearchSpace& space() const override { return *space_; }
    const Options& options() const override { return options_; }
    const StudySettings& settings() const override { return settings_; }
    int batch_size() const override { return batch_size_; }
    const std::string& database() const override { return url_; }
    double created_at() const { return created_at_; }
    double now() const override;  ///< this machine's clock, set by the server's when the study was opened

    std::vector<Trial> ask(const AskRequest& request = {}) override;
    TellResult tell(std::int64_t id, const Outcome& outcome, const TellRequest& request = {}) override;
    AddResult add(const std::vector<Evaluation>& data, const std::string& key = {}) override;
    std::vector<std::int64_t> enqueue(const std::vector<Point>& points, const std::string& key = {}) override;
    bool correct(std::int64_t id, const Outcome& outcome, const TellRequest& request = {}) override;
    void rerun(std::int64_t id) override;
    void abandon(std::int64_t id) override;
    void retry(const storage::AttemptRecord& failed, double lease_seconds) override;
    void keep_logs(const std::vector<storage::AttemptRecord>& running) override;
    void renew(const std::string& worker, double lease_seconds) override;
    void release(const std::string& worker) override;
    void set_paused(bool paused) override;
    void set_budget(std::optional<std::int64_t> trials) override;
    bool paused() const override;

    std::vector<Trial> trials() const override;
    std::optional<Trial> trial(std::int64_t id) const override;
    std::optional<Trial> best() const override;
    std::optional<Recommended> recommended() const override;
    storage::Counts counts() const override;
    std::vector<storage::AttemptRecord> attempts(std::int64_t trial) const override;
    std::vector<storage::LateAnswer> late_answers(std::int64_t trial) const override;
    std::vector<EarlierAnswer> earlier_answers(std::int64_t trial) const override;
    StructureView structure() const override;

    /// The body of a tell, as it is sent: a worker keeps it until the server has it.
    std::string tell_body(const Outcome& outcome, const TellRequest& request) const;
    TellResult send_tell(std::int64_t id, const std::string& body, const std::string& key);

  protected:
    StudySettings settings_ = {};

  private:
    struct Line {
        explicit Line(const ServerAddress& server) : client(server) {}
        std::mutex mutex = {};
        HttpClient client;
    };
    /// The JSON text of the answer. Throws as the server says, or Unreachable.
    std::string call(Line& line, const std::string& method, const std::string& path, const std::string& body = {},
                     const std::string& key = {}, const std::stop_token& stop = {}) const;
    std::string get(const std::string& path) const;
    std::string post(const std::string& path, const std::string& body, const std::string& key = {}) const;
    std::string below(const std::string& part) const;  ///< /studies/NAME/part
    std::string below(std::int64_t trial, const std::string& verb) const;

    std::string url_, name_;
    double patience_seconds_ = 0.0;
    mutable Line line_, asking_;
    std::optional<SearchSpace> space_;
    Options options_ = {};
    int batch_size_ = 1;
    double created_at_ = 0.0;
    double clock_offset_ = 0.0;
};

std::vector<std::string> served_studies(const ServerAddress& server);  ///< their names

/// A key that nobody else uses.
std::string fresh_key();

}  // namespace summand::server
