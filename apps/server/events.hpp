// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "shelf.hpp"

#include <condition_variable>
#include <deque>
#include <set>
#include <thread>

// Server-sent events: who listens, and the one thread that looks what has happened.
namespace summand::server {

/// What one listener has still to be sent.
class EventQueue {
  public:
    /// `wake` is called, from any thread, when there is something to take or it has been closed.
    void on_change(std::function<void()> wake);
    void push(std::string text);  ///< a listener that lags behind by too much is closed; it may come back
    void close();
    std::vector<std::string> take();
    bool closed() const;

  private:
    mutable std::mutex mutex_;
    std::vector<std::string> texts_;
    std::function<void()> wake_;
    bool closed_ = false;
};

class Broadcaster {
  public:
    explicit Broadcaster(Shelf& shelf);
    ~Broadcaster();
    /// One study from now on; `after`: from that sequence number on. Throws NotFound.
    std::shared_ptr<EventQueue> subscribe(const std::string& study, std::optional<std::int64_t> after);
    std::shared_ptr<EventQueue> subscribe_to_all();
    void look();  ///< something has happened here: do not wait for the next look
    void close();

  private:
    using Queues = std::vector<std::weak_ptr<EventQueue>>;
    /// What the listeners of one study have been told.
    struct Watch {
        std::int64_t last = 0;                        // greatest sequence number seen
        std::map<std::int64_t, double> missing = {};  // smaller ones that may still come, and since when
        std::string summary = {};
        double summary_at = 0.0;
        Queues queues = {};
    };

    void loop();
    void look_at(const std::string& name, Watch& watch);
    void look_at_all();

    Shelf& shelf_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool look_ = false;
    bool ending_ = false;
    std::map<std::string, Watch> watches_;
    Queues all_;
    std::map<std::string, std::string> summaries_;  // of all studies, as sent
    double all_at_ = 0.0;
    std::thread thread_;
};

}  // namespace summand::server
