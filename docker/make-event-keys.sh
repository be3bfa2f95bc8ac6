#!/bin/sh
# make-event-keys.sh DIR SERVICE ...: the key that each service signs its events with, as DIR/SERVICE_event_key, and the
# public keys of all in DIR/event_keys. What is there stays. To replace the key of a service, delete its file and repeat:
# the public key of before stays in event_keys until its line is deleted.
set -eu
directory=$1
shift
umask 077
for service in "$@"; do
  file=$directory/${service}_event_key
  if [ -e "$file" ]; then continue; fi
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$file.new" 2>/dev/null
  public=$(openssl pkey -in "$file.new" -pubout -outform DER | openssl base64 -A)
  echo "$service $public" >>"$directory/event_keys"
  # The directory keeps others of this machine out; the programs of containers have accounts of their own.
  chmod 644 "$file.new" "$directory/event_keys"
  mv "$file.new" "$file"
done
