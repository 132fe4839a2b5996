// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/postgres_server.hpp"

#include <fstream>

#include <libpq-fe.h>
#include <unistd.h>

namespace summand::testing_support {

/// The address of the server that CTest has started (tests/support/postgres_server.sh); empty if there is none. By hand:
/// tests/support/postgres_server.sh start build/release/postgres
inline std::string postgres_server() {
    std::ifstream file(SUMMAND_TEST_POSTGRES "/url");
    std::string url;
    std::getline(file, url);
    return url;
}

/// A connection past the storage: to look at it from outside, and to do it harm.
class PostgresSession {
  public:
    explicit PostgresSession(const std::string& url) : connection_(PQconnectdb(url.c_str())) {}
    ~PostgresSession() { PQfinish(connection_); }
    PostgresSession(const PostgresSession&) = delete;
    PostgresSession& operator=(const PostgresSession&) = delete;

    /// Runs a statement; the first value of its answer, or what went wrong.
    std::string run(const std::string& sql) {
        PGresult* result = PQexec(connection_, sql.c_str());
        const bool rows = PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) > 0;
        const std::string answer = rows ? PQgetvalue(result, 0, 0) : PQresultErrorMessage(result);
        PQclear(result);
        return answer;
    }

  private:
    PGconn* connection_;
};

/// A fresh database on a server, which goes away with its owner.
class TemporaryDatabase {
  public:
    explicit TemporaryDatabase(std::string server = postgres_server()) : server_(std::move(server)) {
        if (server_.empty()) return;
        static int count = 0;
        name_ = "t" + std::to_string(getpid()) + "_" + std::to_string(++count);
        const std::string problem = PostgresSession(server_).run("CREATE DATABASE " + name_);
        if (!problem.empty()) throw std::runtime_error(problem);
    }
    ~TemporaryDatabase() {
        if (!server_.empty()) PostgresSession(server_).run("DROP DATABASE " + name_ + " WITH (FORCE)");
    }
    TemporaryDatabase(const TemporaryDatabase&) = delete;
    TemporaryDatabase& operator=(const TemporaryDatabase&) = delete;

    bool there() const { return !server_.empty(); }
    std::string url() const {
        std::string url = server_;
        return url.replace(url.find("/postgres?"), 10, "/" + name_ + "?");
    }
    /// The same through a socket in another folder.
    std::string url_through(const std::string& folder) const {
        return url().substr(0, url().find("host=") + 5) + folder;
    }

  private:
    std::string server_, name_;
};

}  // namespace summand::testing_support
