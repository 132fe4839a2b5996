// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "message.hpp"

namespace summand::server {

/// A file of the dashboard, from memory: no request reaches a file on disk. Addresses of the page's own (no dot in the last
/// part) are the page. Throws HttpError 404.
Response page_response(const Request& request, const Target& target);

}  // namespace summand::server
