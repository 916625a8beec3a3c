# Compares the shape of what the commands print with that of release 3.3.  Each file of
# tests/data/transcripts is run on the scenario at its 20th iteration (README.md there).  NAME=queue
# runs only that file; SHOW=FILE keeps its answers.
. "$(dirname "$0")/support.sh"
data=$(cd "$(dirname "$0")/../data" && pwd)
other=$(other_user)

answers() {
  local kind line
  grep '^[$%] ' "$1" | while read -r kind line; do
    if [ "$kind" = % ]; then
      eval "$line" >"$MAUIHOMEDIR/set_up" 2>&1 || echo "$line exits $?: $(cat "$MAUIHOMEDIR/set_up")"
      continue
    fi
    transcribe "$line"
  done
}

check() {
  answers "$1" >"$MAUIHOMEDIR/answers"
  compare_transcript "$1" "$MAUIHOMEDIR/answers" || fail "not the shape of release 3.3"
  [ -z "${SHOW:-}" ] || cp "$MAUIHOMEDIR/answers" "$SHOW"
}

# A scheduler at iteration 20, in a directory without traces of the one before.
begin() {
  rm -rf "${MAUIHOMEDIR:?}"/*
  cp "$data"/scenario/*.trace "$MAUIHOMEDIR/"
  {
    sed "s/ FLAGS=PREEMPTOR//" "$data"/scenario/*.cfg && echo "SERVERPORT $port"
    echo "ADMIN1 $(id -un)"
  } >"$MAUIHOMEDIR/maui.cfg"
  chmod 755 "$MAUIHOMEDIR"
  cd "$MAUIHOMEDIR" || exit 1
  start
  expect 0 'at iteration 20' schedctl -s 20I
}

finish_scheduler() {
  schedctl -k >"$MAUIHOMEDIR/set_up" 2>&1
  ended 0
}

changed=yes
for file in "$data"/transcripts/${NAME:-*}.txt; do
  case $file in */strangers.txt) [ -n "$other" ] || continue ;; esac
  if [ -n "$changed" ]; then
    [ -z "$scheduler" ] || finish_scheduler
    begin
  fi
  case $file in */changes_*) changed=yes ;; *) changed= ;; esac
  check "$file"
done
finish_scheduler
exit "$failures"
