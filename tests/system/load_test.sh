# The scheduler is changed in every way at once while clients ask and jobs run: no request is lost, and
# in the end everything is as the last who changed it said.
. "$(dirname "$0")/live_support.sh"

rounds=${LOAD_ROUNDS:-15}
export lost=$MAUIHOMEDIR/lost
: >"$lost"

# again N COMMAND...: each time it must succeed; the round is {}.
again() {
  local i words
  for i in $(seq "$1"); do
    words=("${@:2}")
    "${words[@]//\{\}/$i}" >/dev/null 2>>"$lost" || echo "round $i of '${*:2}' fails" >>"$lost"
  done
}
signals() {
  local i
  for i in $(seq "$rounds"); do
    for signal in USR1 USR2 "$@"; do kill "-$signal" "$scheduler"; done
  done
}
# A whole file takes the place of the other.
rewrite() {
  local i
  for i in $(seq "$rounds"); do
    { cat base.cfg; echo "BACKFILLDEPTH $i"; } >maui.cfg.new
    mv maui.cfg.new maui.cfg
    schedctl -R >/dev/null 2>>"$lost" || echo "schedctl -R fails" >>"$lost"
  done
}
none_lost() { [ ! -s "$lost" ] || fail "lost: $(cat "$lost")"; }
clients() {
  again "$rounds" showq & asked+=($!)
  again "$rounds" showstats -u & asked+=($!)
  again "$rounds" setspri {} "$held" & asked+=($!)
  again "$rounds" wiki_rm submit true & asked+=($!)
}

all_recorded() { [ "$(cat stats/stats.* | grep -c '^local\.')" -eq $((2 * rounds)) ]; }

serve
configure_live
start --foreground
held=$(submit --hold yes true)
within 10 shown Hold checkjob "$held"

# Parameters and signals.
asked=()
clients
again "$rounds" changeparam RESERVATIONDEPTH {} & asked+=($!)
again "$rounds" changeparam DEFERTIME {} & asked+=($!)
signals & asked+=($!)
wait "${asked[@]}"
none_lost
expect 0 "RESERVATIONDEPTH\[0\]  *$rounds\$" showconfig -v
expect 0 "DEFERTIME  *\(00:\)*0*$rounds\$" showconfig -v

# Files as well.
cp maui.cfg base.cfg
asked=()
clients
rewrite & asked+=($!)
signals HUP & asked+=($!)
wait "${asked[@]}"
none_lost
expect 0 '' schedctl -R
expect 0 "BACKFILLDEPTH\[0\]  *$rounds\$" showconfig -v
expect 0 "RESERVATIONDEPTH\[0\]  *1\$" showconfig -v
expect 0 "riority.*$rounds" checkjob -v "$held"

# All the jobs ran meanwhile, each once.
within 60 all_recorded
kill -TERM "$scheduler"
ended 0
verdict
