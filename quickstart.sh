#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds the release preset and runs the main job.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/common.sh

install_packages
build release summand_cli examples
say "Optimising a function of 20 parameters in batches of 10; its structure is not given"
build/release/bin/summand_example_additive20
