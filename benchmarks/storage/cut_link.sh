#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cut_link.sh [SUMMAND] [SECONDS]: three "machines" in network and process namespaces of their own work on one study in a
# PostgreSQL server in a fourth; the link between one of them and the server is cut for a minute. Needs root and iproute2.
set -euo pipefail
cd "$(dirname "$0")/../.."
summand=$(realpath "${1:-build/release/bin/summand}") cut=${2:-60} server=$PWD/tests/support/postgres_server.sh
folder=$(mktemp -d) prefix=summand-$$
at() { ip netns exec "$prefix-$1" "${@:2}"; }
tidy() {
    jobs -p | xargs -r kill 2>/dev/null || true
    at server "$server" stop "$folder" || true
    for name in server 1 2 3; do ip netns del "$prefix-$name" 2>/dev/null || true; done
    rm -rf "$folder"
}
trap tidy EXIT

for name in server 1 2 3; do ip netns add "$prefix-$name"; done
at server ip link add bridge type bridge
at server ip addr add 10.99.0.1/24 dev bridge
at server ip link set bridge up
for i in 1 2 3; do
    at server ip link add "to$i" type veth peer name eth0 netns "$prefix-$i"
    at server ip link set "to$i" master bridge up
    at "$i" ip addr add "10.99.0.1$i/24" dev eth0
    at "$i" ip link set eth0 up
done
at server "$server" start "$folder" fsync=on listen_addresses=10.99.0.1 >/dev/null
echo "host all all 10.99.0.0/24 trust" >>"$(cat "$folder/server")/data/pg_hba.conf"
local=$(cat "$folder/url")
psql -q "$local" -c "SELECT pg_reload_conf()" >/dev/null

cat >"$folder/study.toml" <<TOML
name = "shared"
goal = "minimize"
budget = 400
command = ["sh", "-c", "sleep 1; echo {x}"]
database = "postgresql://summand@10.99.0.1/postgres"
[run]
workers = 2
asynchronous = true
[optimizer]
initial_points = 1000
[parameters]
x = { type = "real", low = 0.0, high = 1.0 }
TOML
done_by_now() { psql -qtA "$local" -c "SELECT count(*) FROM summand.trial WHERE state = 'completed'"; }
for i in 1 2 3; do
    at "$i" unshare --pid --fork --mount-proc "$summand" run "$folder/study.toml" --quiet >"$folder/run$i" 2>&1 &
done
sleep 15
before=$(done_by_now)
at server ip link set to1 down
sleep "$cut"
during=$(done_by_now)
at server ip link set to1 up
echo "before the cut: $before trials; during the $cut s of it machines 2 and 3 completed $((during - before)) more"
wait
echo "what machine 1 said:"; sed 's/^/  /' "$folder/run1"
psql -qtA "$local" <<'SQL'
SELECT 'trials: ' || count(*) || ', completed: ' || count(*) FILTER (WHERE state = 'completed') || ', issued twice: ' || count(*) FILTER (WHERE attempt > 1) FROM summand.trial;
SELECT 'told: ' || count(*) || ', trials told twice: ' || count(*) - count(DISTINCT trial) FROM summand.event WHERE kind = 'told';
SELECT 'late answers kept beside: ' || count(*) FROM summand.late_answer;
SQL
