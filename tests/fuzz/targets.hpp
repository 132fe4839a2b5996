// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace summand::fuzz {

/// What one input means to a part of the program. It returns if all went as promised, also when the input was refused with a
/// sentence; it throws, or crashes, if it did not.
using Target = void (*)(const std::uint8_t* data, std::size_t size);

void optimizer_loop(const std::uint8_t* data,
                    std::size_t size);  ///< ask, tell, add, abandon, replay with absurd values
void learned_structure(const std::uint8_t* data, std::size_t size);  ///< learn_structure on absurd points and values
void study_file(const std::uint8_t* data, std::size_t size);
void options_json(const std::uint8_t* data, std::size_t size);
void stored_json(const std::uint8_t* data, std::size_t size);  ///< space, settings and points as a database holds them
void data_table(const std::uint8_t* data, std::size_t size);   ///< CSV
void snapshot(const std::uint8_t* data, std::size_t size);
void database(const std::uint8_t* data, std::size_t size);  ///< a study's database with bytes changed

#ifdef SUMMAND_WITH_SERVER
void http_request(const std::uint8_t* data, std::size_t size);  ///< to `summand serve`
void http_reading(const std::uint8_t* data, std::size_t size);  ///< all that happens to it before a study is touched
#endif

struct NamedTarget {
    std::string name;
    Target run;
    bool computes = false;  ///< milliseconds for each input, not microseconds
};
const std::vector<NamedTarget>& targets();

}  // namespace summand::fuzz
