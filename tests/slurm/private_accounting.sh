# Sourced by tests beside private_slurm.sh: Slurm's own accounting, with a database of one's own.
# Needs Debian's slurmdbd and mariadb-server-core; nothing listens outside of this machine.

can_account() {
  [ -f "$system_tables" ] && command -v slurmdbd mariadbd sacct sacctmgr >/dev/null
}
readonly system_tables=/usr/share/mysql/mysql_system_tables.sql

# account_in_slurm: slurm_up then brings slurmdbd up, too.
account_in_slurm() { slurm_accounting=accounting_up; }

# database ARGUMENT...: mariadbd, which may lose all with the power.
database() {
  mariadbd --no-defaults --user=root --datadir="$slurm/database" --skip-grant-tables --skip-networking \
    --innodb-flush-log-at-trx-commit=0 --innodb-autoextend-increment=1 --innodb-log-file-size=4M \
    --innodb-temp-data-file-path=ibtmp1:1M:autoextend "$@"
}

slurmdbd_conf() {
  cat <<END_OF_CONF
AuthType=auth/none
CommunicationParameters=NoInAddrAny
DbdAddr=127.0.0.1
DbdHost=$(hostname -s)
DbdPort=$1
SlurmUser=root
PidFile=$slurm/slurmdbd.pid
LogFile=$slurm/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=root
END_OF_CONF
}

# accounting_up PORT: appends to slurm.conf, before slurmctld reads it.
accounting_up() {
  local tries
  mkdir -p "$slurm/database/mysql"
  { echo 'use mysql;' && cat $system_tables; } | database --bootstrap >>"$slurm/out" 2>&1
  database --socket="$slurm/database.sock" --pid-file="$slurm/mariadbd.pid" >>"$slurm/out" 2>&1 &
  disown
  (umask 077 && slurmdbd_conf "$1" >"$slurm/etc/slurmdbd.conf")
  cat >>"$SLURM_CONF" <<END_OF_CONF
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$1
AccountingStorageTRES=gres/gpu
END_OF_CONF
  for ((tries = 0; tries < 200; ++tries)); do
    [ -S "$slurm/database.sock" ] && break
    sleep 0.1
  done
  MYSQL_UNIX_PORT=$slurm/database.sock slurmdbd >>"$slurm/out" 2>&1
  for ((tries = 0; tries < 200; ++tries)); do
    sacctmgr -i add cluster test >>"$slurm/out" 2>&1 && return
    sleep 0.1
  done
}
