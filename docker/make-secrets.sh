#!/bin/sh
# make-secrets.sh [DIR]: one file for each secret of compose.yaml in DIR (./secrets beside it), the certificate of the
# engines and the keys of events among them, which need OpenSSL. What is there stays, so that it may be repeated. Those of others begin empty, which is "not set": write the password of your mail server there.
# Keep a copy apart from the machine: without key_pepper no API key, session or second factor counts any more, without
# audit_key no record can be proved.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
directory=${1:-$here/secrets}
of_others=' smtp_url embedder_key embedder_before_key chat_key unstructured_key otlp_headers release_token '

# The directory keeps others of this machine out; the programs of containers have accounts of their own and read the files.
mkdir -p "$directory"
chmod 700 "$directory"
for name in $(sed -n '/^secrets:/,$s/^  \([a-z0-9_]*\): { file: .*/\1/p' "$here/compose.yaml"); do
  file=$directory/$name
  if [ -e "$file" ]; then continue; fi
  case $name in tls_* | *_event_key | event_keys) continue ;; esac
  case $of_others in
    *" $name "*) : >"$file" ;;
    *) od -An -tx1 -N24 /dev/urandom | tr -d ' \n' >"$file" ;;
  esac
  chmod 644 "$file"
done
"$here/make-certificate.sh" "$directory"
# shellcheck disable=SC2046
"$here/make-event-keys.sh" "$directory" $(sed -n 's/^  \([a-z]*\)_event_key: { file: .*/\1/p' "$here/compose.yaml")
echo "The secrets lie in $directory."
