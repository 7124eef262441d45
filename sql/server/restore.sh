#!/bin/sh
# restore.sh <backup.tar.gz> <empty data folder>: unpacks a backup and checks every file of it. A server started on the folder brings
# itself to the state at the end of the backup.
set -eu
umask 077
backup="$1"
folder="$2"
mkdir -p "$folder"
[ -z "$(ls -A "$folder")" ] || { echo "$folder is not empty" >&2; exit 1; }
tar -C "$folder" -xzf "$backup"
pg_verifybackup --quiet "$folder"
echo "restored $(basename "$backup") to $folder"
