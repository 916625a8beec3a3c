# Sourced by tests: a Grid Engine of one's own, with a qmaster and as many execution hosts as asked for.
# Each host has a network of its own, since all listen on one port. Needs root and Debian's packages
# gridengine-master, gridengine-exec and gridengine-client; a test is skipped without.

readonly SGE_PROGRAMS=/usr/lib/gridengine

skip() {
  echo "SKIPPED: $*"
  exit 77
}

# in_private_network SCRIPT ARGUMENT...: runs the script again where networks, hosts, mounts and
# processes are its own, and ends with its status; returns at once where this was done. What the
# script leaves in $gridengine goes, and so does every process.
in_private_network() {
  local program status own=(unshare --mount --net --uts --pid --fork --kill-child --mount-proc)
  [ -z "${gridengine-}" ] || return 0
  [ "$(id -u)" -eq 0 ] || skip "only root can run a Grid Engine of its own"
  for program in /usr/sbin/sge_{qmaster,execd} "$SGE_PROGRAMS"/{spoolinit.bin,qsub,qconf} /usr/bin/{python3,unshare}; do
    [ -x "$program" ] || [ -x "${program%.bin}" ] ||
      skip "$program is missing: gridengine-master, gridengine-exec and gridengine-client are not installed"
  done
  "${own[@]}" ip link add test0 type veth peer name test1 2>/dev/null ||
    skip "no networks of their own can be made here (unshare, ip)"
  gridengine=$(mktemp -d)
  chmod 755 "$gridengine"
  export gridengine
  "${own[@]}" bash "$@"
  status=$?
  rm -rf "$gridengine"
  exit $status
}

# at_host HOST COMMAND...: runs it there.
at_host() {
  nsenter --target "$(cat "$gridengine/$1.pid")" --net --uts "${@:2}"
}

# start_host NUMBER: ge1, ge2 and so on, each behind a cable of its own to the qmaster's bridge.
start_host() {
  local name=ge$1
  ip link add "cable$1" type veth peer name "end$1"
  ip link set "cable$1" master bridge up
  mkfifo "$gridengine/$name.up"
  unshare --net --uts sh -c "hostname $name && echo >$gridengine/$name.up && exec sleep infinity" &
  echo $! >"$gridengine/$name.pid"
  disown
  read -r _ <"$gridengine/$name.up"
  ip link set "end$1" netns "$(cat "$gridengine/$name.pid")"
  at_host "$name" ip link set lo up
  at_host "$name" ip address add "10.99.0.$1/24" dev "end$1"
  at_host "$name" ip link set "end$1" up
  qconf -ah "$name" || return
  at_host "$name" /usr/sbin/sge_execd
}

# restart_daemon HOST: its execd dies, and comes again; its jobs go on.
restart_daemon() {
  kill -KILL "$(cat "$gridengine/hosts/$1/execd.pid")"
  at_host "$1" /usr/sbin/sge_execd
}

# start_qmaster, kill_qmaster: also in the midst of the test. Daemons of hosts notice it after half a minute.
start_qmaster() { /usr/sbin/sge_qmaster >>"$gridengine/qmaster.out" 2>&1; }
kill_qmaster() { kill -KILL "$(cat "$gridengine/qmaster/qmaster.pid")"; }

# environment NAME RULE: a parallel environment.
environment() {
  sed "s/^pe_name.*/pe_name $1/; s/^allocation_rule.*/allocation_rule $2/" \
    /usr/share/gridengine/util/resources/pe/mpi >"$gridengine/new"
  qconf -Ap "$gridengine/new"
}

# queue NAME HOSTS SLOTS LIMIT: a queue that takes every parallel environment.
queue() {
  qconf -sq | sed "s/^qname .*/qname $1/; s/^hostlist .*/hostlist $2/; s/^slots .*/slots $3/; s/^h_rt .*/h_rt $4/
    s/^load_thresholds .*/load_thresholds NONE/; s/^pe_list .*/pe_list $(qconf -spl | tr '\n' ' ')/
    s/^rerun .*/rerun TRUE/; s,^shell .*,shell /bin/sh," >"$gridengine/new"
  qconf -Aq "$gridengine/new"
}

# gridengine_up HOSTS: the qmaster, hosts, and the gate that the head of etc/native/gridengine tells of.
gridengine_up() {
  local number common defaults=/usr/share/gridengine
  export SGE_ROOT=$gridengine/root SGE_CELL=test SGE_QMASTER_PORT=25200 SGE_EXECD_PORT=25201
  PATH=$SGE_PROGRAMS:$PATH
  common=$SGE_ROOT/$SGE_CELL/common
  mkdir -p "$common" "$gridengine"/{qmaster/job_scripts,database,hosts}
  ln -s /var/lib/gridengine/{bin,lib,util,utilbin} "$SGE_ROOT/"
  hostname gemaster
  {
    printf '127.0.0.1 localhost\n10.99.0.254 gemaster\n'
    for number in $(seq "$1"); do echo "10.99.0.$number ge$number"; done
  } >"$gridengine/hosts.txt"
  mount --bind "$gridengine/hosts.txt" /etc/hosts
  ip link set lo up
  ip link add bridge type bridge
  ip address add 10.99.0.254/24 dev bridge
  ip link set bridge up

  echo gemaster >"$common/act_qmaster"
  sed "s|/var/spool/gridengine/spooldb|$gridengine/database|; s|/var/spool/gridengine/qmaster|$gridengine/qmaster|
    s|sgeadmin|root|" $defaults/default-bootstrap >"$common/bootstrap"
  sed "s|/var/spool/gridengine/execd|$gridengine/hosts|; s/^\(min_.id\).*/\1 0/
    s/flush_time=00:00:15/accounting_flush_time=00:00:00 flush_time=00:00:01/
    s/^load_report_time.*/load_report_time 00:00:01/" $defaults/default-configuration >"$gridengine/new"
  (
    export LD_LIBRARY_PATH=$SGE_PROGRAMS
    "$SGE_PROGRAMS/spoolinit" berkeleydb libspoolb "$gridengine/database" init
    "$SGE_PROGRAMS/spooldefaults" configuration "$gridengine/new"
    "$SGE_PROGRAMS/spooldefaults" complexes $defaults/util/resources/centry
    "$SGE_PROGRAMS/spooldefaults" usersets $defaults/util/resources/usersets
    "$SGE_PROGRAMS/spooldefaults" managers root
  )
  start_qmaster
  within 20 qconf -sconf
  for number in $(seq "$1"); do start_host "$number"; done
  qconf -as gemaster
  qconf -ssconf | sed 's/^schedule_interval .*/schedule_interval 0:0:1/; s/^job_load_adjustments .*/job_load_adjustments NONE/
    s/^load_adjustment_decay_time .*/load_adjustment_decay_time 0:0:0/' >"$gridengine/new"
  qconf -Msconf "$gridengine/new"
  (qconf -sc && echo 'maui maui BOOL == FORCED NO FALSE 0') >"$gridengine/new"
  qconf -Mc "$gridengine/new"
  qconf -mattr exechost complex_values maui=TRUE global
}
