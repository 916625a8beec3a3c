# The instructions of docs/manual/other-hosts.md, on hosts of their own: login nodes by munge, administrators
# by the secret, a closed network by ports, and what goes through ssh and stunnel.
# Usage: other_hosts_test.sh BIN_DIRECTORY FIRST_PORT
. "$(dirname "$0")/private_network.sh"
for program in munged munge; do command -v $program >/dev/null || skip "$program is not installed (Debian: munge)"; done
[ -x "$1/maui-munge" ] || skip "maui was built without libmunge"
in_private_network "$0" "$@"
. "$(dirname "$0")/support.sh"
page=$(cd "$(dirname "$0")/../../docs/manual" && pwd)/other-hosts.md

# block HEADING N: the n-th indented block below that heading.
block() {
  awk -v heading="## $1" -v wanted="$2" '
    /^#/ { inside = $0 == heading; n = 0 }
    inside && /^    / { if (!shown) ++n; shown = 1; if (n == wanted) print substr($0, 5); next }
    { shown = 0 }' "$page"
}

make_network head 10.77.0.1 "10.77.0.2 login1
10.77.0.3 admin1
10.77.0.4 rack1"
mount -t tmpfs tmpfs /var/spool
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/munge /var/spool/maui
[ ! -d /etc/stunnel ] || mount -t tmpfs tmpfs /etc/stunnel
rm -rf "$MAUIHOMEDIR"
MAUIHOMEDIR=/var/spool/maui
head -c 64 /dev/urandom >"$lab/munge.key"
chmod 600 "$lab/munge.key"
munged --force --socket=/run/munge/munge.socket.2 --key-file="$lab/munge.key" --pid-file="$lab/munged.pid" \
  --log-file="$lab/munged.log" --seed-file="$lab/munged.seed" || fail "munged does not start: $(cat "$lab/munged.log")"
echo 1024 >/proc/sys/net/ipv4/ip_unprivileged_port_start
for number in 2 3 4; do
  make_host "$(sed -n "s/^10.77.0.$number //p" /etc/hosts)" "10.77.0.$number" 'echo 1024 >/proc/sys/net/ipv4/ip_unprivileged_port_start'
done

# begin SERVERHOST LINE...: the scheduler, with these lines in its maui.cfg; from then on it listens there.
begin() {
  {
    printf 'SERVERMODE SIMULATION\nADMIN1 root\nSIMRESOURCETRACEFILE [NONE]\nSIMWORKLOADTRACEFILE workload.swf\n'
    printf 'SIMJOBSSUBMISSIONPOLICY NORMAL\nSIMSTOPITERATION 1\nLOGLEVEL 4\nSERVERHOST %s\n' "$1"
    printf '%s\n' "${@:2}"
  } >"$MAUIHOMEDIR/maui.cfg"
  start
}
quit() {
  expect 0 '' schedctl -k
  ended 0
}
workload 20 >"$MAUIHOMEDIR/workload.swf"
(cd "$MAUIHOMEDIR" && bash -c "$(block 'Administrators: the secret' 1)" >/dev/null) || fail "no secret is made"

# ask HOST USER CONFIGURATION COMMAND...: as that user, with that directory's maui.cfg.
ask() {
  local host=$1 user=$2 home=$3
  shift 3
  at_host "$host" runuser -u "$user" -- env MAUIHOMEDIR="$home" TZ=UTC PATH="$PATH" "$@"
}
for home in login secret rack; do
  mkdir "$lab/$home"
  block 'Login nodes: munge' 1 >"$lab/$home/maui.cfg"
done
sed -i '/CLIENTCFG/d' "$lab/secret/maui.cfg" "$lab/rack/maui.cfg"
cp "$MAUIHOMEDIR/maui-private.cfg" "$lab/secret"
block 'A closed network: SECUREPORT' 1 >>"$lab/rack/maui.cfg"
sed -i 's/rack1/DEFAULT/' "$lab/rack/maui.cfg" # a client's line is about itself

begin head "$(block 'Administrators: the secret' 2)" "$(block 'A closed network: SECUREPORT' 1)"
expect 0 'no errors' maui --check-config
expect 0 'ACTIVE JOBS' ask login1 nobody "$lab/login" showq
expect 0 'munge created a credential' ask login1 nobody "$lab/login" showq -L 3
expect 1 "user 'nobody' is not authorized" ask login1 nobody "$lab/login" changeparam BACKFILLDEPTH 8
logged "changeparam .*by user nobody from 10.77.0.2"
expect 0 '' ask admin1 root "$lab/secret" changeparam BACKFILLDEPTH 9
logged 'changeparam .*by user root from 10.77.0.3'
expect 3 'lost connection' ask login1 root "$lab/secret" showq
logged 'CLIENTCFG AUTHTYPE does not let its host use a secret'
expect 3 'lost connection' ask rack1 nobody "$lab/login" showq
expect 0 'ACTIVE JOBS' ask rack1 root "$lab/rack" showq
expect 3 'port below 1024' ask rack1 nobody "$lab/rack" showq
if command -v setcap >/dev/null; then
  cp "$bin/maui_client" "$lab/showq" # the page has it where packages put it
  command=$(block 'A closed network: SECUREPORT' 2)
  bash -c "${command//\/usr\/bin\/maui_client/$lab/showq}" || fail "'$command' fails"
  expect 0 'ACTIVE JOBS' ask rack1 nobody "$lab/rack" "$lab/showq"
  logged 'showq .*by user nobody from 10.77.0.4'
