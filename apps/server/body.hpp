// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "message.hpp"
#include "summand/study/study.hpp"

#include <memory>

namespace summand::server {

/// The JSON object of a request, read by name; what is missing stays empty, what is wrong throws HttpError 400 with a sentence.
class Body {
  public:
    /// Throws HttpError 415 for another Content-Type, 400 for what is not a JSON object, is nested deeply or has a key that
    /// is not in `keys`. An empty body is an empty object.
    Body(const Request& request, const std::vector<std::string>& keys);
    ~Body();

    bool has(const std::string& key) const;
    bool is_null(const std::string& key) const;
    std::optional<double> number(const std::string& key) const;
    std::optional<std::int64_t> whole(const std::string& key, std::int64_t least, std::int64_t most) const;
    std::optional<std::string> text(const std::string& key, std::size_t longest) const;
    std::optional<bool> truth(const std::string& key) const;
    double seconds(const std::string& key) const;  ///< required: above 0, at most a year
    std::string required_text(const std::string& key, std::size_t longest) const;

    // What only some requests have.
    Outcome outcome() const;  ///< value or failed
    NamedValues also() const;
    std::vector<Point> points(const SearchSpace& space) const;            ///< "points"
    std::vector<Evaluation> evaluations(const SearchSpace& space) const;  ///< "evaluations"
    std::optional<storage::AttemptRecord> attempt_log(const std::string& key, std::int64_t trial) const;

  private:
    struct Impl;
    explicit Body(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// The media type of the body, without parameters, in lower case.
std::string content_type(const Request& request);

}  // namespace summand::server
