# Sourced by testdrive: the walk of guide 16.1, every command of it, in its order.  Where the guide
# names a job or a node of its own trace, the walk takes one of the same kind from the output.
steps=0
failures=0

# A reader at a terminal goes on when he has read; anybody else gets all at once.
at_terminal() { [ -t 0 ] && [ -t 1 ]; }

# pause WHAT: waits for a key; q ends the walk, c shows the rest without waiting.
pause() {
  local key
  [ -z "${hurry-}" ] || return 0
  printf -- '-- %s: Enter; c: the rest at once; q: end --' "$1"
  IFS= read -rsn1 key || key=q
  printf '\r\e[K'
  filled=0
  case $key in
    c) hurry=yes ;;
    q) echo "Ended after $steps commands."; exit 0 ;;
  esac
}

# by_screens: what comes in at 3, a screen at a time; `filled` lines of the screen are taken.
filled=0
by_screens() {
  local line rows=$(($(tput lines 2>/dev/null || echo 24) - 1)) columns taken
  columns=$(tput cols 2>/dev/null || echo 80)
  while IFS= read -r line <&3; do
    taken=$((${#line} > columns ? (${#line} + columns - 1) / columns : 1))
    if [ $((filled + taken)) -gt "$rows" ]; then pause more; fi
    filled=$((filled + taken))
    printf '%s\n' "$line"
  done
}

# step COMMAND SENTENCE: a command, what to look at, its output.
step() {
  local status head output width=100
  steps=$((steps + 1))
  if at_terminal; then width=$(tput cols 2>/dev/null || echo 80); fi
  head=$(printf '> %s\n' "$1"; printf '# %s\n\n' "$2" | fold -s -w "$width" | sed '2,$s/^\([^#]\)/# \1/')
  printf '\n%s\n\n' "$head"
  if at_terminal; then
    output=$(eval "$1" 2>&1)
    status=$?
    filled=$((filled + $(wc -l <<<"$head") + 2))
    by_screens 3<<<"$output"
  else
    eval "$1"
    status=$?
  fi
  if [ "$status" -ne 0 ]; then
    failures=$((failures + 1))
    echo "FAILED: '$1' exits $status"
  fi
  if at_terminal; then pause next; fi
}

# remark SENTENCE: what comes next.
remark() {
  printf '\n%s\n' "--- $*"
  filled=$((filled + 3))
}

first_to_end() { showq -r | awk '$2 == "R" { sub(/[*+]$/, "", $1); print $1; exit }'; }

# waiting_job N: the Nth of the waiting jobs, those of fewest processors first.
waiting_job() {
  showq -i | awk '$1 ~ /\.[0-9]+\.[0-9]+[*+]?$/ { sub(/[*+]$/, "", $1); print $7, $1 }' |
    sort -s -n | sed -n "$1{s/.* //;p}"
}

waiting_reservation() { showres | awk '$2 == "Job" && $3 == "I" { print $1; exit }'; }

# A node that is idle or, where all are at work, one that a waiting job has reserved.
spare_node() {
  local node
  node=$(diagnose -n | awk '$2 == "Idle" { print $1; exit }')
  [ -n "$node" ] || node=$(showres -n "$1" | awk '$2 == "Job" { print $1; exit }')
  echo "$node"
}

# thursday HOUR: the next Thursday in simulated time, as setres reads it.
thursday() {
  local now
  now=$(showstats -v | sed -n 's/^current scheduler time:.*(\([0-9]*\)).*/\1/p')
  now=$((now + 86400))
  while [ "$(date -u -d "@$now" +%u)" -ne 4 ]; do now=$((now + 86400)); done
  date -u -d "@$now" "+$1:00:00_%m/%d/%Y"
}

walk_first_minutes() {
  remark "The scheduler has read 195 nodes and the first 100 jobs, has started what fits, and waits."
  step "showq" "Three groups: jobs that run, jobs that could run if there were room, and jobs \
that something else holds back.  100 jobs came in at the start."
  step "showq -r" "The running jobs, the one that ends next first; see its column Remaining."
  step "showstats" "'Current Active/Total Procs' is how full the machine is now."
  step "showconfig | grep RMPOLLINTERVAL" "The length of one iteration: simulated time moves by this much \
at each step."
  local job
  job=$(first_to_end)
  step "schedctl -S" "One iteration more, then the scheduler stops again."
  step "showstats -v" "'statistics for iteration' and 'current scheduler time' show that a step \
was made."
  step "showq -r" "Every job is one minute nearer to its limit; those that were done are gone and \
others are in their place."
  showq -r | grep -q -F "$job" || job=$(first_to_end)
  step "checkjob $job" "One job in full: what it asked for, its limit, and the nodes that it has."
  step "schedctl -S" "The next minute."
  step "showq -r" "Has a job ended?  Most end well before their limit, since users ask for more \
time than they need."
  step "schedctl -S" "And one more."
  step "showq -r" "What an ended job leaves free is given to waiting jobs in the same iteration."
  step "showstats" "Averages fill in with the jobs that are complete: time waited, expansion \
factor, how good the users' estimates were."
}

walk_first_hour() {
  step "schedctl -S 2I" "Two steps; with the I nobody is answered before both are made."
  step "showq -r" "Compare the start times: which jobs are new?"
  step "showq -i" "The waiting jobs, highest priority first; an asterisk marks those that have a \
reservation."
  step "changeparam LOGLEVEL 0" "A parameter of the running scheduler; maui.cfg stays as it is."
  step "schedctl -s 60I" "-s names the iteration to stop at, -S counts from here."
  step "showstats -v" "An hour has been simulated: how many jobs are complete, and are all nodes \
in use?"
}

walk_idle_nodes() {
  remark "If nodes are idle while jobs wait, there is a reason, and the scheduler tells it."
  step "showq -i" "Who waits?  Small jobs are those that could still fit somewhere."
  local job node reservation
  job=$(waiting_job 1)
  step "checkjob $job" "A small job that waits: the last lines say why, and on how many nodes \
for which reason."
  step "diagnose -n | grep -e Idle -e Name" "The idle nodes, with what they have: is it less than \
the job wants?"
  step 'diagnose -j | grep Idle | grep " 1 "' "Waiting jobs that are small or hold a reservation, \
with the memory that they need."
  job=$(waiting_job 2)
  step "checkjob $job" "Another one.  'ReserveTime' counts nodes that are free, but not for as \
long as the job may take: somebody has them reserved."
  reservation=$(waiting_reservation)
  node=$(spare_node "$reservation")
  step "checknode $node" "Such a node: its reservations, and when they begin."
  step "showres" "All reservations.  Each running job has one (R), and so has the waiting job of \
highest priority (I): no job that is started out of turn may delay it."
  step "showres -n $reservation" "The nodes that are kept for that waiting job, and from when on."
}

walk_policies() {
  step "schedctl -s 100I" "On to iteration 100."
  step "showstats -v" "'Dedicated/Total ProcHours' is the utilisation so far."
  step "showstats -u" "Is it fair?  Each user's share of the time delivered, and how long his \
jobs waited."
  remark "The machine is to be serviced on Thursday from 2 to 10 in the afternoon."
  local from until
  from=$(thursday 14) until=$(thursday 22)
  step "setres -n maintenance -s $from -e $until ALL | sed -n 1,8p" "A reservation of all nodes that \
nobody may use: jobs that would run into it are not started.  These are the first of its nodes."
  step "showres" "It is the last line; 'Start' says how far away it is."
  step "schedctl -k" "The end: the scheduler writes its statistics and stops."
}

walk() {
  walk_first_minutes
  walk_first_hour
  walk_idle_nodes
  walk_policies
}
