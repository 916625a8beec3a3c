# The same input gives the same output, byte for byte, wherever and whenever it runs.
. "$(dirname "$0")/support.sh"
traces=$(cd "$(dirname "$0")/../../traces" && pwd)
work=$MAUIHOMEDIR

# run NAME ZONE: a part of the recorded month in a home directory of its own.
run() {
  MAUIHOMEDIR=$work/$1
  mkdir "$MAUIHOMEDIR"
  configure "SIMRESOURCETRACEFILE $traces/Resource.Trace1" \
    "SIMWORKLOADTRACEFILE $traces/Workload.Trace1" \
    "SIMJOBSSUBMISSIONPOLICY CONSTANTJOBDEPTH" "SIMINITIALQUEUEDEPTH 50" \
    "SIMMRRANDOMDELAY 30" "RMPOLLINTERVAL 00:05:00" "SIMSTOPITERATION 1"
  TZ=$2 start
  schedctl -s 150I >/dev/null || fail "schedctl"
  local command
  for command in showq "showq -i" "showq -r" "showstats -v" "showres" "diagnose -p"; do
    # shellcheck disable=SC2086  # a command and its flags
    { $command || fail "$command"; } >>"$MAUIHOMEDIR/answers"
  done
  showq --format=json >>"$MAUIHOMEDIR/answers" || fail "showq --format=json"
  schedctl -k >/dev/null || fail "schedctl -k"
  ended 0
}

run first UTC
run second Asia/Tokyo
MAUIHOMEDIR=$work

[ "$(grep -c '^fr' "$work/first/stats/stats.sim")" -gt 50 ] || fail "too few jobs have ended"
grep -q 'Jobs' "$work/first/answers" || fail "the commands do not answer"
for file in stats/stats.sim answers; do
  cmp "$work/first/$file" "$work/second/$file" || fail "$file differs between two runs"
done
exit "$failures"
