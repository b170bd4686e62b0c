#!/bin/sh
# Installs a packed release into a folder: install.sh TARBALL package-lock.json FOLDER
# The lockfile pins what the dependencies depend on, which a tarball does not say.
set -eu
tarball=$1 lockfile=$2 folder=$3
mkdir -p "$folder"
# Every file of a tarball of npm is dated 1985, which answers would show as Last-Modified: -m dates them now.
tar -xzmf "$tarball" -C "$folder" --strip-components=1 --no-same-owner
cp "$lockfile" "$folder/package-lock.json"
cd "$folder"
# Without the development tools: --omit=dev would still install what a linked folder of them depends on.
node -e '
const { readFileSync, writeFileSync } = require("fs");
const edit = (file, change) => {
  const value = JSON.parse(readFileSync(file, "utf8"));
  change(value);
  writeFileSync(file, JSON.stringify(value, null, 2) + "\n");
};
edit("package.json", (manifest) => delete manifest.devDependencies);
edit("package-lock.json", ({ packages }) => {
  delete packages[""].devDependencies;
  for (const [name, { dev, link }] of Object.entries(packages)) {
    if (dev || link || !/^(node_modules\/|$)/.test(name)) delete packages[name];
  }
});
'
npm ci --omit=dev --ignore-scripts --no-audit --no-fund
