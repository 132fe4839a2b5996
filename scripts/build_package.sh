#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build_package.sh: a Debian package and an archive of the release build into dist/, unpacked once to see that all is in it.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

install_packages dpkg-dev file
build release summand_cli summand_task summand_all summand_engine
mkdir -p dist
(cd build/release && cpack -B "$PWD/package" >/dev/null)
cp build/release/package/*.deb build/release/package/*.tar.gz dist/
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dpkg-deb -x dist/summand_*.deb "$work"
for file in bin/summand bin/summand-task share/man/man1/summand.1 share/bash-completion/completions/summand include/summand/summand.hpp; do
    [ -e "$work/usr/$file" ] || fail "the package lacks usr/$file"
done
"$work/usr/bin/summand" --version
dpkg-deb -f dist/summand_*.deb Package Version Architecture Depends
