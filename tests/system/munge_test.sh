# Users of other hosts, known by a munged that really runs, as munge's own user.
. "$(dirname "$0")/support.sh"

for program in munged munge; do
  command -v $program >/dev/null || { echo "$program is not installed (Debian: munge): left out"; exit 77; }
done
[ -x "$bin/maui-munge" ] || { echo "maui was built without libmunge: left out"; exit 77; }

# munged: its directory must be open to those who ask it, and closed to others' files.
munge_home=$(mktemp -d)
chmod 711 "$munge_home"
munge_user=$(id -un)
other=$(other_user)
# Only root, the scheduler's user and this one are trusted with the socket.
[ "$(id -u)" -eq 0 ] && id munge >/dev/null 2>&1 && munge_user=munge && chown munge "$munge_home"
as_munge=() # before a command
[ "$munge_user" = "$(id -un)" ] || as_munge=(runuser -u "$munge_user" --)
declare -A munged runner

# run_munged NAME: with the key NAME.key, which is made if it is not there.
run_munged() {
  local base=$munge_home/$1
  [ -e "$base.key" ] || "${as_munge[@]}" sh -c "umask 077; head -c 64 /dev/urandom >'$base.key'"
  "${as_munge[@]}" munged -F --socket="$base" --key-file="$base.key" --pid-file="$base.pid" \
    --log-file="$base.log" --seed-file="$base.seed" >"$MAUIHOMEDIR/munged.$1" 2>&1 &
  runner[$1]=$!
  within 20 munge -S "$base" -s try || cat "$MAUIHOMEDIR/munged.$1" "$base.log"
  munged[$1]=$(cat "$base.pid")
}
# runuser stops with its program, and does not go on with it.
continue_munged() {
  kill -CONT "${munged[$1]}" 2>/dev/null
  kill -CONT "${runner[$1]}" 2>/dev/null
}
end_munged() {
  kill "${munged[$1]}" 2>/dev/null
  continue_munged "$1"
  within 20 test ! -e "$munge_home/$1"
}
finish_munge() {
  local name
  for name in "${!munged[@]}"; do
    kill -KILL "${munged[$name]}" 2>/dev/null
    continue_munged "$name"
  done
  finish
  rm -rf "$munge_home"
}
trap finish_munge EXIT
socket=$munge_home/site
run_munged site
run_munged foreign

# The server knows users by munge alone; a login node has its maui.cfg, and no secret.
workload 20 >"$MAUIHOMEDIR/workload.swf"
configure "SIMSTOPITERATION 1" "LOGLEVEL 4" "CLIENTCFG[DEFAULT] AUTHTYPE=MUNGE MUNGESOCKET=$socket"
login=$MAUIHOMEDIR/login
mkdir "$login"
grep -E '^(SERVER[HP]|ADMIN1|CLIENTCFG)' "$MAUIHOMEDIR/maui.cfg" >"$login/maui.cfg"
chmod 755 "$MAUIHOMEDIR" "$login"
at_login() { MAUIHOMEDIR=$login "$@"; }
other_at_login() { MAUIHOMEDIR=$login as_other "$@"; }
expect 0 'no errors, no warnings' maui --check-config
start

expect 0 'ACTIVE JOBS' at_login showq
expect 0 '' at_login changeparam BACKFILLDEPTH 7
logged "changeparam .*by user $(id -un) from 127.0.0.1"
if [ -n "$other" ]; then
  expect 0 'ACTIVE JOBS' other_at_login showq
  expect 1 "user '$other' is not authorized" other_at_login changeparam BACKFILLDEPTH 8
fi
expect 3 'no secret' env SERVERHOST=localhost MAUIHOMEDIR="$login" sh -c \
  'sed -i /CLIENTCFG/d "$MAUIHOMEDIR/maui.cfg"; showq'
grep '^CLIENTCFG' "$MAUIHOMEDIR/maui.cfg" >>"$login/maui.cfg"

# credential FILE KEY OPTION...: as the client makes one, but for the options.
me=$(id -un)
key_of() { printf "SECRET %064x\n" "$1" >"$MAUIHOMEDIR/key.$1"; echo "$MAUIHOMEDIR/key.$1"; }
content_of() { printf "maui request %064x" "$1"; }
credential() {
  local file=$1 number=$2
  shift 2
  munge -S "$socket" -c aes256 -s "$(content_of "$number")" "$@" >"$file" || fail "no credential"
}
send() { send_message "$port" "$(key_of "$1")" 0 "${4:-1}" showq "$2" "$3"; }
sends() { # sends ANSWERS NUMBER USER CREDENTIALFILE [TIMES]
  local want=$1 got
  shift
  got=$(send "$@" | tr '\n' ' ')
  [ "$got" = "$want " ] || fail "a message is '$got', not '$want'"
}
file=$MAUIHOMEDIR/credential

