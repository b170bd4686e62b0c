#!/usr/bin/env bash
# Does what the README tells a stranger, in a new folder and with an empty package cache: install,
# test, start the demonstration, ask it once. With --tested the tests are left out, for who has just
# run them on the same checkout.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
demo_pid=''
clean() {
  # npm and its shell end without the service that they started: the whole group is told.
  if [ -n "$demo_pid" ]; then kill -- "-$demo_pid" 2>/dev/null && wait "$demo_pid" || true; fi
  rm -rf "$work"
}
trap clean EXIT

git clone --quiet "$source_dir" "$work/vesfx"
cd "$work/vesfx"
export npm_config_cache="$work/npm-cache"
npm ci
if [ "${1:-}" != --tested ]; then npm test; npm run test:slow; fi

set -m
npm run --silent demo -- --port 0 >"$work/demo.out" 2>"$work/demo.err" &
demo_pid=$!
set +m
for _ in $(seq 100); do
  grep -q '^ *curl ' "$work/demo.out" && break
  kill -0 "$demo_pid" 2>/dev/null || { cat "$work/demo.err"; exit 1; }
  sleep 0.2
done
# The first line that the demonstration offers for pasting must work as printed.
grep -m1 '^ *curl ' "$work/demo.out" | bash | grep -q '"market":"reference"'
echo 'fresh clone: installed and demonstrated'
