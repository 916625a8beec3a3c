# The log (guide 14.2): each level adds lines of its own, and each facility writes.
. "$(dirname "$0")/live_support.sh"

# Lines that a level is the first to have.
kinds=(
  'scheduler started'
  'changeparam SIMEXITITERATION 60 by user'
  'parameter SIMEXITITERATION is changed to: 60'
  "job '1' started on 1 node"
  'iteration 3 begins: '
  "job '[0-9]*' rejected ("
  "job '1' has priority "
  'the clock is set to '
  "job '1' is on "
  'iteration 4: planning jobs'
)

# A small workload, run at one level; what ends it is a command.
simulate() {
  workload 12 >workload.swf
  configure "SIMSTOPITERATION 1" "RESERVATIONDEPTH 2" "$@"
  rm -rf log maui.log
  start
  expect 0 'parameters modified' changeparam SIMEXITITERATION 60
  expect 0 'JOBNAME' showq
  expect 0 'resume' schedctl -r
  ended 0
}

lines=0
for level in 0 1 2 3 4 5 6 7 8 9; do
  simulate "LOGLEVEL $level"
  for kind in "${!kinds[@]}"; do
    if [ "$kind" -le "$level" ]; then
      logged "${kinds[$kind]}"
    elif grep -q -- "${kinds[$kind]}" log/maui.log; then
      fail "level $level has '${kinds[$kind]}'"
    fi
  done
  more=$(wc -l <log/maui.log)
  [ "$more" -gt "$lines" ] || fail "level $level adds nothing: $lines lines, then $more"
  lines=$more
done

# facility NAME PATTERN: it alone is let in, and writes such a line.
facility() {
  grep -q -- "$2" log/maui.log || fail "$1 does not write '$2': $(head -50 log/maui.log)"
  local other
  for other in "${!said[@]}"; do
    [ "$other" = "$1" ] || ! grep -q -- "${said[$other]}" log/maui.log || fail "$1 lets in $other"
  done
}
declare -A said=(
  [fCORE]='iteration 4: planning jobs'
  [fSCHED]="job '1' has priority "
  [fSTRUCT]="job '1' is purged"
  [fRM]="job '1' of user "
  [fUI]='showq by user '
  [fSOCK]='client .* connected'
  [fCONFIG]='the configuration was read from'
  [fSTAT]="job '1' is recorded"
  [fFS]='the fairshare window that began '
  [fSIM]='the clock is set to '
)
for name in "${!said[@]}"; do
  simulate "LOGLEVEL 9" "LOGFACILITY $name" "FSPOLICY DEDICATEDPS" "FSINTERVAL 0:10:00"
  facility "$name" "${said[$name]}"
done

# Lines that only a live scheduler writes.
serve
name=$(wiki_rm submit --limit 60 'sleep 1')
configure_live "LOGLEVEL 9" "LOGFACILITY fWIKI:fCKPT:fBANK" "BANKTYPE FILE"
rm -rf log
start
within 20 recorded_once "$name"
expect 0 'shutdown' schedctl -k
ended 0
logged 'request: CMD=GETJOBS ARG=0:ALL'
logged 'answer to GETNODES: SC=0, '
logged 'answer to GETJOBS: '"$name"
logged 'request: CMD=STARTJOB ARG='"$name"
logged 'checkpoint written'
logged "asking the allocation manager to reserve .* for job '$name'"

# An allocation manager that cannot be reached: what it has to know stays in the checkpoint.
configure_live "RMPOLLINTERVAL 0:00:01" "BANKTYPE QBANK" "BANKSERVER localhost" "BANKPORT 1"
rm -rf log
start
name=$(wiki_rm submit --limit 60 'sleep 1')
within 20 recorded_once "$name"
sleep 3
expect 0 'shutdown' schedctl -k
ended 0
within 20 grep -q 'WARNING: *the allocation manager has not accepted 1 request: the next scheduler sends it again' log/maui.log
[ "$(grep -c 'the allocation manager failed' log/maui.log)" -eq 1 ] || fail "a failure is logged once: $(cat log/maui.log)"
grep -q '"charges":\[{' maui.ck || fail "no charge in the checkpoint"

# Jobs have a share of the log: further lines are counted.
configure_live "LOGLEVEL 4" "LOGFILEMAXSIZE 20000" "LOGFILEROLLDEPTH 1"
rm -rf log
start
for _ in {1..20}; do
  name=$(wiki_rm submit --limit 60 true)
done
within 60 recorded_once "$name"
expect 0 'shutdown' schedctl -k
ended 0
logged 'scheduler started'
logged "[0-9]* lines about jobs of user $(id -un) were not written"
[ ! -e log/maui.log.1 ] || fail "the log was rolled away"

verdict
