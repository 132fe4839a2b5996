// SPDX-License-Identifier: Apache-2.0
// For LD_PRELOAD: the machine's clock is SUMMAND_CLOCK_SHIFT seconds ahead.
#include <cstdlib>
#include <ctime>

#include <sys/syscall.h>
#include <unistd.h>

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
    const long result = syscall(SYS_clock_gettime, clock, time);
    const char* shift = std::getenv("SUMMAND_CLOCK_SHIFT");
    if (clock == CLOCK_REALTIME && shift != nullptr) time->tv_sec += std::atol(shift);
    return static_cast<int>(result);
}
