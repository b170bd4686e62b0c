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
npm ci --omit=dev --ignore-scripts --no-audit --no-fund
