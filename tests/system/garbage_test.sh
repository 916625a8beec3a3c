# A resource manager that is silent, slow, half-answers or answers rubbish costs its own deadline:
# clients are served, the other resource manager's jobs run, its own nodes stay known.
. "$(dirname "$0")/live_support.sh"

bad_port=$(free_port $((port + 900)) 7)
export TOLD=$MAUIHOMEDIR/told
configure
cat >maui.cfg <<END
$(normal_mode)
LOGLEVEL         3
RMCFG[good]      TYPE=WIKI HOST=127.0.0.1 PORT=$rm_port AUTHTYPE=NONE TIMEOUT=5
RMCFG[bad]       TYPE=WIKI HOST=127.0.0.1 PORT=$bad_port AUTHTYPE=NONE TIMEOUT=1
RMPOLLINTERVAL   1
NODEACCESSPOLICY SHARED
NOTIFICATIONPROGRAM $MAUIHOMEDIR/notify
END
printf '#!/bin/sh\necho "$@" >>%s\n' "$TOLD" >notify
chmod 755 notify
: >ran
: >told

# state NAME WORD: what diagnose -R says of that resource manager.
state() {
  diagnose -R | awk -v name="RM[$1]" '/^RM\[/ { on = index($0, name) == 1 } on && !/^WARNING/' | grep -q "$2"
}
told_times() { [ "$(grep -c RMFAILURE "$TOLD")" -eq "$1" ]; }

wiki_rm serve --port "$rm_port" --nodes 2 --procs 2 >rm.out &
echo fine >mode
bad_rm "$bad_port" "$MAUIHOMEDIR/mode" &
within 20 test -S "$WIKI_RM_SOCKET"
start --foreground
within 20 state good Active
within 20 state bad Active
within 10 shown bad1 checknode bad1

outages=0
for mode in closing silent slow half rubbish flood; do
  echo "$mode" >mode
  outages=$((outages + 1))
  within 20 state bad Down || fail "mode $mode"
  state good Active || fail "$mode: the good one is taken for down, too"
  job=$(wiki_rm submit --limit 60 "echo $mode >>$RAN")
  within 20 grep -q "$mode" ran || fail "$mode: the other resource manager's job does not run"
  within 20 recorded_once "$job"
  expect 0 'PROCS: 2' checknode bad1
  expect 0 'State:  *Busy' checknode bad1  # it takes no new jobs
  within 20 state bad 'Next Try'
  within 10 told_times "$outages" || fail "$mode: RMFAILURE was told $(grep -c RMFAILURE told) times"
  echo fine >mode
  within 40 state bad Active
done

# Failures are not asked after again and again: 1, 2, 4 seconds later and so on.
echo rubbish >mode
within 20 state bad Down
within 20 state bad 'Next Try:.*:0[4-8]'
kill -TERM "$scheduler"
ended 0
verdict
