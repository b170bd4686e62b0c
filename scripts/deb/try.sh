#!/usr/bin/env bash
# Installs the package as a new user would, in a bare Debian: installation, upgrade, removal, purge.
#   bash scripts/deb/try.sh dist/vesfx_0.4.0_amd64.deb [FOLDER]
# Root only. FOLDER has a Debian already; without it debootstrap makes one, with systemd when SYSTEMD=1.
set -euo pipefail
package=$(realpath "$1")
work=$(mktemp -d)
root=${2:-$work/root}
clean() {
  umount -R "$root/proc" "$root/dev" 2>/dev/null || true
  rm -rf "$work"
}
trap clean EXIT
if [ ! -d "$root/etc" ]; then
  debootstrap --variant=minbase ${SYSTEMD:+--include=systemd} stable "$root" >"$work/log" || { tail "$work/log"; exit 1; }
fi
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
told() { echo "== $*"; }

# The next version is the same one with another number.
cp "$package" "$root/tmp/vesfx_1.deb"
dpkg-deb -R "$package" "$work/next"
sed -i 's/^Version: .*/&+next/' "$work/next/DEBIAN/control"
dpkg-deb --root-owner-group -Znone -b "$work/next" "$root/tmp/vesfx_2.deb" >/dev/null

told lintian
# Debian has a package for each of these; without it the rest is tried.
if command -v lintian >/dev/null; then lintian --allow-root --fail-on error "$package"; fi

told install
inside apt-get update -qq
inside apt-get install -y -qq /tmp/vesfx_1.deb >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
inside vesfx --version
[ "$(inside stat -c '%U %a' /var/lib/vesfx)" = 'vesfx 700' ]
[ "$(inside stat -c '%G %a' /etc/vesfx.env)" = 'vesfx 640' ]
if [ -x "$root/usr/bin/systemd-analyze" ]; then
  told units
  inside sh -c 'systemd-analyze verify /usr/lib/systemd/system/vesfx*'
  [ -L "$root/etc/systemd/system/multi-user.target.wants/vesfx.service" ]
  [ -L "$root/etc/systemd/system/timers.target.wants/vesfx-backup.timer" ]
  # Only who has PostgreSQL enables the dumps.
  [ ! -e "$root/etc/systemd/system/timers.target.wants/vesfx-dump.timer" ]
  inside systemctl enable vesfx-dump.timer 2>/dev/null
fi

told 'root and others run commands'
inside vesfx account create --name Tienda --plan Gratis >/dev/null
inside vesfx backup --verify /var/lib/vesfx/backups/by-hand.db >/dev/null
[ "$(inside stat -c %U /var/lib/vesfx/vesfx.db)" = vesfx ]
inside setpriv --reuid=nobody --regid=nogroup --clear-groups vesfx --version >/dev/null
inside bash -c 'source /usr/share/bash-completion/completions/vesfx; COMP_WORDS=(vesfx key cr); COMP_CWORD=2; _vesfx; [ "${COMPREPLY[*]}" = create ]'

told 'upgrade, with a backup first'
inside sh -c 'printf "%s\n" VESFX_CONTACT=ops@example.org VESFX_DATABASE_URL=sqlite:/var/lib/vesfx >>/etc/vesfx.env'
inside apt-get install -y -qq /tmp/vesfx_2.deb >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
ls "$root"/var/lib/vesfx-backups/upgrade-*.db
inside vesfx account list | grep -q Tienda
grep -q ops@example.org "$root/etc/vesfx.env"

told 'an upgrade without a backup is none'
mv "$root/var/lib/vesfx-backups" "$root/var/lib/kept"
touch "$root/var/lib/vesfx-backups"
before=$(inside sha256sum /var/lib/vesfx/vesfx.db)
if inside apt-get install -y -qq --allow-downgrades --reinstall /tmp/vesfx_2.deb >"$work/log" 2>&1; then exit 1; fi
grep 'nothing is upgraded' "$work/log"
rm "$root/var/lib/vesfx-backups" && mv "$root/var/lib/kept" "$root/var/lib/vesfx-backups"
[ "$(inside sha256sum /var/lib/vesfx/vesfx.db)" = "$before" ]
inside vesfx account list | grep -q Tienda

told 'removal keeps the data, purge takes them'
inside apt-get remove -y -qq vesfx >/dev/null 2>&1
[ -e "$root/var/lib/vesfx/vesfx.db" ] && [ -e "$root/etc/vesfx.env" ] && [ ! -e "$root/usr/bin/vesfx" ]
mkdir "$root/var/lib/vesfx-dumps"
inside apt-get purge -y -qq vesfx >/dev/null 2>&1
left=$(find "$root/var/lib" "$root/etc" "$root/usr" -xdev -name '*vesfx*')
[ -z "$left" ] || { echo "left: $left" >&2; exit 1; }
if inside getent passwd vesfx; then exit 1; fi
told done
