// SPDX-License-Identifier: Apache-2.0
#include "events.hpp"

#include "errors.hpp"
#include "steady_seconds.hpp"
#include "views.hpp"

#include <algorithm>
#include <chrono>

namespace summand::server {

namespace {

constexpr std::size_t most_waiting_texts = 1000;           // texts for one listener
constexpr auto interval = std::chrono::milliseconds(300);  // other processes write to the database too
constexpr double summary_seconds = 0.5;
constexpr double numbers_patience_seconds = 600.0;  // with the numbers of an ask that is being computed

std::string message(const std::string& event, const std::string& data, std::optional<std::int64_t> id = {}) {
    return (id ? "id: " + std::to_string(*id) + "\n" : "") + "event: " + event + "\ndata: " + data + "\n\n";
}

std::string message(const std::string& study, const storage::EventRecord& event) {
    return message(storage::to_string(event.kind), event_json(study, event), event.sequence);
}

/// Sends a text to all who still listen, and forgets the others.
void send(std::vector<std::weak_ptr<EventQueue>>& queues, const std::string& text) {
    std::erase_if(queues, [&](const std::weak_ptr<EventQueue>& weak) {
        const auto queue = weak.lock();
        if (queue) queue->push(text);
        return !queue || queue->closed();
    });
}

}  // namespace

void EventQueue::on_change(std::function<void()> wake) {
    const std::lock_guard guard(mutex_);
    wake_ = std::move(wake);
    if (wake_ && (closed_ || !texts_.empty())) wake_();
}

void EventQueue::push(std::string text) {
    const std::lock_guard guard(mutex_);
    if (closed_) return;
    texts_.push_back(std::move(text));
    closed_ = texts_.size() > most_waiting_texts;
    if (wake_) wake_();
}

void EventQueue::close() {
    const std::lock_guard guard(mutex_);
    closed_ = true;
    if (wake_) wake_();
}

std::vector<std::string> EventQueue::take() {
    const std::lock_guard guard(mutex_);
    return std::exchange(texts_, {});
}

bool EventQueue::closed() const {
    const std::lock_guard guard(mutex_);
    return closed_;
}

Broadcaster::Broadcaster(Shelf& shelf) : shelf_(shelf), thread_([this] { loop(); }) {}

Broadcaster::~Broadcaster() {
    close();
    thread_.join();
}

void Broadcaster::close() {
    const std::lock_guard guard(mutex_);
    ending_ = true;
    changed_.notify_all();
    for (auto& [name, watch] : watches_)
        for (const auto& weak : watch.queues)
            if (const auto queue = weak.lock()) queue->close();
    for (const auto& weak : all_)
        if (const auto queue = weak.lock()) queue->close();
}

void Broadcaster::look() {
    const std::lock_guard guard(mutex_);
    look_ = true;
    changed_.notify_all();
}

std::shared_ptr<EventQueue> Broadcaster::subscribe(const std::string& name, std::optional<std::int64_t> after) {
    const StudyHandle study = shelf_.find(name);
    auto queue = std::make_shared<EventQueue>();
    const std::lock_guard guard(mutex_);
    if (ending_) throw HttpError(503, "the server is ending");
    Watch& watch = watches_[name];
    if (watch.queues.empty()) {
        watch = {};
        shelf_.with_progress(study->record, [&](const Progress& progress) { watch.last = progress.sequence(); });
    }
    if (after)
        for (const storage::EventRecord& event : shelf_.storage().events(study->record.id, *after))
            if (event.sequence <= watch.last && watch.missing.count(event.sequence) == 0)
                queue->push(message(name, event));
    queue->push(message("study", summary_json(shelf_, study->record)));
    watch.queues.push_back(queue);
    return queue;
}

std::shared_ptr<EventQueue> Broadcaster::subscribe_to_all() {
    auto queue = std::make_shared<EventQueue>();
    const auto records = shelf_.records();
    for (const storage::StudyRecord& record : records) queue->push(message("study", summary_json(shelf_, record)));
    const std::lock_guard guard(mutex_);
    if (ending_) throw HttpError(503, "the server is ending");
    all_.push_back(queue);
    return queue;
}

void Broadcaster::loop() {
    std::unique_lock lock(mutex_);
    while (!ending_) {
        try {
            for (auto& [name, watch] : watches_) look_at(name, watch);
            std::erase_if(watches_, [](const auto& entry) { return entry.second.queues.empty(); });
            if (!all_.empty()) look_at_all();
        } catch (const std::exception&) {
            // The database cannot be read just now; requests say so, and the next look may succeed.
        }
        changed_.wait_for(lock, interval, [&] { return look_ || ending_; });
        if (std::exchange(look_, false)) {  // many small changes are one look
            lock.unlock();
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            lock.lock();
        }
    }
}

void Broadcaster::look_at(const std::string& name, Watch& watch) {
    std::erase_if(watch.queues, [](const auto& weak) { return weak.expired(); });
    if (watch.queues.empty()) return;
    const auto records = shelf_.records();
    const auto record = std::find_if(records.begin(), records.end(), [&](const auto& one) { return one.name == name; });
    if (record == records.end()) {  // deleted
        for (const auto& weak : watch.queues)
            if (const auto queue = weak.lock()) queue->close();
        watch.queues.clear();
        return;
    }
    const double now = steady_seconds();
    std::erase_if(watch.missing, [&](const auto& entry) { return now - entry.second > numbers_patience_seconds; });
    const std::int64_t after = watch.missing.empty() ? watch.last : watch.missing.begin()->first - 1;
    for (const storage::EventRecord& event : shelf_.storage().events(record->id, after)) {
        const bool late = watch.missing.erase(event.sequence) > 0;
        if (!late && event.sequence <= watch.last) continue;
        for (std::int64_t gap = watch.last + 1; gap < event.sequence; ++gap) watch.missing[gap] = now;
        watch.last = std::max(watch.last, event.sequence);
        send(watch.queues, message(name, event));
    }
    if (now - watch.summary_at < summary_seconds) return;
    watch.summary_at = now;
    std::string summary = summary_json(shelf_, *record);
    if (summary == watch.summary) return;
    if (!watch.summary.empty()) send(watch.queues, message("study", summary));
    watch.summary = std::move(summary);
}

void Broadcaster::look_at_all() {
    const double begin = steady_seconds();
    if (begin < all_at_) return;
    std::map<std::string, std::string> now;
    for (const storage::StudyRecord& record : shelf_.records()) {
        std::string summary = summary_json(shelf_, record);
        const auto before = summaries_.find(record.name);
        if (before == summaries_.end() || before->second != summary) send(all_, message("study", summary));
        now[record.name] = std::move(summary);
    }
    for (const auto& [name, summary] : summaries_)
        if (now.count(name) == 0) send(all_, message("deleted", "{\"name\":" + quoted_json(name) + "}"));
    summaries_ = std::move(now);
    // Many studies take long to look at: a tenth of the time at most.
    all_at_ = begin + std::max(summary_seconds, 10.0 * (steady_seconds() - begin));
    std::erase_if(all_, [](const auto& weak) { return weak.expired(); });
}

}  // namespace summand::server
