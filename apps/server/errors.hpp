// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "message.hpp"
#include "summand/base/error.hpp"

#include <exception>

namespace summand::server {

/// What HTTP has a number for and the library no class.
class HttpError : public Error {
  public:
    HttpError(int number, const std::string& sentence) : Error(sentence), status(number) {}
    int status;
};

/// {"error": {"kind", "message"}} with its status: the one table from errors to HTTP.
Response error_response(int status, const std::string& sentence);
Response error_response(const std::exception_ptr& thrown);

}  // namespace summand::server
