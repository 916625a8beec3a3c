# Sourced by tests: three hosts g1, g2 and g3 with a network, a name, a boot and mounts of their own, each with a brick
# of a GlusterFS volume that g1 and g2 mount. Needs root, /dev/fuse and Debian's package glusterfs-server; a test is
# skipped without.

skip() {
  echo "SKIPPED: $*"
  exit 77
}

# in_private_network SCRIPT ARGUMENT...: runs the script again where networks, hosts, mounts and processes are its own,
# and ends with its status; returns at once where this was done. What the script leaves in $lab goes, and so does every
# process.
in_private_network() {
  local program status own=(unshare --mount --net --uts --pid --fork --kill-child --mount-proc)
  [ -z "${lab-}" ] || return 0
  [ "$(id -u)" -eq 0 ] || skip "only root can run a GlusterFS of its own"
  for program in glusterd gluster mount.glusterfs ip socat unshare; do
    command -v "$program" >/dev/null || skip "$program is missing: glusterfs-server, iproute2 or socat is not installed"
  done
  [ -c /dev/fuse ] || skip "there is no /dev/fuse"
  "${own[@]}" ip link add test0 type veth peer name test1 2>/dev/null ||
    skip "no networks of their own can be made here (unshare, ip)"
  lab=$(mktemp -d)
  export lab
  "${own[@]}" bash "$@"
  status=$?
  rm -rf "$lab"
  exit $status
}

# at_host HOST COMMAND...: runs it there.
at_host() { nsenter --target "$(cat "$lab/$1.pid")" --net --uts --mount --wdns=/ "${@:2}"; }
# What is not of the host that is tried is asked of the third one.
volume() { at_host g3 gluster --mode=script volume "$@"; }

# make_host NUMBER: its network, name, boot and places; nothing runs there.
make_host() {
  local name=g$1
  mkdir -p "$lab/$name"/{lib,log,brick}
  ip link add "cable$1" type veth peer name "end$1"
  ip link set "cable$1" master bridge up
  cat /proc/sys/kernel/random/uuid >"$lab/$name/boot_id"
  mkfifo "$lab/$name.up"
  unshare --mount --net --uts sh -c "hostname $name
    mount --bind '$lab/$name/boot_id' /proc/sys/kernel/random/boot_id
    mount -t tmpfs tmpfs /run && mkdir -p /run/gluster /run/lock /run/home
    mount --bind '$lab/$name/lib' /var/lib/glusterd
    mount --bind '$lab/$name/log' /var/log/glusterfs
    echo >'$lab/$name.up' && exec sleep infinity" &
  echo $! >"$lab/$name.pid"
  disown
  read -r _ <"$lab/$name.up"
  ip link set "end$1" netns "$(cat "$lab/$name.pid")"
  at_host "$name" ip link set lo up
  at_host "$name" ip address add "10.98.0.$1/24" dev "end$1"
  at_host "$name" ip link set "end$1" up
}

# pull_cable HOST, plug_cable HOST: nothing else changes there.
pull_cable() { ip link set "cable${1#g}" down; }
plug_cable() { ip link set "cable${1#g}" up; }

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
  hostname outside
  {
    printf '127.0.0.1 localhost\n10.98.0.254 outside\n'
    for number in 1 2 3; do echo "10.98.0.$number g$number"; done
  } >"$lab/hosts"
  mount --bind "$lab/hosts" /etc/hosts
  ip link set lo up
  ip link add bridge type bridge
  ip address add 10.98.0.254/24 dev bridge
  ip link set bridge up
  for number in 1 2 3; do make_host "$number"; done
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
