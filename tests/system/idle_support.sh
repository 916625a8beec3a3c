# Sourced by tests: whether a process sleeps while it has nothing to do.

# Nanoseconds of processor time of all threads, and how often they went to sleep.
used_by() { cat /proc/"$1"/task/*/schedstat | awk '{ sum += $1 } END { printf "%.0f\n", sum }'; }
sleeps_of() { awk '/^voluntary_ctxt/ { sum += $2 } END { printf "%.0f\n", sum }' /proc/"$1"/task/*/status; }

# sleeps WAKE-UPS PER-MILLE PROCESS: over three seconds it uses no more than so many thousandths of a processor,
# and wakes no more than so often a second.
sleeps() {
  local seconds=3 used sleeps
  used=$(used_by "$3") sleeps=$(sleeps_of "$3")
  sleep $seconds
  used=$((($(used_by "$3") - used) / 1000)) sleeps=$(($(sleeps_of "$3") - sleeps))
  found="$used microseconds and $sleeps wake-ups in $seconds seconds"
  [ "$used" -le $((seconds * 1000 * $2)) ] && [ "$sleeps" -le $((seconds * $1)) ]
}

# is_idle WHAT PROCESS [WAKE-UPS [PER-MILLE]]: it sleeps, once what it was asked for last is done.
is_idle() {
  local tries found=
  [ "$(used_by "$2")" -gt 0 ] || fail "the processor time of $1 cannot be told"
  for ((tries = 0; tries < 6; ++tries)); do
    sleeps "${3-1}" "${4-1}" "$2" && return
  done
  fail "$1 is never idle: $found"
}
