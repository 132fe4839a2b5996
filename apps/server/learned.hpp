// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "message.hpp"
#include "shelf.hpp"

namespace summand::server {

/// What the model knows, as JSON objects.
struct Lesson {
    std::string structure = {}, importance = {}, slices = {}, recommended = {};
    std::int64_t sequence = -1;  ///< of the last event that it takes into account
    double made_at = 0.0;        ///< on a steady clock
    double seconds = 0.0;        ///< that it took
};

/// Rebuilds models beside the requests, one after the other, and keeps what they say until the study has moved on. While
/// a study moves on quickly a tenth of the time at most is spent on it: what is shown may then be a little old.
class Learned {
  public:
    Learned(Shelf& shelf, Pool& pool);
    /// Calls `reply` with the part, perhaps from another thread.
    void reply_with(const StudyHandle& study, std::string Lesson::*part, Reply reply);
    void stop() { stop_.request_stop(); }

  private:
    std::shared_ptr<const Lesson> fresh(const StudyHandle& study);  ///< null: it must be made
    void make(const StudyHandle& study);

    Shelf& shelf_;
    std::stop_source stop_;
    Lane lane_;
    std::mutex mutex_;
    std::map<std::int64_t, std::shared_ptr<const Lesson>> lessons_;  // by study
};

}  // namespace summand::server
