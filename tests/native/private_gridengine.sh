# Sourced by tests: a Grid Engine of one's own, with a qmaster and as many execution hosts as asked for.
# Each host has a network of its own, since all listen on one port. Needs root and Debian's packages
# gridengine-master, gridengine-exec and gridengine-client; a test is skipped without.

readonly SGE_PROGRAMS=/usr/lib/gridengine
. "$source/tests/system/private_network.sh"

# need_gridengine: ends the test where there is nothing to test with.
need_gridengine() {
  local program
  for program in /usr/sbin/sge_{qmaster,execd} "$SGE_PROGRAMS"/{spoolinit.bin,qsub,qconf} /usr/bin/{python3,unshare}; do
    [ -x "$program" ] || [ -x "${program%.bin}" ] ||
      skip "$program is missing: gridengine-master, gridengine-exec and gridengine-client are not installed"
  done
}

# start_host NUMBER: ge1, ge2 and so on.
start_host() {
  make_host "ge$1" "10.99.0.$1"
  qconf -ah "ge$1" || return
  at_host "ge$1" /usr/sbin/sge_execd
}

# restart_daemon HOST: its execd dies, and comes again; its jobs go on.
restart_daemon() {
  kill -KILL "$(cat "$lab/hosts/$1/execd.pid")"
  at_host "$1" /usr/sbin/sge_execd
}

# start_qmaster, kill_qmaster: also in the midst of the test. Daemons of hosts notice it after half a minute.
start_qmaster() { /usr/sbin/sge_qmaster >>"$lab/qmaster.out" 2>&1; }
kill_qmaster() { kill -KILL "$(cat "$lab/qmaster/qmaster.pid")"; }

# environment NAME RULE: a parallel environment.
environment() {
  sed "s/^pe_name.*/pe_name $1/; s/^allocation_rule.*/allocation_rule $2/" \
    /usr/share/gridengine/util/resources/pe/mpi >"$lab/new"
  qconf -Ap "$lab/new"
}

# queue NAME HOSTS SLOTS LIMIT: a queue that takes every parallel environment.
queue() {
  qconf -sq | sed "s/^qname .*/qname $1/; s/^hostlist .*/hostlist $2/; s/^slots .*/slots $3/; s/^h_rt .*/h_rt $4/
    s/^load_thresholds .*/load_thresholds NONE/; s/^pe_list .*/pe_list $(qconf -spl | tr '\n' ' ')/
    s/^rerun .*/rerun TRUE/; s,^shell .*,shell /bin/sh," >"$lab/new"
  qconf -Aq "$lab/new"
}

# gridengine_up HOSTS: the qmaster, hosts, and the gate that the head of etc/native/gridengine tells of.
gridengine_up() {
  local number common defaults=/usr/share/gridengine
  export SGE_ROOT=$lab/root SGE_CELL=test SGE_QMASTER_PORT=25200 SGE_EXECD_PORT=25201
  PATH=$SGE_PROGRAMS:$PATH
  common=$SGE_ROOT/$SGE_CELL/common
  mkdir -p "$common" "$lab"/{qmaster/job_scripts,database,hosts}
  ln -s /var/lib/gridengine/{bin,lib,util,utilbin} "$SGE_ROOT/"
  make_network gemaster 10.99.0.254 "$(for number in $(seq "$1"); do echo "10.99.0.$number ge$number"; done)"

  echo gemaster >"$common/act_qmaster"
  sed "s|/var/spool/gridengine/spooldb|$lab/database|; s|/var/spool/gridengine/qmaster|$lab/qmaster|
    s|sgeadmin|root|" $defaults/default-bootstrap >"$common/bootstrap"
  sed "s|/var/spool/gridengine/execd|$lab/hosts|; s/^\(min_.id\).*/\1 0/
    s/flush_time=00:00:15/accounting_flush_time=00:00:00 flush_time=00:00:01/
    s/^load_report_time.*/load_report_time 00:00:01/" $defaults/default-configuration >"$lab/new"
  (
    export LD_LIBRARY_PATH=$SGE_PROGRAMS
    "$SGE_PROGRAMS/spoolinit" berkeleydb libspoolb "$lab/database" init
    "$SGE_PROGRAMS/spooldefaults" configuration "$lab/new"
    "$SGE_PROGRAMS/spooldefaults" complexes $defaults/util/resources/centry
    "$SGE_PROGRAMS/spooldefaults" usersets $defaults/util/resources/usersets
    "$SGE_PROGRAMS/spooldefaults" managers root
  )
  start_qmaster
  within 20 qconf -sconf
  for number in $(seq "$1"); do start_host "$number"; done
  qconf -as gemaster
  qconf -ssconf | sed 's/^schedule_interval .*/schedule_interval 0:0:1/; s/^job_load_adjustments .*/job_load_adjustments NONE/
    s/^load_adjustment_decay_time .*/load_adjustment_decay_time 0:0:0/' >"$lab/new"
  qconf -Msconf "$lab/new"
  (qconf -sc && echo 'maui maui BOOL == FORCED NO FALSE 0') >"$lab/new"
  qconf -Mc "$lab/new"
  qconf -mattr exechost complex_values maui=TRUE global
}
