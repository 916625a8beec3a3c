# Sourced by tests of live operation: the scheduler with wiki_rm, which runs real processes.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

rm_port=$(free_port $((port + 300)) 7) event_port=$(free_port $((port + 600)) 7)
export WIKI_RM_SOCKET=$MAUIHOMEDIR/rm.sock RAN=$MAUIHOMEDIR/ran
cd "$MAUIHOMEDIR" || exit 1

finish_live() {
  local all
  all=$(jobs -p)
  # shellcheck disable=SC2086  # a list of processes
  [ -n "$all" ] && kill -KILL $all 2>/dev/null
  finish
}
trap finish_live EXIT

# ask_rm REQUEST: asks wiki_rm by hand, where it was started without a key, and prints its answer.
ask_rm() {
  exec 3<>"/dev/tcp/127.0.0.1/$rm_port"
  printf '%08d\n%s' "${#1}" "$1" >&3
  cat <&3
  exec 3>&-
}

not_shown() { ! shown "$@"; }
lines_are() { [ "$(wc -l <"$1")" -eq "$2" ]; }

serve() {
  rm -f "$WIKI_RM_SOCKET"
  wiki_rm serve --port "$rm_port" --events "$event_port" --nodes 2 --procs 2 --key 12345 "$@" >rm.out &
  manager=$!
  within 20 test -S "$WIKI_RM_SOCKET"
}

configure_live() {
  configure
  cat >maui.cfg <<END
$(normal_mode)
LOGLEVEL         3
RMCFG[local]     TYPE=WIKI HOST=127.0.0.1 PORT=$rm_port TIMEOUT=2 EPORT=$event_port
RMPOLLINTERVAL   1
NODEACCESSPOLICY SHARED
DEFERTIME        0:00:02
END
  printf '%s\n' "$@" >>maui.cfg
  echo "CLIENTCFG[RM:local] KEY=12345" >maui-private.cfg
  chmod 600 maui-private.cfg
}

# begin: like start, but what the scheduler has printed and logged stays.
begin() {
  maui --foreground >>out 2>&1 &
  scheduler=$!
  within 20 showq
}

# crash: kills the scheduler, which writes nothing more.
crash() {
  kill -KILL "$scheduler"
  wait "$scheduler" 2>/dev/null
}

# write_notify: makes notify.sh, a NOTIFICATIONPROGRAM that adds what it is told to log/notified.
write_notify() {
  cat >notify.sh <<'END'
#!/bin/sh
echo "$*" >>"$MAUIHOMEDIR/log/notified"
END
  chmod 755 notify.sh
}

submit() { wiki_rm submit --limit "${limit:-600}" "$@" || fail "submit $*"; }
