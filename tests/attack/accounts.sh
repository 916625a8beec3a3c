# The accounts of a scheduler for the jobs that ran, in four places that must agree.  Sourced in its home directory.

# accounts_cfg: what maui.cfg says for the four to count the same.
accounts_cfg() {
  echo 'JOBAGGREGATIONTIME 0
NODEACCESSPOLICY SHARED
FSPOLICY         DEDICATEDPS
BANKTYPE         FILE'
}

# told_alike [COMMAND]: the sums in processor seconds of records, charges (each told once or twice, and then in the same words),
# fairshare and statistics are equal; $told says what they are.  COMMAND asks the scheduler.
records() { cat stats/stats.* | awk '$0 !~ /^#/ && NF > 20 { sum += $22 * ($12 - $11) } END { print sum + 0 }'; }
charges() { sed -n 's/^DEBIT.* JOB=\([^ ]*\) .* START=\([0-9]*\) .*AMOUNT=\([0-9]*\)$/\1 \2 \3/p' stats/allocations | sort -u | awk '{ sum += $3 } END { print sum + 0 }'; }
# A draft that was not finished when its writer was killed may lie beside a window.
fairshare() { find stats -name 'FS.*' ! -name '*.new' -exec cat {} + | awk '/^TOTAL/ { sum += $2 } END { printf "%d\n", sum }'; }
statistics() { "$@" showstats --format=json | tr ',{' '\n\n' | awk -F: '/"dedicated_proc_hours"/ { printf "%.0f\n", $2 * 3600; exit }'; }
agree() {
  [ "$(charges)" -eq "$1" ] && [ "$(fairshare)" -eq "$1" ] && [ "$(statistics "${@:2}")" -eq "$1" ]
}
told_alike() {
  local sum
  sum=$(records)
  within 30 agree "$sum" "$@"
  told="records $sum, charges $(charges) fairshare $(fairshare) statistics $(statistics "$@")"
  agree "$sum" "$@" || fail "processor seconds: $told"
}
