// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>

namespace summand {

/// Everything the library throws. The message is a sentence: where, what was given, what is allowed, what to do.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The caller's mistake. Thrown before anything has changed.
class InvalidArgument : public Error {
  public:
    using Error::Error;
};

/// It names a study or a trial that there is not.
class NotFound : public InvalidArgument {
  public:
    using InvalidArgument::InvalidArgument;
};

/// It contradicts what is stored: a key used for another request, a budget that is used up, a trial in another state.
class Conflict : public InvalidArgument {
  public:
    using InvalidArgument::InvalidArgument;
};

/// A computation that cannot be carried out in double precision, with its cause (duplicates, a lengthscale, the noise).
class NumericalError : public Error {
  public:
    using Error::Error;
};

/// The database or file of a study: names the path.
class StorageError : public Error {
  public:
    using Error::Error;
};

/// A program that could not be started or watched: names the command.
class ExecutorError : public Error {
  public:
    using Error::Error;
};

/// A long computation was asked to stop (std::stop_token); nothing has changed.
class Interrupted : public Error {
  public:
    Interrupted()
        : Error("interrupted: the computation was asked to stop before it had finished; nothing was changed") {}
};

}  // namespace summand
