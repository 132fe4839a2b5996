#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/server/schemathesis.sh SUMMAND [EXAMPLES]: makes up requests from openapi.yaml, so many for each address (default 20), and compares the answers
# with it. Installs schemathesis into build/schemathesis the first time; a minute or two, so by hand.
set -euo pipefail
cd "$(dirname "$0")/../.."
summand=$(realpath "${1:?give the program, for example build/release/bin/summand}")
examples=${2:-20}
[ -x build/schemathesis/bin/st ] || { python3 -m venv build/schemathesis && build/schemathesis/bin/pip install -q "schemathesis>=4,<5"; }
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; rm -rf "$folder"' EXIT
(cd "$folder" && exec "$summand" serve studies.db --port 0 >out) &
server=$!
for _ in $(seq 100); do url=$(grep -o 'http://[0-9.:]*' "$folder/out" | head -1) && break; sleep 0.1; done
# The addresses of the examples exist: a study "push" with trials.
curl -sS -o /dev/null -H 'Content-Type: application/json' "$url/api/v1/studies" -d '{"name": "push", "goal": "maximize", "budget": 1000000,
  "optimizer": {"initial_points": 1000000}, "parameters": {"x": {"low": -5.0, "high": 5.0}, "solver": {"values": ["sgd", "adam"]}}}'
curl -sS -o /dev/null -H 'Content-Type: application/json' "$url/api/v1/studies/push/ask" -d '{"count": 50}'
cat >"$folder/hooks.py" <<'END'
import schemathesis

@schemathesis.serializer("application/toml")
def toml(context, value):
    return str(value).encode(errors="replace")
END
export SCHEMATHESIS_HOOKS=hooks PYTHONPATH=$folder
# Event streams do not end; deleting the study would leave nothing to ask for. That a mistake is refused is checked, that every request within
# the schema is accepted is not: a schema cannot say which trials there are, or what a study's parameters allow.
build/schemathesis/bin/st run apps/server/openapi.yaml --url "$url/api/v1" --max-examples "$examples" --seed 1 --workers 1 --request-timeout 60 \
    --phases examples,coverage,fuzzing --exclude-path-regex 'events$' --exclude-operation-id delete_study \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance
