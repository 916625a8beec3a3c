# The output of every command on tests/data/scenario: lines that begin with "$ " are run, and what
# follows each is what it must print.  REWRITE=1 records it anew; read the difference before it is
# committed.
. "$(dirname "$0")/support.sh"
data=$(cd "$(dirname "$0")/../data/scenario" && pwd)

cp "$data"/*.trace "$MAUIHOMEDIR/"
{ cat "$data/maui.cfg" && echo "SERVERPORT $port" && echo "ADMIN1 $(id -un)"; } >"$MAUIHOMEDIR/maui.cfg"
cd "$MAUIHOMEDIR" || exit 1

# Without the name of whoever runs the test, the process and the release.
neutral() {
  local me mine
  me=$(id -un) mine=$(id -gn)
  sed -e "s/Owner=$me/Owner=ME/; s/user: '$me' group: '$mine'/user: 'ME' group: 'ME'/" \
    -e "s/^\(ADMIN1.*  \)$me$/\1ME/; s/^\(SERVERPORT  *\)[0-9]*/\1PORT/; s/^# Maui version .*/# Maui version V (PID: N)/"
}

replay() {
  local line
  grep '^\$ ' "$1" | while read -r _ line; do
    transcribe "$line"
    echo
  done | neutral
}

compare() {
  replay "$data/$1" >"$MAUIHOMEDIR/got.txt"
  if [ -n "${REWRITE:-}" ]; then
    cp "$MAUIHOMEDIR/got.txt" "$data/$1"
  else
    diff -u "$data/$1" "$MAUIHOMEDIR/got.txt" || fail "the answers differ from $data/$1"
  fi
}

start
expect 0 'at iteration 20' schedctl -s 20I
compare questions.txt
compare changes.txt

# The nodes that schedctl -n writes are those that a simulation reads.
schedctl -n >nodes.trace
expect 0 '' schedctl -k
ended 0
sed -i '/^SIMRESOURCETRACEFILE/s/resource.trace/nodes.trace/' maui.cfg
start
schedctl -n >again.trace
diff nodes.trace again.trace || fail "schedctl -n does not read back"
[ "$(grep -c '^COMPUTENODE' again.trace)" -eq 20 ] || fail "schedctl -n does not write 20 nodes"
expect 0 '' schedctl -k
ended 0

# With fairshare, limits, QOS and standing reservations.
{ cat "$data/maui.cfg" "$data/policies.cfg" && echo "SERVERPORT $port" && echo "ADMIN1 $(id -un)"; } >maui.cfg
start
expect 0 'at iteration 20' schedctl -s 20I
compare policies.txt
expect 0 '' schedctl -k
ended 0
verdict
