// SPDX-License-Identifier: Apache-2.0
#include "summand/study/study.hpp"

#include <cerrno>
#include <climits>
#include <csignal>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace summand {

namespace {

/// Which machine, which boot of it and which process namespace: process numbers mean something only within one of them.
std::string place() {
    char host[HOST_NAME_MAX + 1] = {};
    gethostname(host, sizeof host - 1);
    std::string boot;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
    char space[64] = {};
    (void)!readlink("/proc/self/ns/pid", space, sizeof space - 1);
    return std::string(host) + "/" + boot.substr(0, 8) + "/" + space;
}

/// When the process started, in clock ticks since boot; empty if there is none of this number (or only its remains).
/// Field 22 of /proc/PID/stat, counted behind the name, which may contain spaces.
std::string start_of(const std::string& process) {
    std::ifstream file("/proc/" + process + "/stat");
    std::string line;
    if (!std::getline(file, line)) return "";
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string field;
    for (int i = 3; i <= 22; ++i) {
        fields >> field;
        if (i == 3 && field == "Z") return "";
    }
    return field;
}

}  // namespace

std::string this_worker() {
    const std::string process = std::to_string(getpid());
    return "run " + place() + " " + process + " " + start_of(process);
}

bool worker_is_dead(const std::string& worker) {
    std::istringstream words(worker);
    std::string kind, where, process, start;
    words >> kind >> where >> process >> start;
    return kind == "run" && where == place() && start_of(process) != start;
}

}  // namespace summand
