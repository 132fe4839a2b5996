#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds the release preset and runs the main job.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/common.sh

install_packages
build release summand_cli
say "Running the study examples/robot-push: 14 parameters, an external simulator, batches of 5 (Ctrl-C stops it, the same command goes on)"
build/release/bin/summand run examples/robot-push/study.toml
say "Its report"
build/release/bin/summand report examples/robot-push/study.toml -o robot-push.html
