#!/bin/sh
# Puts the program of one file and all that it needs of this system into an empty folder, which is then
# the whole content of an image: install.sh PROGRAM FOLDER
set -eu
program=$1 folder=$2
mkdir -p "$folder/usr/bin" "$folder/etc" "$folder/tmp" "$folder/data"
install -m 755 "$program" "$folder/usr/bin/vesfx"
# Each library at the place where the program looks for it.
ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$folder$(dirname "$library")"
  cp -L "$library" "$folder$library"
done
echo 'vesfx:x:1000:1000:vesfx:/data:/usr/sbin/nologin' >"$folder/etc/passwd"
echo 'vesfx:x:1000:' >"$folder/etc/group"
# Names are looked up as on any machine: first in /etc/hosts.
echo 'hosts: files dns' >"$folder/etc/nsswitch.conf"
chmod 1777 "$folder/tmp"
chmod 700 "$folder/data"
if [ "$(id -u)" = 0 ]; then chown 1000:1000 "$folder/data"; fi
# What is in it, with sizes.
du -ak "$folder" | sort -rn | head -n 12 >&2
