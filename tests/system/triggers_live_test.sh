# Triggers of reservations in earnest: they run real programs, once though the scheduler is killed.
. "$(dirname "$0")/live_support.sh"

cat >note <<END
#!/bin/sh
echo "\$1 \$2 since \$3" >>$RAN
END
chmod 755 note
: >ran
noted() { [ "$(grep -c "^night.0.0 $1 " ran)" -eq 1 ]; }
# The checkpoint knows what has gone off in the first two seconds of the reservation.
remembered() {
  local asked since
  asked=$(sed -n 's/.*"triggers_asked":\([0-9]*\).*/\1/p' maui.ck)
  since=$(sed -n 's/.*create since //p' ran)
  [ "$asked" -ge $((since + 2)) ]
}
restart() {
  crash
  start --foreground
  await "continuing from the checkpoint"
}

serve
configure_live "CHECKPOINTINTERVAL 1:00:00" \
  "SRCFG[night] HOSTLIST=ALL PERIOD=INFINITY" \
  "SRCFG[night] TRIGGER=create+0:00:02;exec@$PWD/note,end+0:00:03;exec@$PWD/note"
start --foreground
within 20 noted create
within 20 remembered
restart
within 20 shown night.0.0 showres

# A trigger of a reservation that is over outlives the scheduler that saw its end.
expect 0 night.0.0 releaseres night.0.0
restart
within 20 noted end
noted create || fail "a trigger went off again: $(cat ran)"

verdict
