#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds the release preset and runs all tests, ending in CTest's summary.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/common.sh

install_packages postgresql
build release
say "Running the tests"
ctest --preset release --parallel "$(nproc)" "$@"
