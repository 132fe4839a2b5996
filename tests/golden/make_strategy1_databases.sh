#!/bin/sh
# Made strategy1.db and strategy1-set.db: studies as the last program with version 1 of the default strategy (commit e212828) left
# them, one as it comes and one with options of it set. Usage: make_strategy1_databases.sh path/to/that/summand, in an empty folder.
set -eu
for name in strategy1 strategy1-set; do
    cat > $name.toml <<END
name = "$name"
goal = "minimize"
command = ["sh", "-c", "echo \$(( {n} * {m} ))"]
[budget]
trials = 14
[optimizer]
batch_size = 2
initial_points = 6
seed = 5
$(if [ $name = strategy1-set ]; then echo "idle_share = 0.2"; echo "explore_share = 0.3"; fi)
[parameters]
n = { type = "integer", low = -9, high = 9 }
m = { type = "integer", low = 1, high = 9 }
END
    "$1" run $name.toml --quiet --workers 1
    sed -i 's/trials = 14/trials = 20/' $name.toml
    "$1" ask $name.toml --count 1 --key last
done
