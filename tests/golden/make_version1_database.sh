#!/bin/sh
# Made version1.db and version1.json: a study as the last program with schema 1 (commit 46488bf) left it.
# Usage: make_version1_database.sh path/to/that/summand, in an empty folder.
set -eu
cat > version1.toml <<'END'
name = "version1"
goal = "minimize"
command = ["sh", "-c", "echo {x} {solver}; test {n} != 9 && echo $(( {n} * 3 ))"]
[budget]
trials = 8
[run]
workers = 1
retries = 1
[optimizer]
batch_size = 2
initial_points = 4
seed = 5
[parameters]
x = { type = "real", low = 0.0, high = 1.0 }
n = { type = "integer", low = 1, high = 9 }
solver = { type = "choice", values = ["sgd", "adam"] }
END
"$1" ask version1.toml --count 3 --key first
"$1" tell version1.toml 1 0.5
"$1" tell version1.toml 2 --failed "exit status 3"
"$1" tell version1.toml 1 0.75                 # late: kept beside the first
"$1" abandon version1.toml 3
printf 'x,n,solver,value\n0.25,4,adam,0.125\n' > data.csv
"$1" add version1.toml data.csv --key csv
"$1" ask version1.toml --count 2 --lease 1s
"$1" tell version1.toml 5 2.5 --key five
sleep 1
"$1" run version1.toml --quiet                 # trial 6 was lost: it is issued again
sed -i 's/trials = 8/trials = 10/' version1.toml
"$1" ask version1.toml --count 1               # and is still running
"$1" export version1.db --format json -o version1.json
