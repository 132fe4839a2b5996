#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build_site.sh: the documentation as a site in build/site, with the reference of the public C++ headers in build/site/api; a page of its
# menu that is missing is an error, and so is whatever Doxygen complains about.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

install_packages doxygen
tools=build/site-tools
if [ ! -x "$tools/bin/mkdocs" ]; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check 'mkdocs>=1.6,<2' 'mkdocs-material>=9.5,<10'
fi
NO_MKDOCS_2_WARNING=1 "$tools/bin/mkdocs" build --strict --quiet

# Made of what CMake installs.
headers=$(sed -n '/^set(SUMMAND_PUBLIC_HEADERS/,/)/ { /^set/d; s/)//; p }' cmake/SummandInstall.cmake)
{
    cat docs/Doxyfile
    printf 'PROJECT_NUMBER = %s\n' "$(sed -n 's/^project(summand VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
    printf 'INPUT ='
    printf ' src/summand/%s' $headers
    printf '\n'
} | doxygen -
say "build/site/index.html"
