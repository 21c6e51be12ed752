# What the official image does at its first start, and then the server. The password is read as root.
set -eu
PATH=/opt/postgres/bin:$PATH
PGDATA=/var/lib/postgresql/18/docker
as_database() { setpriv --reuid=database --regid=database --init-groups "$@"; }
# A volume in this place may be new.
chown database:database /var/run/postgresql && chmod 3775 /var/run/postgresql
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install -d -o database -g database -m 0700 /var/lib/postgresql/18 "$PGDATA"
  install -o database -g database -m 0600 "$POSTGRES_PASSWORD_FILE" /tmp/password
  # The arguments are words of a shell, as in the official image.
  as_database initdb -D "$PGDATA" --username="$POSTGRES_USER" --pwfile=/tmp/password $POSTGRES_INITDB_ARGS
  rm /tmp/password
  printf "listen_addresses = '*'\nunix_socket_directories = '/var/run/postgresql'\n" >>"$PGDATA/postgresql.conf"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "create database \"$POSTGRES_DB\"" | as_database postgres --single -D "$PGDATA" postgres
fi
exec setpriv --reuid=database --regid=database --init-groups "$@" -D "$PGDATA"
