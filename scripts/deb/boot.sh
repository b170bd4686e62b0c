#!/usr/bin/env bash
# Boots a bare Debian with systemd as its first process, and does there what happens to a server: the package is
# installed, a source is read, processes are killed, the machine starts again, backups are made, secrets are credentials.
#   bash scripts/deb/boot.sh dist/vesfx_0.4.0_amd64.deb [FOLDER]
# Root only, with systemd-nspawn. FOLDER has a Debian with systemd, dbus, libatomic1 and procps; without it debootstrap makes
# one. The machine has no network but its own: its source is a demonstration that answers as dolarapi.
set -euo pipefail
package=$(realpath "$1")
work=$(mktemp -d)
root=${2:-$work/root}
machine='' leader=''
clean() {
  if [ -n "$machine" ]; then kill -KILL "$leader" "$machine" 2>/dev/null; wait "$machine" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap clean EXIT
if [ ! -d "$root/etc" ]; then
  debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,libatomic1,procps stable "$root" >"$work/log" || { tail "$work/log"; exit 1; }
fi
told() { echo "== $*"; }
failed() { echo "failed: $*" >&2; inside journalctl --no-pager -n 40 >&2 || true; exit 1; }

boot() {
  # Debian 13 wants the second version of control groups, whatever this machine has.
  SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 systemd-nspawn --boot --directory="$root" --private-network \
    --register=no --keep-unit --console=pipe </dev/null >"$work/console" 2>&1 &
  machine=$!
  until leader=$(pgrep -P "$machine" -x systemd) && inside systemctl is-system-running --wait >/dev/null 2>&1; do
    kill -0 "$machine" 2>/dev/null || { cat "$work/console"; exit 1; }
    sleep 1
    # A unit may have failed that has nothing to do with the package.
    if [ -n "$leader" ] && [ "$(inside systemctl is-system-running 2>/dev/null)" = degraded ]; then break; fi
  done
}
inside() {
  nsenter --target "$leader" --mount --uts --ipc --net --pid --cgroup --root --wdns=/ \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
# until_ok SECONDS COMMAND…
until_ok() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || failed "$*"
    sleep 1
  done
}
is() { [ "$(inside systemctl show --property "$1" --value "$2")" = "$3" ]; }
alive() { inside vesfx alive; }
backups() { find "$root/var/lib/vesfx-backups" -name 'vesfx-*.db' | wc -l; }
asked() { nsenter --target "$leader" --net curl -sf --max-time 10 "$@"; }
# Only the source can have given it.
has_rate() { inside vesfx convert 1 USD VES --via parallel; }

told install
boot
[ "$(inside cat /proc/1/comm)" = systemd ]
cp "$package" "$root/root/vesfx.deb"
inside apt-get install -y /root/vesfx.deb >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
inside systemctl is-enabled vesfx vesfx-backup.timer
until_ok 120 alive
inside systemctl status --no-pager -n 0 vesfx
is SubState vesfx-backup.timer waiting || failed 'no timer'

told 'a source is read'
inside systemd-run --quiet --unit=upstream env VESFX_COMPAT=dolarapi VESFX_COMPAT_OPEN=1 \
  /usr/lib/vesfx/vesfx demo --port 9000
until_ok 120 asked http://127.0.0.1:9000/v1/dolares
inside sh -c 'echo VESFX_ALLOW_LOOPBACK_SOURCES=1 >>/etc/vesfx.env; install -d -o vesfx -g vesfx /var/lib/vesfx/catalog'
cat >"$root/var/lib/vesfx/catalog/sources.json" <<'END'
[
  {
    "name": "dolarapi", "kind": "json-feed", "enabled": true, "url": "http://127.0.0.1:9000/v1/dolares",
    "origin": "yadio", "schedule": [{ "cron": "* * * * *" }],
    "quotes": [{
      "market": "parallel", "where": { "moneda": "USD", "fuente": "paralelo" }, "mid": "promedio",
      "updated_at": { "path": "fechaActualizacion", "format": "iso" }, "between": [1, 1000000]
    }]
  }
]
END
# The first quote of a market is held without an official rate beside it.
printf 'date,usd\n%s,700\n' "$(date -d 'last friday' +%F)" | inside vesfx import - --as official >/dev/null
inside systemctl restart vesfx
until_ok 180 has_rate
inside vesfx source list
has_rate

told 'a killed service starts again, and keeps what it had'
inside vesfx account create --name Tienda --plan Gratis >/dev/null
inside systemctl kill --kill-whom=main --signal=KILL vesfx
until_ok 120 is NRestarts vesfx 1
until_ok 120 alive
inside vesfx account list | grep Tienda >/dev/null

told 'a backup that was missed while the machine was off is made when it starts'
inside systemctl start vesfx-backup.service
[ "$(backups)" = 1 ] || failed 'no backup'
touch -d '3 hours ago' "$root/var/lib/systemd/timers/stamp-vesfx-backup.timer"
inside systemctl poweroff
wait "$machine" || true
touch -d '3 hours ago' "$root/var/lib/systemd/timers/stamp-vesfx-backup.timer"
boot
until_ok 120 alive
until_ok 120 has_rate
inside vesfx account list | grep Tienda >/dev/null
two() { [ "$(backups)" = 2 ]; }
until_ok 120 two
is Result vesfx-backup.service success || failed 'the backup failed'

told 'secrets are credentials'
inside sh -c 'umask 077; mkdir /etc/vesfx /etc/systemd/system/vesfx.service.d; echo 0123456789abcdef-token >/etc/vesfx/admin-token
  cat >/etc/systemd/system/vesfx.service.d/override.conf' <<'END'
[Service]
LoadCredential=admin-token:/etc/vesfx/admin-token
Environment=VESFX_ADMIN_TOKEN_FILE=%d/admin-token
END
inside systemctl daemon-reload
inside systemctl restart vesfx
until_ok 120 alive
asked -H 'Authorization: Bearer 0123456789abcdef-token' http://127.0.0.1:8080/metrics | grep '^vesfx_' >/dev/null
inside vesfx account list | grep Tienda >/dev/null
inside systemctl reload vesfx
alive

told 'removal stops the service, a new installation goes on, purge leaves nothing'
inside apt-get remove -y vesfx >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
is ActiveState vesfx inactive || failed 'still running'
[ -e "$root/var/lib/vesfx/vesfx.db" ]
inside apt-get install -y /root/vesfx.deb >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
until_ok 120 alive
inside vesfx account list | grep Tienda >/dev/null
inside apt-get purge -y vesfx >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
[ ! -e "$root/var/lib/vesfx" ] && [ ! -e "$root/var/lib/vesfx-backups" ] && [ ! -e "$root/etc/vesfx.env" ]
inside systemctl poweroff
wait "$machine" || true
machine='' leader=''
told done
