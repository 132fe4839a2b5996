#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# postgres_server.sh start|stop|crash|recover FOLDER [SETTING=VALUE ...], database FOLDER NAME: a PostgreSQL server of our own for tests.
#
# It listens on a socket in a private folder under /tmp, so servers never meet; listen_addresses=127.0.0.1 port=N adds a port.
# FOLDER/url is its address, FOLDER/server the private folder. `crash` is an immediate shutdown, as if the power had failed;
# `recover` starts it again; `database` makes a database. Without fsync=on it does not wait for the disk: right for tests, wrong for a crash of the machine.
# Needs Debian's package postgresql; without it `start` says so, makes no address, and tests that need it are skipped.
set -euo pipefail
command=${1:?start, stop, crash, recover or database} folder=$(realpath -m "${2:?a folder}")
shift 2
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
if [ -z "$bin" ]; then
    echo "PostgreSQL is not installed (Debian: apt-get install postgresql): tests that need it are skipped"
    exit 0
fi

# A server refuses to be root; the package has made a user for it.
as_owner() { if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi; }
control() { as_owner "$bin/pg_ctl" -D "$server/data" -s -w -t 300 "$@"; }

stop() {
    [ -e "$folder/server" ] || return 0
    server=$(cat "$folder/server")
    control -m immediate stop 2>/dev/null || true
    rm -rf "$server" "$folder/url" "$folder/server"
}

case $command in
start)
    stop
    mkdir -p "$folder"
    server=$(mktemp -d /tmp/summand-postgres-XXXXXX)
    [ "$(id -u)" = 0 ] && chown postgres "$server"
    as_owner "$bin/initdb" -D "$server/data" -U summand -A trust -E UTF8 --locale=C --no-sync >"$folder/initdb.log" 2>&1 ||
        { cat "$folder/initdb.log" >&2; exit 1; }
    options="-c unix_socket_directories='$server' -c listen_addresses= -c fsync=off"
    for setting in "$@"; do options="$options -c $setting"; done
    echo "$options" >"$folder/options"
    echo "$server" >"$folder/server"
    control -l "$server/log" -o "$options" start
    echo "postgresql://summand@/postgres?host=$server" >"$folder/url"
    cat "$folder/url" ;;
stop) stop ;;
crash) server=$(cat "$folder/server"); control -m immediate stop ;;
recover) server=$(cat "$folder/server"); control -l "$server/log" -o "$(cat "$folder/options")" start ;;
database) "$bin/psql" -q "$(cat "$folder/url")" -c "CREATE DATABASE $1" ;;
*) echo "postgres_server.sh: \"$command\" is not start, stop, crash, recover or database" >&2; exit 2 ;;
esac
