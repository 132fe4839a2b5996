#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh [BUILD]: answers per second from many processes at once: SQLite, PostgreSQL, and Optuna on the same PostgreSQL server
# (fsync on), one after the other in one run. Needs Debian's postgresql; Optuna comes from PyPI into BUILD/optuna.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build/release} folder=$(mktemp -d)
server=tests/support/postgres_server.sh
trap '$server stop "$folder"; rm -rf "$folder"' EXIT
[ -x "$build/optuna/bin/python" ] || { python3 -m venv "$build/optuna" && "$build/optuna/bin/pip" install -q optuna==5.0.0 psycopg2-binary; }
url=$($server start "$folder" fsync=on max_connections=250)
for processes in ${PROCESSES:-10 100}; do
    database=s$processes
    $server database "$folder" "$database"
    $server database "$folder" "o$database"
    echo "PostgreSQL  $("$build/bin/summand_tells" "${url/\/postgres?//$database?}" $processes 20)"
    echo "SQLite      $("$build/bin/summand_tells" "$folder/$database.db" $processes 5)"
    echo "Optuna      $("$build/optuna/bin/python" benchmarks/storage/optuna_tells.py "$(sed "s#^postgresql:#postgresql+psycopg2:#; s#/postgres?#/o$database?#" <<<"$url")" $processes 4)"
done
