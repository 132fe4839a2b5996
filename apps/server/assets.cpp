// SPDX-License-Identifier: Apache-2.0
#include "assets.hpp"

#include "errors.hpp"
#include "summand/study/request.hpp"

#include <fstream>
#include <sstream>

namespace summand::server {

namespace fs = std::filesystem;

namespace {

std::string type_of(const fs::path& path) {
    static const std::map<std::string, std::string> types = {{".html", "text/html; charset=utf-8"},
                                                             {".js", "text/javascript; charset=utf-8"},
                                                             {".css", "text/css; charset=utf-8"},
                                                             {".json", "application/json"},
                                                             {".svg", "image/svg+xml"},
                                                             {".png", "image/png"},
                                                             {".ico", "image/x-icon"},
                                                             {".woff2", "font/woff2"},
                                                             {".txt", "text/plain; charset=utf-8"},
                                                             {".map", "application/json"}};
    const auto found = types.find(path.extension().string());
    return found == types.end() ? "application/octet-stream" : found->second;
}

const char* without_dashboard =
    "<!doctype html><meta charset=\"utf-8\"><title>Summand</title><h1>Summand</h1>"
    "<p>This server was built without its dashboard. The API is at <a href=\"/api/v1/\">/api/v1/</a>.</p>";

}  // namespace

Assets::Assets(const fs::path& folder) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        std::ostringstream bytes;
        bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
        File file{type_of(entry.path()), bytes.str(), {}};
        file.tag = "\"" + study::digest_of(file.bytes) + "\"";
        files_.emplace(entry.path().lexically_relative(folder).generic_string(), std::move(file));
    }
    if (files_.count("index.html") == 0)
        throw StorageError(folder.string() + " has no index.html: it is not the folder of the dashboard");
}

Response Assets::get(const Request& request, const Target& target) const {
    if (files_.empty()) {
        if (!target.path.empty()) throw HttpError(404, "there is nothing at this address; the API is at /api/v1/");
        return {.type = "text/html; charset=utf-8", .body = without_dashboard};
    }
    std::string path;
    for (const std::string& part : target.path) path += (path.empty() ? "" : "/") + part;
    const bool page = target.path.empty() || target.path.back().find('.') == std::string::npos;
    const auto found = files_.find(page ? "index.html" : path);
    if (found == files_.end()) throw HttpError(404, "there is nothing at this address");
    const File& file = found->second;
    Response response{.type = file.type, .body = file.bytes};
    response.headers = {{"ETag", file.tag}, {"Cache-Control", "no-cache"}};
    if (request.header("if-none-match") == file.tag) {
        response.status = 304;
        response.body.clear();
    }
    return response;
}

}  // namespace summand::server
