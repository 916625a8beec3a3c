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

# At a terminal it waits for its reader, after each command and after each screen.
if command -v script >/dev/null; then
  # drive KEYS: with a terminal of 24 lines, on which somebody presses these keys.
  drive() {
    : >"$MAUIHOMEDIR/terminal"
    { within 60 grep -q 'q: end' "$MAUIHOMEDIR/terminal" && printf '%b' "$1"; } | TERM=vt100 script -qefc \
      "stty -echo rows 24 cols 100; '$source/testdrive' --programs '$bin' --home '$home' --port $port" "$MAUIHOMEDIR/terminal" >/dev/null
  }
  drive "$(printf '\\n%.0s' $(seq 300))" || fail "the test drive at a terminal exits $?"
  sed 1d "$MAUIHOMEDIR/terminal" | tr -d '\r' | awk '
    { n = gsub(/-- (more|next): Enter; c: the rest at once; q: end --/, "&"); prompts += n; lines = n > 0 ? 0 : lines + 1 }
    /-- next: /   { nexts += gsub(/-- next: /, "&") }
    lines > 24    { long = long " " NR; lines = 0 }
    END { print prompts + 0, nexts + 0, long }' >"$MAUIHOMEDIR/screens.txt"
  read -r prompts nexts long <"$MAUIHOMEDIR/screens.txt"
  [ "$nexts" -eq 33 ] || fail "it waits after $nexts of 33 commands"
  [ "$prompts" -gt 40 ] || fail "it shows no long answer by screens: $prompts prompts"
  [ -z "$long" ] || fail "more than a screen is shown at once, in line$long of $(cat "$MAUIHOMEDIR/terminal")"
  grep -q "^SERVERPORT *$port$" "$home/maui.cfg" || fail "--port is not followed"
  drive q
  grep -q 'Ended after 1 commands' "$MAUIHOMEDIR/terminal" || fail "q does not end it: $(tail -n 5 "$MAUIHOMEDIR/terminal")"
  drive c
  grep -q 'The test drive is over: 33 commands' "$MAUIHOMEDIR/terminal" || fail "c does not show the rest"
fi
for wrong in --port '--port 0' '--port 70000' '--port x'; do
  # shellcheck disable=SC2086  # two words
  expect 2 '1 to 64000' "$source/testdrive" $wrong
done

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