credential "$file" 1
sends 'answered closed' 1 "$me" "$file" 2
logged 'refused: munge: Replayed credential'
credential "$file" 2
sends closed 3 "$me" "$file"
logged 'refused: wrong checksum: its credential belongs to another request'
credential "$file" 4
sends closed 4 somebody "$file"
logged "refused: munge reports user '$me', but it sent AUTH=somebody"
if [ ${#as_munge[@]} -gt 0 ]; then
  "${as_munge[@]}" munge -S "$socket" -c aes256 -s "$(content_of 5)" >"$file"
  sends closed 5 "$me" "$file"
  logged "refused: munge reports user '$munge_user', but it sent AUTH=$me"
fi
munge -S "$munge_home/foreign" -c aes256 -s "$(content_of 6)" >"$file"
sends closed 6 "$me" "$file"
logged 'refused: munge: Invalid credential'
credential "$file" 7 --ttl=1
sleep 3  # the credential's own time
sends closed 7 "$me" "$file"
logged 'refused: munge: Expired credential'
credential "$file" 8 --restrict-uid=12345
sends closed 8 "$me" "$file"
logged 'refused: munge: Unauthorized credential'
credential "$file" 9 -c none
sends closed 9 "$me" "$file"
logged 'refused: its credential was sent without encryption'
munge -S "$socket" -c aes256 -s 'slurm' >"$file"
sends closed 10 "$me" "$file"
logged 'refused: its credential was made for something else'
echo 'MUNGE:!!!:' >"$file"
sends closed 11 "$me" "$file"
{ printf 'MUNGE:' && head -c 900000 /dev/zero | tr '\0' A && echo :; } >"$file"
sends closed 12 "$me" "$file"
logged 'refused: what it sent is no credential of munge'
echo 'MUNGE:AAAA:' >"$file"
sends closed 13 "$me" "$file"
sends closed 14 "$me" /dev/null
logged 'refused: CLIENTCFG AUTHTYPE does not let its host use a secret'
expect 0 'ACTIVE JOBS' at_login showq

# A munged that was started anew knows nothing of what it has read: the scheduler does, over its own
# end, too.
credential "$file" 20
signed=$(date +%s)
sends answered 20 "$me" "$file"
end_munged site
run_munged site
sends closed 20 "$me" "$file"
logged 'refused: it repeats an earlier message'
expect 0 '' schedctl -k
ended 0
later() { [ "$(date +%s)" -gt "$signed" ]; }
within 5 later  # what was signed in the second of the start is a repetition
start
end_munged site
run_munged site
sends challenged 20 "$me" "$file"
expect 0 'ACTIVE JOBS' at_login showq

# To a scheduler whose clock is ahead, all credentials are older than its start.
expect 0 '' schedctl -k
ended 0
set_clock 60
under=("${fake[@]}")
start
expect 0 'answering the server.s challenge' at_login showq -L 3

# A munged that does not answer holds up nobody else, and one that is gone is told of.
credential "$file" 21
credential "$file.2" 22
kill -STOP "${munged[site]}"
send 21 "$me" "$file" >"$MAUIHOMEDIR/sent" &
sender=$!
expect 0 'ACTIVE JOBS' showq
kill -0 "$sender" 2>/dev/null || fail "a message was refused before munged had its time"
wait "$sender"
grep -q closed "$MAUIHOMEDIR/sent" || fail "a munged that is stopped vouched for somebody"
logged 'munged did not answer in time'
continue_munged site
within 30 shown 'ACTIVE JOBS' at_login showq
end_munged site
sends closed 22 "$me" "$file.2"
expect 3 'munge: Failed to access' at_login showq
expect 0 'ACTIVE JOBS' showq
run_munged site
expect 0 'ACTIVE JOBS' at_login showq

# The helper that asks munged is killed while nobody needs it: nobody is refused for it.
helper() { pgrep -P "$scheduler" -x maui-munge; }
killed=$(helper)
[ -n "$killed" ] && kill -KILL "$killed" || fail "there is no helper"
expect 0 'ACTIVE JOBS' at_login showq
logged 'the helper for munge ended: it is restarted'
[ "$(helper)" != "$killed" ] || fail "the helper is the one that was killed"

# The rights of a host are changed while the scheduler runs.
expect 0 '' changeparam 'CLIENTCFG[DEFAULT]' AUTHTYPE=CHECKSUM
expect 3 'lost connection' at_login showq
logged 'refused: CLIENTCFG AUTHTYPE does not let its host use munge credentials'
expect 0 '' changeparam 'CLIENTCFG[localhost]' AUTHTYPE=MUNGE
expect 0 'ACTIVE JOBS' at_login showq

# A port below 1024 is root's, who says for whom he asks.
expect 0 '' changeparam 'CLIENTCFG[localhost]' AUTHTYPE=SECUREPORT
sends closed 30 "$me" /dev/null
echo 'CLIENTCFG[localhost] AUTHTYPE=SECUREPORT' >>"$login/maui.cfg"
if [ "$(id -u)" -eq 0 ]; then
  expect 0 'ACTIVE JOBS' at_login showq
  expect 0 '' at_login changeparam BACKFILLDEPTH 9
  [ -n "$other" ] && expect 3 'SECUREPORT requires a port below 1024' other_at_login showq
else
  expect 3 'SECUREPORT requires a port below 1024' at_login showq
fi

expect 0 '' schedctl -k
ended 0
verdict
