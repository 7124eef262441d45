#!/bin/sh
# Runs once, when the primary's folder is new (docker-entrypoint-initdb.d). REPLICATOR_PASSWORD_FILE: password of the replication.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  --set password="$(cat "$REPLICATOR_PASSWORD_FILE")" <<'SQL'
set password_encryption = 'scram-sha-256';
create role replicator login replication password :'password';
SQL
