#!/bin/sh
# make-certificate.sh DIR: an authority of its own in DIR, and a certificate of it for Kafka and OpenSearch. What is there
# stays, so that it may be repeated. The key of the authority is deleted, so that it signs no second certificate.
# To renew it, delete the four files and repeat.
set -eu
directory=$1
if [ -e "$directory/tls_keystore" ]; then exit 0; fi

mkdir -p "$directory"
work=$(mktemp -d "$directory/.tls.XXXXXX")
trap 'rm -rf "$work"' EXIT
names='DNS:localhost,IP:127.0.0.1,DNS:kafka,DNS:opensearch'
# An elliptic key is made at once.
curve='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
# shellcheck disable=SC2086
openssl req -x509 $curve -days 3650 -subj '/CN=Acervo engines authority' \
  -addext 'keyUsage=critical,keyCertSign' -keyout "$work/authority" -out "$work/tls_ca" 2>/dev/null
# shellcheck disable=SC2086
openssl req $curve -subj '/CN=Acervo engines' -keyout "$work/tls_key" -out "$work/request" 2>/dev/null
printf 'subjectAltName=%s\nbasicConstraints=critical,CA:false\n' "$names" >"$work/extensions"
openssl x509 -req -in "$work/request" -CA "$work/tls_ca" -CAkey "$work/authority" -set_serial 1 -days 3650 \
  -extfile "$work/extensions" -out "$work/tls_certificate" 2>/dev/null
cat "$work/tls_key" "$work/tls_certificate" "$work/tls_ca" >"$work/tls_keystore"
# The directory keeps others of this machine out; the programs of containers have accounts of their own and read the files.
chmod 644 "$work"/tls_*
mv "$work/tls_ca" "$work/tls_key" "$work/tls_certificate" "$directory"
mv "$work/tls_keystore" "$directory"
