// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/history.hpp"
#include "summand/storage/storage.hpp"
#include "summand/study/study.hpp"

#include <string>

// What a request with a key asks for, in words: the same key with other words is refused.
namespace summand::study {

storage::Request request_of(const AskRequest& request);
/// `verb`: "tell" or "correct"; "add" or "enqueue".
storage::Request request_of(const std::string& verb, const std::string& key, const storage::Answer& answer);
storage::Request request_of(const std::string& verb, const std::string& key,
                            const std::vector<storage::NewTrial>& trials);

/// 64 bits of a text as hexadecimal digits: texts that differ by mistake differ here. Stays the same between versions.
std::string digest_of(const std::string& text);

}  // namespace summand::study
