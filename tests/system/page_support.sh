# Sourced by tests of the page: a headless browser that looks at it.  $http is its port.
command -v chromium >/dev/null || { echo "chromium is not installed: skipped"; exit 77; }

# page ADDRESS: the document as it is once its modules have run, in $page.
page() {
  page=$(timeout 60 chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$MAUIHOMEDIR/browser" --no-first-run --disable-background-networking \
    --host-resolver-rules='MAP * ~NOTFOUND, EXCLUDE localhost' --window-size="${size:-1200,900}" \
    --enable-logging=stderr --virtual-time-budget=2500 --dump-dom \
    "http://localhost:$http/$1" 2>"$MAUIHOMEDIR/browser.log")
  ! grep -E 'CONSOLE.*(Uncaught|Refused|Failed|Error)' "$MAUIHOMEDIR/browser.log" ||
    fail "the browser complains about $1"
}
has() { says "$1" "$page"; }

# look ADDRESS: a browser that stays, until `looked`.
look() {
  coproc browser { exec python3 "$(dirname "$0")/browser.py" "$MAUIHOMEDIR/browser2" "http://localhost:$http/$1"; }
  browser_process=$!
}
# sees EXPRESSION: the page shows that, now or soon.
sees() {
  local value
  echo "$1" >&"${browser[1]}"
  read -r value <&"${browser[0]}"
  [[ $value != never && $value != "the page fails"* ]] || fail "'$1': $value"
}
looked() {
  eval "exec ${browser[1]}>&-"
  wait "$browser_process" || fail "the browser ends with $?"
}

# as_administrator: the page through the socket, where the kernel names who asks; a browser needs
# somebody who goes there.
as_administrator() {
  http=$(free_port $((http + 100)) 7)
  python3 - "$http" "$MAUIHOMEDIR/http.sock" <<'END' &
import socket, sys, threading
def pump(source, to):
    while data := source.recv(65536):
        to.sendall(data)
    to.shutdown(socket.SHUT_WR)
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    client = listener.accept()[0]
    server = socket.socket(socket.AF_UNIX)
    server.connect(sys.argv[2])
    for ends in ((client, server), (server, client)):
        threading.Thread(target=pump, args=ends, daemon=True).start()
END
  forwarder=$!
  within 20 curl --silent --output /dev/null "http://localhost:$http/health"
}
