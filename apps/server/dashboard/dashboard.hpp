// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

namespace summand::server {

/// A file of web/, held in the program so that one binary serves the dashboard on a machine without a network.
struct DashboardFile {
    std::string_view path;  ///< as in the address: "/", "/js/main.js"
    std::string_view type;  ///< Content-Type
    std::string_view etag;  ///< changes with the content; quoted, as the header wants it
    std::string_view plain;
    std::string_view gzip;  ///< the same, for clients that accept it
};

/// All files, sorted by path. "/" is the page; the rest is what it loads.
std::span<const DashboardFile> dashboard_files();

/// What the page needs and no more: scripts, styles and data from this server, no inline code, no frames.
inline constexpr std::string_view dashboard_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

}  // namespace summand::server
