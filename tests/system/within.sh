# Sourced by tests, which have a function `fail`.
# within SECONDS COMMAND...: asks again and again until the command succeeds.
within() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$deadline" ] || { fail "never: $*"; return 1; }
    sleep 0.1
  done
}
