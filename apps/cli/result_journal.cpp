// SPDX-License-Identifier: Apache-2.0
#include "result_journal.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include <fcntl.h>
#include <unistd.h>

namespace summand::cli {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr double journal_patience_seconds = 3.0;  // results wait on disk, so nobody need wait for the server

/// On disk when this returns, whole or not at all.
void write_safely(const fs::path& path, const std::string& text) {
    const fs::path unfinished = path.string() + ".new";
    const int file = open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool sound = file >= 0;
    for (std::size_t done = 0; sound && done < text.size();) {
        const ssize_t count = write(file, text.data() + done, text.size() - done);
        sound = count > 0;
        done += sound ? static_cast<std::size_t>(count) : 0;
    }
    sound = sound && fsync(file) == 0;
    if (file >= 0) close(file);
    std::error_code error;
    if (sound) fs::rename(unfinished, path, error);
    if (!sound || error)
        throw ExecutorError("a result cannot be kept in " + path.string() +
                            "; is the disk full, or the folder read-only?");
    const int folder = open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) fsync(folder), close(folder);
}

std::string read_all(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

std::vector<fs::path> results_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".result") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

WorkedStudy::WorkedStudy(const server::ServerAddress& server, const std::string& name, fs::path folder,
                         StudySettings settings)
    : RemoteStudy(server, name, journal_patience_seconds), folder_(std::move(folder)) {
    settings_ = std::move(settings);
    std::error_code error;
    fs::create_directories(folder_, error);
    fs::permissions(folder_, fs::perms::owner_all, error);
    if (error)
        throw ExecutorError("the folder " + folder_.string() + " for results cannot be made: " + error.message());
}

std::vector<Trial> WorkedStudy::ask(const AskRequest& request) {
    AskRequest repeated = request;
    if (repeated.key.empty())
        repeated.key = server::fresh_key();  // an ask that the server did answer is not made twice
    for (bool said = false;;) {
        try {
            std::vector<Trial> trials = RemoteStudy::ask(repeated);
            if (trials.empty()) return trials;
            // An answer that came late, after leases had ended: others have these trials now, or have answered them.
            std::erase_if(trials, [&](const Trial& trial) {
                return trial.state != TrialState::running || trial.worker != request.worker;
            });
            if (!trials.empty()) return trials;
            repeated.key = server::fresh_key();
        } catch (const server::Unreachable& error) {
            if (request.stop.stop_requested()) throw Interrupted();
            if (!said) std::cerr << std::string("summand: ") + error.what() + "; waiting for it\n";
            said = true;
        }
    }
}

TellResult WorkedStudy::tell(std::int64_t id, const Outcome& outcome, const TellRequest& request) {
    const std::string key = server::fresh_key();
    const Json json = {{"study", created_at()}, {"trial", id}, {"key", key}, {"body", tell_body(outcome, request)}};
    write_safely(folder_ / (std::to_string(id) + "-" + key + ".result"), json.dump());
    try {
        send_waiting();
    } catch (const StorageError&) {
        // It waits; renew() tries again.
    }
    return TellResult::accepted;
}

bool WorkedStudy::send(const fs::path& file) {
    const Json json = Json::parse(read_all(file), nullptr, false);
    const bool ours = json.is_object() && json.value("study", 0.0) == created_at();
    try {
        if (!ours) throw InvalidArgument("it belongs to a study that is no longer there");
        send_tell(json.at("trial"), json.at("body").get<std::string>(), json.at("key"));
        fs::remove(file);
        return true;
    } catch (const InvalidArgument& error) {  // it will never be taken: out of the way, but not deleted
        fs::rename(file, fs::path(file).replace_extension(".refused"));
        std::cerr << "summand: the server did not take the result in " << file.string()
                  << " (now .refused): " << error.what() << '\n';
        return false;
    }
}

void WorkedStudy::send_waiting() {
    for (const fs::path& file : results_in(folder_)) send(file);
}

std::size_t WorkedStudy::waiting() const {
    return results_in(folder_).size();
}

void WorkedStudy::retry(const storage::AttemptRecord& failed, double lease_seconds) {
    try {
        RemoteStudy::retry(failed, lease_seconds);
    } catch (const StorageError&) {
        // The log of a failed attempt is all that is missing then.
    }
}

void WorkedStudy::keep_logs(const std::vector<storage::AttemptRecord>& running) {
    try {
        RemoteStudy::keep_logs(running);
    } catch (const Error&) {
        // Nobody can look at them just now, that is all: the server is away, or the trial is gone.
    }
}

void WorkedStudy::renew(const std::string& worker, double lease_seconds) {
    try {
        RemoteStudy::renew(worker, lease_seconds);
        send_waiting();
    } catch (const StorageError&) {
    }
}

void WorkedStudy::release(const std::string& worker) {
    try {
        RemoteStudy::release(worker);
    } catch (const StorageError&) {
        // The leases end by themselves.
    }
}

}  // namespace summand::cli
