# The test drive, with the programs under test.
. "$(dirname "$0")/support.sh"
source=$(cd "$(dirname "$0")/../.." && pwd)
home=$MAUIHOMEDIR/drive
walk=$MAUIHOMEDIR/walk.txt

"$source/testdrive" --programs "$bin" --home "$home" >"$walk" 2>&1 ||
  fail "the test drive exits $?: $(tail -n 30 "$walk")"

# answer N: the output of the Nth command of the walk.
answer() { awk -v wanted="$1" '/^> / { n++ } n == wanted' "$walk"; }
says() { answer "$1" | grep -q -e "$2" || fail "step $1 does not say '$2': $(answer "$1")"; }

says 1 '> showq$'
says 1 '100.00%'
says 1 'Idle Jobs: *9[0-9]'
says 4 '^RMPOLLINTERVAL  *00:01:00'
says 6 'statistics for iteration  *2 '
says 14 'at iteration 6$'
says 19 'statistics for iteration  *60 '
says 19 'Current Active/Total Nodes: .*/195 '
says 21 '^job cannot run in partition'
says 21 '^Rejection Reasons: \['
says 22 '^Name  *State'
says 25 '^checking node '
says 26 ' Job I '
says 27 ' Idle '
says 29 'statistics for iteration  *100 '
says 30 '^u[0-9]'
says 31 "created on 195 nodes"
says 32 '^maintenance.0  *System .* Thu '
says 33 'shutdown'
[ "$(grep -c '^> ' "$walk")" -eq 33 ] || fail "the walk has $(grep -c '^> ' "$walk") commands"
[ "$(grep -c '^fr' "$home/stats/stats.sim")" -gt 100 ] || fail "stats.sim has too few records"

# --serve leaves it running, at its first iteration; the next test drive ends it.
"$source/testdrive" --programs "$bin" --home "$home" --serve >"$MAUIHOMEDIR/serve.txt" 2>&1 ||
  fail "--serve exits $?: $(cat "$MAUIHOMEDIR/serve.txt")"
MAUIHOMEDIR=$home
scheduler=$(cat "$home/maui.pid")
expect 0 'statistics for iteration  *0 \|iteration  *1 ' showstats -v
expect 0 'shutdown' schedctl -k
timeout 60 tail --pid="$scheduler" -f /dev/null || fail "the scheduler does not end"
scheduler=
MAUIHOMEDIR=${home%/drive}
exit "$failures"
