// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/task_folder.hpp"

#include "summand/base/error.hpp"
#include "summand/executor/content_of.hpp"
#include "summand/executor/descriptor.hpp"
#include "summand/executor/task_record.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>

namespace summand::executor {

namespace fs = std::filesystem;

namespace {

// The file `jobs` begins with one line for each task: its id, where its bytes begin, how many they are. A task reads its own
// line and its own bytes, however many others there are.
constexpr std::size_t line_length = 60;

[[noreturn]] void fail(const fs::path& path) {
    throw ExecutorError(path.string() + " cannot be written: " + std::strerror(errno) +
                        "; it must lie on a file system with room that this machine and the nodes share");
}

void sync(const fs::path& folder) {
    const Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened.open() || fsync(opened.get()) != 0) fail(folder);
}

void write_and_sync(const fs::path& path, const std::string& bytes) {
    const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    for (std::size_t done = 0; file.open() && done < bytes.size();) {
        const ssize_t written = write(file.get(), bytes.data() + done, bytes.size() - done);
        if (written < 0 && errno != EINTR) fail(path);
        if (written > 0) done += static_cast<std::size_t>(written);
    }
    if (!file.open() || fsync(file.get()) != 0) fail(path);
}

struct Line {
    std::int64_t id = 0;
    std::int64_t start = 0;
    std::int64_t length = 0;
};

std::optional<Line> parse_line(const std::string& text) {
    Line line;
    std::istringstream fields(text);
    return text.size() == line_length && fields >> line.id >> line.start >> line.length ? std::optional(line)
                                                                                        : std::nullopt;
}

std::string jobs_file(const std::vector<Job>& jobs) {
    std::string index, bytes;
    for (const Job& job : jobs) {
        const std::string record = to_bytes(job);
        char line[line_length + 1];
        std::snprintf(line, sizeof line, "%19lld %19zu %19zu\n", static_cast<long long>(job.id),
                      jobs.size() * line_length + bytes.size(), record.size());
        index += line;
        bytes += record;
    }
    return index + bytes;
}

}  // namespace

void write_whole(const fs::path& path, const std::string& bytes) {
    fs::path temporary = path;
    temporary += ".part";
    write_and_sync(temporary, bytes);
    if (rename(temporary.c_str(), path.c_str()) != 0) fail(path);
}

TaskFolder TaskFolder::create(const fs::path& path, const std::vector<Job>& jobs, const std::string& script) {
    const fs::path growing = path.string() + ".part";
    std::error_code failed;
    fs::create_directories(growing, failed);
    if (failed) throw ExecutorError("the folder " + growing.string() + " cannot be made: " + failed.message());
    write_and_sync(growing / "jobs", jobs_file(jobs));
    write_and_sync(growing / "script", script);
    TaskFolder folder(path);
    if (rename(growing.c_str(), folder.path_.c_str()) != 0) fail(folder.path_);
    sync(path.parent_path());
    for (const Job& job : jobs) folder.ids_.push_back(job.id);
    return folder;
}

std::optional<TaskFolder> TaskFolder::open(const fs::path& path) {
    TaskFolder folder(path);
    std::ifstream file(path / "jobs", std::ios::binary);
    std::string text(line_length, ' ');
    // The first task's bytes begin where the lines end.
    for (std::int64_t tasks = 1; static_cast<std::int64_t>(folder.ids_.size()) < tasks;) {
        file.read(text.data(), line_length);
        const auto line = file ? parse_line(text) : std::nullopt;
        if (!line) return {};
        if (folder.ids_.empty()) tasks = line->start / static_cast<std::int64_t>(line_length);
        folder.ids_.push_back(line->id);
    }
    return folder;
}

fs::path TaskFolder::file(int task, const char* kind) const {
    return path_ / (std::to_string(task) + kind);
}

std::optional<Job> TaskFolder::job(int task) const {
    std::ifstream file(path_ / "jobs", std::ios::binary);
    std::string text(line_length, ' ');
    file.seekg(static_cast<std::streamoff>(line_length) * task);
    if (!file.read(text.data(), line_length)) return {};
    const auto line = parse_line(text);
    if (!line) return {};
    std::string bytes(static_cast<std::size_t>(line->length), ' ');
    file.seekg(line->start);
    if (!file.read(bytes.data(), line->length)) return {};
    return job_from(bytes);
}

std::optional<std::string> TaskFolder::array() const {
    return content_of(path_ / "job");
}

void TaskFolder::set_array(const std::string& number) const {
    write_whole(path_ / "job", number);
}

bool TaskFolder::claim(int task, const std::string& who) const {
    const fs::path path = file(task, ".claim");
    const Descriptor claimed(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!claimed.open() && errno != EEXIST) fail(path);
    if (claimed.open()) (void)!write(claimed.get(), who.data(), who.size());
    return claimed.open();
}

// Into the file of the claim, not beside it: a file that is opened is looked up anew on NFS, while one that was missing may
// be taken for missing for a minute.
constexpr const char* withdrawal = "withdrawn";

bool TaskFolder::withdraw(int task) const {
    if (claim(task, withdrawal)) return true;
    const Descriptor claimed(::open(file(task, ".claim").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    if (claimed.open()) (void)!write(claimed.get(), withdrawal, std::strlen(withdrawal));
    return false;
}

bool TaskFolder::withdrawn(int task) const {
    const auto text = content_of(file(task, ".claim"));
    return text ? text->ends_with(withdrawal) : !fs::exists(file(task, ".claim"));
}

void TaskFolder::keep_written(int task, const Written& written) const {
    Finished so_far;
    so_far.output = written.output;
    so_far.error = written.error;
    write_whole(file(task, ".written"), to_bytes(so_far));
}

std::optional<Written> TaskFolder::written(int task) const {
    const auto bytes = content_of(file(task, ".written"));
    const auto so_far = bytes ? finished_from(*bytes) : std::nullopt;
    return so_far ? std::optional(Written{so_far->output, so_far->error}) : std::nullopt;
}

void TaskFolder::finish(int task, const Finished& finished) const {
    write_whole(file(task, ".result"), to_bytes(finished));
}

std::optional<Finished> TaskFolder::result(int task) const {
    const auto bytes = content_of(file(task, ".result"));
    return bytes ? finished_from(*bytes) : std::nullopt;
}

std::string TaskFolder::log(int task) const {
    return content_of(file(task, ".log")).value_or("");
}

void TaskFolder::mark_done(int task) const {
    const fs::path done = file(task, ".done");
    if (rename(file(task, ".result").c_str(), done.c_str()) == 0) return;
    const Descriptor made(::open(done.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
}

std::vector<TaskFolder::State> TaskFolder::states() const {
    std::vector<State> states(ids_.size());
    std::error_code failed;
    for (fs::directory_iterator entry(path_, failed), end; !failed && entry != end; entry.increment(failed)) {
        const std::string name = entry->path().filename().string();
        std::size_t task = 0;
        const auto [dot, error] = std::from_chars(name.data(), name.data() + name.size(), task);
        if (error != std::errc() || task >= states.size()) continue;
        const std::string kind(dot, name.data() + name.size());
        states[task].claimed |= kind == ".claim";
        states[task].finished |= kind == ".result";
        states[task].done |= kind == ".done";
    }
    return states;
}

void TaskFolder::remove() const noexcept {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace summand::executor
