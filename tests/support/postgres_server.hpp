// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/temporary_folder.hpp"

#include <cstdlib>
#include <fstream>

namespace summand::testing_support {

inline constexpr const char* without_postgres =
    "no PostgreSQL server: apt-get install postgresql, or start one with tests/support/postgres_server.sh";

/// A server of the test's own, which may be crashed; it goes away with its owner.
class PostgresServer {
  public:
    /// settings: "fsync=on max_connections=200". Without PostgreSQL the url is empty.
    explicit PostgresServer(const std::string& settings) {
        control("start", settings);
        std::getline(std::ifstream(folder_ / "url"), url_);
    }
    ~PostgresServer() { control("stop"); }
    PostgresServer(const PostgresServer&) = delete;
    PostgresServer& operator=(const PostgresServer&) = delete;

    const std::string& url() const { return url_; }
    void crash() { control("crash"); }  ///< an immediate shutdown: what is not on disk is lost
    void recover() { control("recover"); }

    std::string new_database(const std::string& name) {
        control("database", name);
        std::string url = url_;
        return url.replace(url.find("/postgres?"), 10, "/" + name + "?");
    }

  private:
    void control(const std::string& command, const std::string& arguments = {}) {
        const std::string line = std::string(SUMMAND_POSTGRES_SERVER) + " " + command + " " + folder_.path().string() +
                                 " " + arguments + " >" + (folder_ / "control.log").string();
        if (std::system(line.c_str()) != 0) throw std::runtime_error("the test's PostgreSQL server: " + line);
    }
    TemporaryFolder folder_;
    std::string url_;
};

}  // namespace summand::testing_support
