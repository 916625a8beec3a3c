# Sourced by tests: three hosts g1, g2 and g3, each with a boot of its own and a brick of a GlusterFS volume that g1 and
# g2 mount. Needs root, /dev/fuse and Debian's package glusterfs-server; a test is skipped without.
. "$source/tests/system/private_network.sh"

# need_gluster: ends the test where there is nothing to test with.
need_gluster() {
  local program
  for program in glusterd gluster mount.glusterfs ip socat unshare; do
    command -v "$program" >/dev/null || skip "$program is missing: glusterfs-server, iproute2 or socat is not installed"
  done
  [ -c /dev/fuse ] || skip "there is no /dev/fuse"
}

# Anything that is not of the host that is tried is asked of the third one.
volume() { at_host g3 gluster --mode=script volume "$@"; }

# make_gluster_host NUMBER: with a boot and places of its own; nothing runs there.
make_gluster_host() {
  local own=$lab/g$1
  mkdir -p "$own"/{lib,log,brick}
  cat /proc/sys/kernel/random/uuid >"$own/boot_id"
  make_host "g$1" "10.98.0.$1" "mount --bind '$own/boot_id' /proc/sys/kernel/random/boot_id
    mount -t tmpfs tmpfs /run && mkdir -p /run/gluster /run/lock /run/home
    mount --bind '$own/lib' /var/lib/glusterd
    mount --bind '$own/log' /var/log/glusterfs"
}

# kill_at HOST PATTERN: the processes there of which the command matches.
kill_at() {
  local network process
  network=$(readlink "/proc/$(cat "$lab/$1.pid")/ns/net")
  for process in $(pgrep -f "$2"); do
    [ "$(readlink "/proc/$process/ns/net")" != "$network" ] || kill -KILL "$process"
  done
}

mount_home() { at_host "$1" mount -t glusterfs -o attribute-timeout=0,entry-timeout=0,auto-invalidation=on "$1:/home" /run/home; }
# remount_home HOST: what had it mounted is gone.
remount_home() {
  at_host "$1" umount -l /run/home
  within 60 mount_home "$1"
}

all_connected() { [ "$(volume status home | grep -c '^Brick .* Y ')" -eq 3 ]; }
all_healed() {
  all_connected && [ "$(volume heal home info | grep -c '^Number of entries: 0$')" -eq 3 ]
}

# gluster_up: the hosts, and the volume with the options that docs/manual/two-heads.md names.
gluster_up() {
  local number
  make_network outside 10.98.0.254 "$(for number in 1 2 3; do echo "10.98.0.$number g$number"; done)"
  for number in 1 2 3; do make_gluster_host "$number"; done
  for number in 1 2 3; do at_host "g$number" glusterd; done
  within 60 at_host g1 gluster --mode=script peer probe g2
  within 60 at_host g1 gluster --mode=script peer probe g3
  peers_agree() { [ "$(for number in 1 2 3; do at_host "g$number" gluster pool list; done | grep -c Connected)" -eq 9 ]; }
  within 60 peers_agree
  within 60 volume create home replica 3 "g1:$lab/g1/brick/b" "g2:$lab/g2/brick/b" "g3:$lab/g3/brick/b" force
  while read -r option value; do
    volume set home "$option" "$value" || fail "no option $option $value"
  done < <(sed -n 's/^ *gluster volume set home //p' "$source/docs/manual/two-heads.md")
  within 60 volume start home
  for number in 1 2; do within 60 mount_home "g$number"; done
}
