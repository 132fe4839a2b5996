#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds the release preset and runs the main job.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/common.sh

install_packages
build release summand_cli
study=examples/robot-push/study.toml
summand=build/release/bin/summand
say "Two robot hands learn to push two objects to their goals: 14 parameters, a simulator as an external program, batches of 5"
"$summand" run "$study"
"$summand" best "$study"
"$summand" structure show "$study"
"$summand" report "$study" -o build/robot-push.html
say "Report: build/robot-push.html (open it in a browser). The study: $study. Run me again and it goes on where it ended."
