// SPDX-License-Identifier: Apache-2.0
#include "pages.hpp"

#include "compress.hpp"
#include "dashboard.hpp"
#include "errors.hpp"

#include <algorithm>

namespace summand::server {

Response page_response(const Request& request, const Target& target) {
    std::string path;
    for (const std::string& part : target.path) path += "/" + part;
    if (target.path.empty() || target.path.back().find('.') == std::string::npos) path = "/";
    const auto files = dashboard_files();
    const auto file = std::find_if(files.begin(), files.end(), [&](const auto& one) { return one.path == path; });
    if (file == files.end()) throw HttpError(404, "there is nothing at this address; the API is at /api/v1/");
    Response response;
    response.type = file->type;
    response.headers = {{"ETag", std::string(file->etag)}, {"Cache-Control", "no-cache"}, {"Vary", "Accept-Encoding"}};
    if (request.header("if-none-match") == file->etag) {
        response.status = 304;
    } else if (accepts_gzip(request)) {
        response.headers.emplace_back("Content-Encoding", "gzip");
        response.body = file->gzip;
    } else {
        response.body = file->plain;
    }
    return response;
}

}  // namespace summand::server
