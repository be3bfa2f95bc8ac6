#!/bin/bash
# A node of OpenSearch with one user, `acervo`, who may do everything. Runs in the container of compose.yaml.
set -eu
cd /usr/share/opensearch
# It reads certificates from the folder of its configuration only.
cp /run/secrets/tls_ca /run/secrets/tls_key /run/secrets/tls_certificate config/
security=plugins/opensearch-security/tools
users=config/opensearch-security/internal_users.yml
# Through its environment, since arguments stand in the list of processes.
hash=$(PASSWORD=$(cat /run/secrets/opensearch) bash "$security/hash.sh" -env PASSWORD | tail -1)
cat >"$users" <<USERS
_meta: { type: internalusers, config_version: 2 }
acervo: { hash: '$hash', reserved: true, backend_roles: [admin] }
USERS
exec ./opensearch-docker-entrypoint.sh opensearch
