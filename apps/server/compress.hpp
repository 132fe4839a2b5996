// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "message.hpp"

namespace summand::server {

/// Whether an Accept-Encoding allows gzip.
bool accepts_gzip(const Request& request);

/// Packs the body with gzip if the client accepts it and it pays; numbers as text shrink to a third.
void compress(const Request& request, Response& response);

}  // namespace summand::server
