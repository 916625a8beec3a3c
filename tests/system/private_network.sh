# Sourced by tests that need root: networks, hosts, mounts and processes of their own. What a test leaves in $lab goes
# when it ends, and so does every process.

skip() {
  echo "SKIPPED: $*"
  exit 77
}

# in_private_network SCRIPT ARGUMENT...: runs the script again inside, and ends with its status; returns at once there.
in_private_network() {
  local status own=(unshare --mount --net --uts --pid --fork --kill-child --mount-proc)
  [ -z "${lab-}" ] || return 0
  [ "$(id -u)" -eq 0 ] || skip "only root can make networks of its own"
  "${own[@]}" ip link add test0 type veth peer name test1 2>/dev/null ||
    skip "no networks of their own can be made here (unshare, ip)"
  lab=$(mktemp -d)
  chmod 755 "$lab"
  export lab
  "${own[@]}" bash "$@"
  status=$?
  rm -rf "$lab"
  exit $status
}

# make_network NAME ADDRESS HOSTS: this host gets that name and address in a network 10.x.y.0/24; HOSTS are lines of
# /etc/hosts.
make_network() {
  hostname "$1"
  printf '127.0.0.1 localhost\n%s %s\n%s\n' "$2" "$1" "$3" >"$lab/hosts.txt"
  mount --bind "$lab/hosts.txt" /etc/hosts
  ip link set lo up
  ip link add bridge type bridge
  ip address add "$2/24" dev bridge
  ip link set bridge up
}

# make_host NAME ADDRESS [COMMANDS]: a host at the end of a cable, with mounts of its own, which the commands make;
# nothing runs there.
make_host() {
  ip link add "to-$1" type veth peer name "end-$1"
  ip link set "to-$1" master bridge up
  mkfifo "$lab/$1.up"
  unshare --mount --net --uts sh -c "hostname $1
    ${3-}
    echo >'$lab/$1.up' && exec sleep infinity" &
  echo $! >"$lab/$1.pid"
  disown
  read -r _ <"$lab/$1.up"
  ip link set "end-$1" netns "$(cat "$lab/$1.pid")"
  at_host "$1" ip link set lo up
  at_host "$1" ip address add "$2/24" dev "end-$1"
  at_host "$1" ip link set "end-$1" up
}

# at_host HOST COMMAND...: runs it there.
at_host() { nsenter --target "$(cat "$lab/$1.pid")" --net --uts --mount --wdns=/ "${@:2}"; }

# pull_cable HOST, plug_cable HOST: nothing else changes there.
pull_cable() { ip link set "to-$1" down; }
plug_cable() { ip link set "to-$1" up; }