fi
quit

# Through a tunnel: the port is closed to everybody else.
begin "$(block 'Networks that are not trusted' 1 | awk '{ print $2 }')" 'CLIENTCFG[localhost] AUTHTYPE=MUNGE'
expect 3 'server may not be running' ask login1 nobody "$lab/login" showq

if command -v sshd >/dev/null && command -v ssh >/dev/null; then
  mkdir -p "$lab/ssh" "$lab/bin" /run/sshd
  ssh-keygen -q -t ed25519 -N '' -f "$lab/ssh/host"
  ssh-keygen -q -t ed25519 -N '' -f "$lab/ssh/user"
  cp "$lab/ssh/user.pub" "$lab/ssh/authorized"
  "$(command -v sshd)" -f /dev/null -h "$lab/ssh/host" -o "AuthorizedKeysFile=$lab/ssh/authorized" -o PidFile="$lab/sshd.pid" \
    -o StrictModes=no -o PermitRootLogin=yes -o UsePAM=no
  printf '#!/bin/sh\nexec %s -F /dev/null -i %s -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null "$@"\n' \
    "$(command -v ssh)" "$lab/ssh/user" >"$lab/bin/ssh"
  chmod +x "$lab/bin/ssh"
  at_host login1 env HOME="$lab/home" PATH="$lab/bin:$PATH" TZ=UTC bash -e -c "$(block 'Networks that are not trusted' 2)" \
    >"$lab/said" 2>&1 || fail "through ssh: $(cat "$lab/said")"
  grep -q 'ACTIVE JOBS' "$lab/said" || fail "through ssh: $(cat "$lab/said")"
  kill "$(cat "$lab/sshd.pid")"
fi

if command -v stunnel >/dev/null && command -v openssl >/dev/null; then
  # certificate NAME AUTHORITY
  certificate() {
    openssl req -newkey rsa:2048 -nodes -keyout "$lab/$1.key" -subj "/CN=$1" -addext "subjectAltName=DNS:$1" 2>/dev/null |
      openssl x509 -req -copy_extensions copy -CA "$lab/$2.crt" -CAkey "$lab/$2.key" -days 2 -out "$lab/$1.crt" 2>/dev/null
    cat "$lab/$1.key" "$lab/$1.crt" >"/etc/stunnel/$1.pem"
  }
  for authority in site-ca other-ca; do
    openssl req -x509 -newkey rsa:2048 -nodes -keyout "$lab/$authority.key" -out "$lab/$authority.crt" -days 2 -subj "/CN=$authority" 2>/dev/null
  done
  cp "$lab/site-ca.crt" /etc/stunnel/site-ca.pem
  certificate head site-ca
  certificate login1 site-ca
  { printf 'foreground = yes\npid =\n' && block 'Networks that are not trusted' 3; } >"$lab/server.conf"
  { printf 'foreground = yes\npid = %s\n' "$lab/client.pid" && block 'Networks that are not trusted' 4; } >"$lab/client.conf"
  stunnel "$lab/server.conf" >"$lab/server.txt" 2>&1 &
  at_host login1 stunnel "$lab/client.conf" >"$lab/client.txt" 2>&1 &
  mkdir "$lab/tunnel"
  printf 'SERVERHOST localhost\nADMIN1 root\nCLIENTCFG[localhost] AUTHTYPE=MUNGE\n' >"$lab/tunnel/maui.cfg"
  within 20 ask login1 nobody "$lab/tunnel" showq || cat "$lab/server.txt" "$lab/client.txt"
  expect 0 'ACTIVE JOBS' ask login1 nobody "$lab/tunnel" showq
  logged 'showq .*by user nobody from 127.0.0.1'
  # A host with a certificate of another authority does not come through.
  kill "$(cat "$lab/client.pid")"
  within 20 test ! -e "$lab/client.pid"
  certificate login1 other-ca
  at_host login1 stunnel "$lab/client.conf" >"$lab/client.txt" 2>&1 &
  within 20 grep -q 'Configuration successful' "$lab/client.txt"
  expect 3 'lost connection' ask login1 nobody "$lab/tunnel" showq
fi
quit
kill "$(cat "$lab/munged.pid")"
verdict
