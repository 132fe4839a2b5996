// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "listener.hpp"
#include "study_argument.hpp"
#include "summand/base/error.hpp"
#include "summand/storage/open_storage.hpp"
#include "token_argument.hpp"

#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>
#include <mutex>

// summand serve STUDY: the studies of its database over HTTP.
namespace summand::cli {

namespace {

struct ServeArguments {
    StudyArgument study = {};
    server::ListenerOptions listener = {.port = 8642};
    std::string token_file = {};
    std::string read_token_file = {};
    std::vector<std::string> hosts = {};
};

bool is_loopback(const std::string& address) {
    return address.starts_with("127.") || address == "::1";
}

void check(const ServeArguments& given, const server::AccessOptions& access) {
    if (given.listener.certificate.empty() != given.listener.key.empty())
        throw InvalidArgument("serve: --tls-certificate and --tls-key belong together");
    if (!is_loopback(given.listener.address) && access.token.empty())
        throw InvalidArgument(
            "serve: on " + given.listener.address +
            " everybody in the network could change your studies; give a token with --token-file or in "
            "SUMMAND_TOKEN, or listen on 127.0.0.1");
    if (access.token.empty() && !access.read_token.empty())
        throw InvalidArgument("serve: there is a token for reading and none for writing; give both");
}

/// Every connection has the same trouble: once is enough.
Trouble once_in_a_while() {
    struct Said {
        std::mutex mutex = {};
        std::string sentence = {};
    };
    return [said = std::make_shared<Said>()](const std::string& sentence) {
        const std::lock_guard guard(said->mutex);
        if (std::exchange(said->sentence, sentence) != sentence) std::cerr << "summand: " << sentence << std::endl;
    };
}

void serve(const ServeArguments& given) {
    refuse_password(given.study.path);
    server::ApiOptions options;
    options.access.token = token_from(given.token_file, "SUMMAND_TOKEN");
    options.access.read_token = token_from(given.read_token_file, "SUMMAND_READ_TOKEN");
    options.access.hosts = given.hosts;
    options.access.check_host = is_loopback(given.listener.address) || !given.hosts.empty();
    check(given, options.access);
    options.database = given.study.database();
    // The study of a file is there from the beginning, for workers and in the dashboard, as after its first ask.
    if (!storage::is_database(given.study.path)) given.study.open();
    options.trouble = once_in_a_while();
    // Before any thread starts, so that all leave these signals to sigwait.
    std::signal(SIGPIPE, SIG_IGN);
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, number);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);

    server::Api api(options);
    server::Listener listener(api, given.listener);
    std::cout << "Serving " << storage::shown_address(options.database) << " at " << listener.url()
              << "/ (the API: /api/v1/). Ctrl-C ends it." << std::endl;
    if (!is_loopback(given.listener.address) && given.listener.certificate.empty())
        std::cerr << "summand: without --tls-certificate anybody in between can read the token\n";
    int number = 0;
    sigwait(&signals, &number);
    listener.stop();
    std::cout.clear();  // whoever read its first line may have gone since
}

}  // namespace

void add_serve(CLI::App& app) {
    CLI::App* command =
        add_command(app, "serve", "Make the studies of a database available over HTTP: API and dashboard",
                    "summand serve study.toml");
    auto given = std::make_shared<ServeArguments>();
    command
        ->add_option(
            "STUDY", given->study.path,
            "The study file (study.toml; its study is made if it is new) or the database (study.db, postgresql://...; "
            "made if it is a new file)")
        ->required();
    command
        ->add_option("--address", given->listener.address, "Where to listen; another than this machine needs a token")
        ->capture_default_str();
    command->add_option("--port", given->listener.port, "0: any that is free")
        ->check(CLI::Range(0, 65535))
        ->capture_default_str();
    command
        ->add_option("--token-file", given->token_file,
                     "A file with the token that callers must have (or SUMMAND_TOKEN)")
        ->type_name("FILE");
    command
        ->add_option("--read-token-file", given->read_token_file,
                     "A file with a token that allows reading only (or SUMMAND_READ_TOKEN)")
        ->type_name("FILE");
    command->add_option("--tls-certificate", given->listener.certificate, "The certificate chain, PEM")
        ->type_name("FILE");
    command->add_option("--tls-key", given->listener.key, "Its private key, PEM")->type_name("FILE");
    command->add_option("--allow-host", given->hosts, "A further name that callers may use for this machine")
        ->allow_extra_args(false)
        ->type_name("NAME");
    command->callback([given] { serve(*given); });
}

}  // namespace summand::cli
