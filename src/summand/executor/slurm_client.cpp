// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/slurm_client.hpp"

namespace summand::executor {

namespace {

SlurmAnswer answer_of(const Finished& finished) {
    if (finished.ending == Ending::exited && finished.code == 0) return {finished.output, ""};
    if (finished.ending == Ending::time_limit) return {"", "no answer: timed out"};
    const std::size_t length = finished.error.find_last_not_of('\n') + 1;
    return {"", length == 0 ? describe(finished) : finished.error.substr(0, length)};
}

}  // namespace

void SlurmClient::call(std::vector<std::string> command, std::function<void(const SlurmAnswer&)> then) {
    Job job;
    job.id = ++calls_;
    job.command = std::move(command);
    job.time_limit_seconds = patience_seconds_;
    programs_->start(job);
    waiting_[job.id] = std::move(then);
}

void SlurmClient::wait(double seconds) {
    for (const Finished& finished : programs_->wait(seconds)) {
        const auto then = std::move(waiting_.at(finished.id));
        waiting_.erase(finished.id);
        then(answer_of(finished));
    }
}

}  // namespace summand::executor
