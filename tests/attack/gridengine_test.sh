# A hundred jobs of all shapes in front of a real Grid Engine, while its qmaster and the scheduler are killed:
# each runs once, where it was sent, and is recorded once. Minutes long: Grid Engine sends a job that was on its
# way when the qmaster died to its nodes again after five minutes.
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/native/private_gridengine.sh"
need_gridengine
in_private_network "$0" "$@"
. "$source/tests/native/gridengine_site.sh"

qconf -mattr queue slots 8 batch >/dev/null
long=$(submit -- sleep 600)
within 60 is "$long" Running
for i in $(seq 18); do
  for shape in '' '-pe smp 3' '-pe pair 2'; do
    # shellcheck disable=SC2086  # several words
    submit $shape -N "n$i" -- true >/dev/null
  done
  submit -pe mpi 2 -N "n$i" -- true >>spread
done
submit -t 1-20 -tc 3 -- true >/dev/null
submit -t 1-15:2 -pe mpi 2 -- true >>spread
some_ran() { [ "$(wc -l <"$RAN")" -gt 1 ]; }
within 60 some_ran
kill_qmaster
within 60 shown 'GET[A-Z]*:' diagnose -R
expect 0 'State: Running' checkjob "$long"
within 60 start_qmaster
# The daemons of the nodes report to it within half a minute; jobs on their way to them are not lost.
all_are_up() { [ "$(tools/ge nodes | grep -c 'STATE="\(Idle\|Running\|Busy\)"')" -eq 3 ]; }
within 90 all_are_up
crash
begin
all_ran() { [ "$(wc -l <"$RAN")" -ge 101 ]; }
# A job that was on its way when the qmaster died is sent to its nodes again after five minutes.
within 480 all_ran
expect 0 '' canceljob "$long"
all_recorded() { [ "$(cat stats/stats.* | grep -c '^[0-9]')" -eq 101 ]; }
within 60 all_recorded

# Each ran once, and where it was sent.
twice=$(cut -d' ' -f1 "$RAN" | sort | uniq -d)
[ -z "$twice" ] || fail "these ran twice: $twice"
sort -u starts | while read -r name hosts; do
  echo "$name $(tr , '\n' <<<"$hosts" | sort | paste -sd,)"
done | sort -u >sent
sort -u "$RAN" | comm -23 - sent >elsewhere
# $round_robin spreads a job over those of its nodes that have reported to the qmaster again: fewer, perhaps.
while read -r name hosts; do
  grep -qx "${name%.*}" spread && grep -qE "^$name (.*,)?${hosts%%,*}(,|\$)" starts ||
    fail "this ran elsewhere: $name $hosts, and was sent to $(grep "^$name " starts)"
done <elsewhere
twice=$(cat stats/stats.* | awk '/^[0-9]/ { print $1 }' | sort | uniq -d)
[ -z "$twice" ] || fail "these are recorded twice: $twice"
verdict
