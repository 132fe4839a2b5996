#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds the release preset and runs two studies: one that shows what is special here in a few
# seconds, and a real simulator.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/common.sh

install_packages
build release summand_cli
summand=build/release/bin/summand

say "A function of 20 parameters that is a sum of small parts. Which parameters belong together? Nobody tells; summand finds out"
"$summand" run examples/additive/study.toml
"$summand" report examples/additive/study.toml -o build/additive.html
echo "The truth: $("$summand" problem show additive-20 --seed 1 | grep '^groups')"

say "Two robot hands learn to push two objects to their goals: 14 parameters, a simulator as an external program, batches of 5"
"$summand" run examples/robot-push/study.toml
"$summand" report examples/robot-push/study.toml -o build/robot-push.html

say "Open in a browser: build/additive.html (section Structure: the groups that were found) and build/robot-push.html"
echo "Alive, in a browser: $summand serve examples/additive/study.toml, then open the address it prints"
echo "The studies are examples/additive/study.toml and examples/robot-push/study.toml. Run me again and they go on where they ended.
Your own: $summand init, edit study.toml, $summand run study.toml"
