#!/bin/sh
# Base backups of the primary with the log they need, each unpacked no more than to be verified, under BACKUP_DIR/<UTC time>. A backup
# appears complete or not at all; the KEEP newest remain. Connects by PGHOST, PGPORT as replicator (PGPASSWORD_FILE).
# ONCE=1: makes one and ends.
set -eu
umask 077
PGPASSWORD="$(cat "$PGPASSWORD_FILE")"
export PGPASSWORD
while :; do
  name="$(date -u +%Y%m%dT%H%M%SZ)"
  rm -rf "$BACKUP_DIR"/*.unfinished
  if pg_basebackup --username replicator --pgdata "$BACKUP_DIR/$name.unfinished" --wal-method stream --checkpoint fast &&
    pg_verifybackup --quiet "$BACKUP_DIR/$name.unfinished" &&
    tar -C "$BACKUP_DIR/$name.unfinished" -czf "$BACKUP_DIR/$name.tar.gz.unfinished" . &&
    mv "$BACKUP_DIR/$name.tar.gz.unfinished" "$BACKUP_DIR/$name.tar.gz"; then
    echo "backup $name.tar.gz"
    rm -rf "$BACKUP_DIR/$name.unfinished"
    # shellcheck disable=SC2012 # the names are ours
    ls -1 "$BACKUP_DIR"/*.tar.gz | sort -r | tail -n "+$((${KEEP:-7} + 1))" | while read -r old; do rm -f "$old"; done
  else
    echo "backup $name failed" >&2
    [ "${ONCE:-0}" = 1 ] && exit 1
  fi
  [ "${ONCE:-0}" = 1 ] && exit 0
  sleep "${EVERY_SECONDS:-86400}"
done
