#!/usr/bin/env bash
# Runs the demonstration from a packed tarball in an empty folder, with the Node on the path, and asks it once.
set -euo pipefail
tarball=$(realpath "$1")
work=$(mktemp -d)
demo_pid=''
clean() {
  if [ -n "$demo_pid" ]; then kill -- "-$demo_pid" 2>/dev/null && wait "$demo_pid" || true; fi
  rm -rf "$work"
}
trap clean EXIT
cd "$work"
cp "$tarball" .

set -m
touch demo.out
npx --yes "./$(basename "$tarball")" demo --port 0 >demo.out 2>demo.err &
demo_pid=$!
set +m
for _ in $(seq 300); do
  grep -q '^ *curl ' demo.out && break
  kill -0 "$demo_pid" 2>/dev/null || { cat demo.err; exit 1; }
  sleep 0.2
done
if grep -i 'warning' demo.err; then
  echo 'the demonstration prints warnings' >&2
  exit 1
fi
grep -m1 '^ *curl .*convert' demo.out | bash | grep -q '"market":"reference"'
echo "packed demonstration: answered on Node $(node --version)"
