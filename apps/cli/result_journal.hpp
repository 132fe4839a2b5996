// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "remote_study.hpp"

#include <filesystem>

namespace summand::cli {

/// A study of a server for a worker on this machine. Each result is on this machine's disk before it is sent, and stays there until the
/// server has acknowledged it: a server that cannot be reached, or the death of this process, loses none.
class WorkedStudy final : public server::RemoteStudy {
  public:
    /// folder: where results wait, made if need be; those of an earlier process are sent with the next ones.
    WorkedStudy(const server::ServerAddress& server, const std::string& name, std::filesystem::path folder,
                StudySettings settings);

    /// Waits for a server that is away, until it is back or `request.stop`. Gives trials that are this worker's only.
    std::vector<Trial> ask(const AskRequest& request = {}) override;
    /// Returns when the result is on disk; it is `accepted` as far as is known if the server cannot be reached.
    TellResult tell(std::int64_t id, const Outcome& outcome, const TellRequest& request = {}) override;
    void retry(const storage::AttemptRecord& failed, double lease_seconds) override;
    void keep_logs(const std::vector<storage::AttemptRecord>& running) override;
    /// Sends what waits, too. A server that cannot be reached is no error: the lease may end, and then a late result counts all the same.
    void renew(const std::string& worker, double lease_seconds) override;
    void release(const std::string& worker) override;

    std::size_t waiting() const;  ///< results that the server does not have
    void send_waiting();          ///< throws server::Unreachable

  private:
    bool send(const std::filesystem::path& file);
    std::filesystem::path folder_;
};

}  // namespace summand::cli
