#!/bin/sh
# leash.sh PIDFILE SIGNAL COMMAND...: runs a command that ends when the one who started it does.
# Descriptor 3 is the end of a pipe that the starter holds; it closes with the starter, however that ended.
pidfile=$1
signal=$2
shift 2
"$@" 3<&- &
child=$!
echo "$child" >"$pidfile"
(
  read -r _ <&3
  kill -"$signal" "$child" 2>/dev/null
  turns=0
  while kill -0 "$child" 2>/dev/null; do
    turns=$((turns + 1))
    [ "$turns" -gt 200 ] && kill -KILL "$child" 2>/dev/null
    sleep 0.1
  done
) &
watcher=$!
wait "$child"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
