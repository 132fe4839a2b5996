#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build_site.sh: the documentation as a site in build/site; a page of its menu that is missing is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

tools=build/site-tools
if [ ! -x "$tools/bin/mkdocs" ]; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check 'mkdocs>=1.6,<2' 'mkdocs-material>=9.5,<10'
fi
NO_MKDOCS_2_WARNING=1 "$tools/bin/mkdocs" build --strict --quiet
say "build/site/index.html"
