# The common part of learned_logs and unkind_logs; sourced by both, which have made the directory $work.
# shellcheck shell=bash disable=SC2154

# filtered LOG: jobs that ran and fit, one size and one limit each, and nothing that orders them.
filtered() {
  local reader=cat procs
  [[ $1 == *.gz ]] && reader="zcat"
  procs=$($reader "$1" | awk -F: '/^; *MaxProcs:/ && !procs { procs = $2 + 0 } END { print procs }')
  $reader "$1" | awk -v procs="$procs" -v most="${MAUI_LOG_JOBS:-30000}" -v limits_times="${limits_times:-1}" '
    BEGIN { print "; MaxProcs: " procs; print "; UnixStartTime: 0" }
    /^;/ || NF < 18 { next }
    {
      size = $8 > 0 ? $8 : $5
      if ($4 <= 0 || $2 < 0 || size <= 0 || size > procs || $5 > procs || jobs == most) next
      if ($9 <= 0) $9 = $4
      if ($4 > $9) $4 = $9
      $9 *= limits_times
      $5 = $8 = size
      $17 = $18 = -1
      ++jobs
      print
    }'
}

# losers LOG NAME MODE: who waits longer than with NONE.
losers() {
  grep -v '^;' "$1" | paste -d' ' "$work/starts.NONE" "$work/starts.$3" - | awk -v name="$2, $3" '
    function slowdown(wait, run,  s) {
      s = (wait + run) / (run > 10 ? run : 10)
      return s > 1 ? s : 1
    }
    NR == 1 { first = $4 }
    {
      submit = $4 - first; user = $14; ++jobs[user]; ++all
      before[user] += slowdown($1 - submit, $6); after[user] += slowdown($2 - submit, $6)
      by = ($2 - $1) / 3600
      if (by > 1) ++later
      if (by < -1) ++sooner
      if (by > most) { most = by; job = $3; whose = user }
    }
    END {
      for (user in jobs) if (jobs[user] >= 10) {
        ++users
        if (after[user] > 1.25 * before[user]) { ++worse; if (after[user] / jobs[user] > worst) { worst = after[user] / jobs[user]; worst_user = user } }
      }
      printf "| %s | %.1f %% | %.1f %% | %.1f (job %d of user %s) | %d of %d | %s |\n", name,
        100 * sooner / all, 100 * later / all, most, job, whose, worse, users,
        worse ? sprintf("%.1f (user %s)", worst, worst_user) : "-"
    }' >>"$work/losers"
}


# Prints what losers has gathered.
print_losers() {
  echo
  echo "| against NONE | start an hour sooner | an hour later | most, h | users of ten jobs and more whose slowdown grows by a quarter | the greatest of these |"
  echo "|--|--|--|--|--|--|"
  cat "$work/losers"
}
