# How clients find the server, are believed or refused, and end.
. "$(dirname "$0")/support.sh"

workload 20 >"$MAUIHOMEDIR/workload.swf"
configure "SIMSTOPITERATION 1"

expect 0 'Usage: showq' showq -h
expect 2 "unknown flag '-Z'" showq -Z
expect 2 'expected JOB' checkjob
expect 2 "unknown command 'nosuch'" maui_client nosuch
expect 3 "cannot send request to server localhost:$port (server may not be running)" showq
expect 3 "tried this host because '$MAUIHOMEDIR/away/maui.cfg', which could set SERVERHOST, does not exist" env MAUIHOMEDIR="$MAUIHOMEDIR/away" SERVERPORT=1 showq
mkdir "$MAUIHOMEDIR/away"
echo "SERVERPORT 1" >"$MAUIHOMEDIR/away/maui.cfg"
expect 3 "tried this host because '$MAUIHOMEDIR/away/maui.cfg' does not set SERVERHOST" env MAUIHOMEDIR="$MAUIHOMEDIR/away" showq
# An operand that is no file is refused, and nobody waits for it.
mkdir -p "$MAUIHOMEDIR/odd/maui.cfg"
expect 2 "the configuration '$MAUIHOMEDIR/odd/maui.cfg' is a directory" env MAUIHOMEDIR="$MAUIHOMEDIR/odd" showq
rmdir "$MAUIHOMEDIR/odd/maui.cfg"
mkfifo "$MAUIHOMEDIR/odd/maui.cfg"
expect 2 "is not a regular file" env MAUIHOMEDIR="$MAUIHOMEDIR/odd" showq
rm "$MAUIHOMEDIR/odd/maui.cfg"
truncate -s 8G "$MAUIHOMEDIR/odd/maui.cfg"
expect 2 "is larger than 4 MB" env MAUIHOMEDIR="$MAUIHOMEDIR/odd" showq

expect 0 'wrote a new secret to' maui --generate-key
expect 1 'has a SECRET already' maui --generate-key
start

# This machine's socket, the network, and the two ways to name the program.
expect 0 'ACTIVE JOBS' showq
expect 0 'ACTIVE JOBS' maui_client showq
key=$MAUIHOMEDIR/maui-private.cfg
expect 0 'ACTIVE JOBS' showq --host=localhost --keyfile="$key"
expect 0 'connecting to localhost port' showq -L9 --keyfile="$key"
expect 0 "signing with the secret of '$key'" showq -L3 --keyfile="$key"
# maui.cfg and the secret are beside each other, wherever the home directory is.
printf 'SERVERHOST localhost\nSERVERPORT %s\nMAUIHOMEDIR %s\n' "$port" "$MAUIHOMEDIR/nowhere" >"$MAUIHOMEDIR/away/maui.cfg"
cp "$key" "$MAUIHOMEDIR/away"
expect 0 'ACTIVE JOBS' showq -C "$MAUIHOMEDIR/away/maui.cfg"
# Like the scheduler, they read past a byte order mark, and take the index 0 as none.
printf '\357\273\277SERVERHOST[0] localhost\nSERVERPORT[0] %s\n' "$port" >"$MAUIHOMEDIR/away/maui.cfg"
expect 0 'ACTIVE JOBS' showq -C "$MAUIHOMEDIR/away/maui.cfg"
expect 0 '^{' showq --format=json
error=$(checkjob nowhere --format=json 2>/dev/null)
[ "$error" = "{\"error\":{\"status\":1,\"message\":\"cannot locate job 'nowhere'\"}}" ] || fail "the error is $error"
expect 1 "'checkjob' failed" checkjob nosuchjob
expect 3 'cannot connect to' showq --host nosuchhost.invalid

# A SERVERHOST that is not known as this machine: the scheduler of this home directory is at its socket. With another host, it is not meant.
sed -i 's/^SERVERHOST.*/SERVERHOST nosuchhost.invalid/' "$MAUIHOMEDIR/maui.cfg"
expect 0 'ACTIVE JOBS' showq
expect 3 "cannot connect to 'otherhost.invalid'" showq --host=otherhost.invalid
expect 3 "cannot connect to 'otherhost.invalid'" env SERVERHOST=otherhost.invalid showq
expect 3 "cannot connect to 'nosuchhost.invalid'" showq --keyfile="$key"
sed -i 's/^SERVERHOST.*/SERVERHOST localhost/' "$MAUIHOMEDIR/maui.cfg"

# A wrong secret gets no answer; the log has the address.
printf 'SECRET %064d\n' 7 >"$MAUIHOMEDIR/other"
expect 3 'no secret: .*accessible to all users' showq --keyfile="$MAUIHOMEDIR/other"
chmod 600 "$MAUIHOMEDIR/other"
expect 3 'lost connection to server (.*its log says why' showq --keyfile="$MAUIHOMEDIR/other"
logged '127.0.0.1:[0-9]* refused: wrong checksum'

# The environment comes before maui.cfg, the command line before the environment.
export SERVERPORT=1
expect 3 'localhost:1 ' showq
expect 0 'ACTIVE JOBS' showq --port="$port" --keyfile="$key"
export SERVERPORT=none
expect 2 'invalid SERVERPORT .*: expected a port number' showq
unset SERVERPORT

# Garbage costs nothing but its own connection.
exec 3<>"/dev/tcp/127.0.0.1/$port" && printf 'GET / HTTP/1.0\r\n\r\n' >&3 && cat <&3 >/dev/null
exec 3>&-
expect 0 'ACTIVE JOBS' showq
logged 'refused: a frame must begin with its size'

# A client that finds all places taken where clients wait to be accepted waits as well.  Without the secret he
# cannot ask at the port instead.
mv "$key" "$key.away"
kill -STOP "$scheduler"
coproc filler { crowd --fill showq >"$MAUIHOMEDIR/filler"; }
filler_pid=$filler_PID filler_input=${filler[1]}
within 60 grep -q held "$MAUIHOMEDIR/filler"
expect 124 '' timeout 1 showq
eval "exec $filler_input>&-"
wait "$filler_pid" || fail "the places were not filled"
kill -CONT "$scheduler"
expect 0 'ACTIVE JOBS' showq

expect 0 '' schedctl -k
ended 0
# While the server is down, anybody may listen at its port: nothing that is signed goes there.
expect 3 "cannot send request to server localhost:$port (server may not be running)" showq
asked=$(showq -L 3 2>&1)
case $asked in *signing* | *'connecting to localhost port'*) fail "the port was tried: $asked" ;; esac
verdict
