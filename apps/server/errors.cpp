// SPDX-License-Identifier: Apache-2.0
#include "errors.hpp"

#include <nlohmann/json.hpp>

namespace summand::server {

using Json = nlohmann::ordered_json;

namespace {

const char* kind_of(int status) {
    switch (status) {
        case 400:
            return "invalid-argument";
        case 401:
            return "unauthorized";
        case 403:
            return "forbidden";
        case 404:
            return "not-found";
        case 405:
            return "method-not-allowed";
        case 408:
            return "too-slow";
        case 409:
            return "conflict";
        case 413:
            return "too-large";
        case 415:
            return "content-type";
        case 429:
            return "too-many-requests";
        case 431:
            return "headers-too-large";
        case 503:
            return "unavailable";
        default:
            return "failure";
    }
}

}  // namespace

Response error_response(int status, const std::string& sentence) {
    const Json json = {{"error", {{"kind", kind_of(status)}, {"message", sentence}}}};
    Response response;
    response.status = status;
    response.body = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
    if (status == 429 || status == 503) response.headers.emplace_back("Retry-After", "1");
    return response;
}

Response error_response(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const HttpError& error) {
        return error_response(error.status, error.what());
    } catch (const NotFound& error) {
        return error_response(404, error.what());
    } catch (const Conflict& error) {
        return error_response(409, error.what());
    } catch (const InvalidArgument& error) {
        return error_response(400, error.what());
    } catch (const StorageError& error) {
        return error_response(503, error.what());
    } catch (const Interrupted&) {
        return error_response(503, "the server is ending, or the study was deleted; nothing was changed");
    } catch (const std::exception& error) {
        return error_response(500, error.what());
    }
}

}  // namespace summand::server
