// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/task_record.hpp"

#include <charconv>
#include <sstream>

namespace summand::executor {

namespace {

/// "5:hello" for each field.
class Writer {
  public:
    Writer& operator<<(const std::string& field) {
        bytes_ += std::to_string(field.size()) + ":" + field;
        return *this;
    }
    Writer& operator<<(std::int64_t number) { return *this << std::to_string(number); }
    Writer& operator<<(double number) {
        char digits[32];
        return *this << std::string(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    }
    template <class T>
    Writer& operator<<(const std::optional<T>& value) {
        *this << std::int64_t{value ? 1 : 0};
        return value ? *this << *value : *this;
    }
    std::string bytes() && { return std::move(bytes_); }

  private:
    std::string bytes_;
};

class Reader {
  public:
    explicit Reader(const std::string& bytes) : bytes_(bytes) {}

    Reader& operator>>(std::string& field) {
        std::size_t length = 0;
        const char* end = bytes_.data() + bytes_.size();
        const auto [colon, error] = std::from_chars(bytes_.data() + at_, end, length);
        const auto start = static_cast<std::size_t>(colon - bytes_.data()) + 1;
        whole_ = whole_ && error == std::errc() && colon != end && *colon == ':' && length <= bytes_.size() - start;
        if (!whole_) return *this;
        field = bytes_.substr(start, length);
        at_ = start + length;
        return *this;
    }
    template <class Number>
    requires std::is_arithmetic_v<Number> Reader& operator>>(Number& number) {
        std::string text;
        *this >> text;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        whole_ = whole_ && error == std::errc() && end == text.data() + text.size();
        return *this;
    }
    template <class T>
    Reader& operator>>(std::optional<T>& value) {
        int given = 0;
        *this >> given;
        if (whole_ && given == 1) *this >> value.emplace();
        return *this;
    }
    /// Everything was there, and nothing else.
    bool finished() const { return whole_ && at_ == bytes_.size(); }
    bool whole() const { return whole_; }

  private:
    const std::string& bytes_;
    std::size_t at_ = 0;
    bool whole_ = true;
};

}  // namespace

std::string to_bytes(const Job& job) {
    Writer writer;
    writer << job.id << job.directory.string() << job.input << job.time_limit_seconds << job.memory_limit_bytes
           << job.result_file.string() << static_cast<std::int64_t>(job.command.size());
    for (const std::string& argument : job.command) writer << argument;
    for (const auto& [name, value] : job.environment) writer << name << value;
    return std::move(writer).bytes();
}

std::optional<Job> job_from(const std::string& bytes) {
    Job job;
    std::string directory, result_file;
    std::int64_t arguments = 0;
    Reader reader(bytes);
    reader >> job.id >> directory >> job.input >> job.time_limit_seconds >> job.memory_limit_bytes >> result_file >>
        arguments;
    job.directory = directory;
    job.result_file = result_file;
    for (std::int64_t i = 0; i < arguments && reader.whole(); ++i) reader >> job.command.emplace_back();
    while (reader.whole() && !reader.finished()) {
        std::string name;
        reader >> name >> job.environment[name];
    }
    return reader.finished() ? std::optional(job) : std::nullopt;
}

std::string to_bytes(const Finished& finished) {
    Writer writer;
    writer << finished.id << static_cast<std::int64_t>(finished.ending) << std::int64_t{finished.code}
           << finished.seconds << finished.output << finished.error << finished.result << finished.cause;
    return std::move(writer).bytes();
}

std::optional<Finished> finished_from(const std::string& bytes) {
    Finished finished;
    int ending = 0;
    Reader reader(bytes);
    reader >> finished.id >> ending >> finished.code >> finished.seconds >> finished.output >> finished.error >>
        finished.result >> finished.cause;
    finished.ending = static_cast<Ending>(ending);
    return reader.finished() ? std::optional(finished) : std::nullopt;
}

}  // namespace summand::executor
