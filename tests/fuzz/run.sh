#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/fuzz/run.sh SECONDS [TARGET...]: builds the libFuzzer programs (clang, sanitizers) and runs each target for so long.
# What they find lies in build/fuzz/found; the inputs they grew from the corpus in build/fuzz/corpus.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/common.sh

seconds=${1:?give the seconds for each target, for example: tests/fuzz/run.sh 60}
shift
install_packages clang libclang-rt-14-dev
build fuzz fuzz_programs
mkdir -p build/fuzz/found
for target in "${@:-optimizer_loop learned_structure study_file options_json stored_json data_table snapshot database http_request http_reading}"; do
    for name in $target; do
        say "Fuzzing $name for $seconds seconds"
        mkdir -p "build/fuzz/corpus/$name"
        TMPDIR=/dev/shm "build/fuzz/bin/fuzz_$name" "build/fuzz/corpus/$name" "tests/fuzz/corpus/$name" \
            -max_total_time="$seconds" -artifact_prefix=build/fuzz/found/ -print_final_stats=1 -verbosity=0
    done
done
