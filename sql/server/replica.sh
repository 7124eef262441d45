#!/bin/sh
# Entry of the replica: copies the primary where PGDATA is empty, then runs the server. Arguments go to the server.
# BACKEND_MEMORY_MB: address space of each session, shared buffers included, so that one which wants more fails alone ("out of memory").
# PRIMARY_HOST, PRIMARY_PORT, REPLICATOR_PASSWORD_FILE; TLS_CERTIFICATE_FILE and TLS_KEY_FILE: what analysts' connections are encrypted with.
set -eu
umask 077
port="${PRIMARY_PORT:-5432}"
password_file="${TMPDIR:-/tmp}/replicator.pgpass"
printf '%s:%s:*:replicator:%s\n' "$PRIMARY_HOST" "$port" "$(cat "$REPLICATOR_PASSWORD_FILE")" > "$password_file"

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # Into a folder beside it, so that an interrupted copy starts again.
  rm -rf "$PGDATA/copy"
  # The slot keeps the primary's log while the replica is away, up to max_slot_wal_keep_size. A restored primary has none.
  PGPASSFILE="$password_file" pg_receivewal --create-slot --if-not-exists --slot replica --dbname "host=$PRIMARY_HOST port=$port user=replicator"
  PGPASSFILE="$password_file" pg_basebackup --pgdata "$PGDATA/copy" --wal-method stream --slot replica --checkpoint fast --write-recovery-conf \
    --dbname "host=$PRIMARY_HOST port=$port user=replicator application_name=replica passfile=$password_file"
  mv "$PGDATA"/copy/* "$PGDATA"/
  rmdir "$PGDATA/copy"
fi

# The server wants a key that nobody else can read; a secret in a container is readable to all in it.
cp "$TLS_CERTIFICATE_FILE" "${TMPDIR:-/tmp}/server.crt"
cp "$TLS_KEY_FILE" "${TMPDIR:-/tmp}/server.key"
chmod 600 "${TMPDIR:-/tmp}/server.key"

ulimit -v "$((${BACKEND_MEMORY_MB:-1536} * 1024))"
exec postgres -D "$PGDATA" -c hot_standby=on -c hot_standby_feedback=on -c max_standby_streaming_delay=120s \
  -c ssl=on -c ssl_cert_file="${TMPDIR:-/tmp}/server.crt" -c ssl_key_file="${TMPDIR:-/tmp}/server.key" "$@"
