import { type Layout, listOf, type Machine, ports, type Secrets } from './layout.ts'

/** What Patroni has to know of one machine's PostgreSQL. */
export type Postgres = {
  readonly dataFolder: string
  readonly socketFolder: string
  readonly passFile: string
  readonly binFolder: string
  /** Which API of etcd it uses. See `etcdApi`. */
  readonly api: EtcdApi
  readonly watchdog: 'off' | 'automatic'
  /** Files of a certificate and its key; undefined: connections are not encrypted. */
  readonly tls?: { readonly certificate: string; readonly key: string }
}

export type EtcdApi = 'etcd' | 'etcd3'

/** The first version whose client for etcd's v3 API keeps a thawed old primary from taking the leader key back. */
const etcd3Since = [3, 0, 3] as const

/**
 * Which API of etcd this Patroni may use: `etcd3` from 3.0.3 on, else `etcd`, the v2 API. With an older one and v3, a primary that was
 * frozen and wakes up overwrites the leader key, and `pg_rewind` then discards acknowledged commits of the new primary.
 *
 * version  as `patroni --version` prints it
 * throws   Error when it names no version
 */
export function etcdApi(version: string): EtcdApi {
  const parts = /(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  if (parts === undefined) throw new Error(`patroni says no version: ${version}`)
  const at = parts.findIndex((part, i) => part !== etcd3Since[i])
  return at < 0 || parts[at]! > etcd3Since[at]! ? 'etcd3' : 'etcd'
}

/** Patroni's configuration for one machine. Every value that decides about acknowledged commits is explained in docs/cluster.md. */
export function patroniYaml(layout: Layout, { name, address }: Machine, secrets: Secrets, postgres: Postgres): string {
  const { dataFolder, socketFolder, passFile, binFolder, api, watchdog, tls } = postgres
  const host = tls === undefined ? 'host' : 'hostssl'
  return `scope: candor
namespace: /candor/
name: ${name}

restapi:
  listen: ${address}:${ports.patroni}
  connect_address: ${address}:${ports.patroni}

# etcd: the v2 API. etcd3: only with Patroni 3.0.3 or newer.
${api}:
  hosts: ${listOf(layout.machines, ports.etcd)}

bootstrap:
  dcs:
    ttl: 10
    loop_wait: 2
    retry_timeout: 3
    maximum_lag_on_failover: 0
    primary_start_timeout: 0
    synchronous_mode: true
    synchronous_mode_strict: true
    synchronous_node_count: 1
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        max_connections: 200
        max_wal_senders: 10
        wal_level: replica
        wal_log_hints: on
        hot_standby: on
        # A standby that is frozen or cut off is noticed in this time, and commits then wait for the other one.
        wal_sender_timeout: 3s
        wal_receiver_timeout: 3s
        wal_retrieve_retry_interval: 500ms
        tcp_keepalives_idle: 2
        tcp_keepalives_interval: 1
        tcp_keepalives_count: 3
        tcp_user_timeout: 5s
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
    - data-checksums

postgresql:
  listen: ${address}:${ports.postgres}
  connect_address: ${address}:${ports.postgres}
  data_dir: ${dataFolder}
  bin_dir: ${binFolder}
  pgpass: ${passFile}
  use_unix_socket: false
  authentication:
    superuser:
      username: postgres
      password: ${secrets.superuser}
    replication:
      username: replicator
      password: ${secrets.replicator}
    rewind:
      username: rewind
      password: ${secrets.rewind}
  parameters:
    unix_socket_directories: ${socketFolder}
    password_encryption: scram-sha-256${tls === undefined ? '' : certificateLines(tls)}
  pg_hba:
    - local all all scram-sha-256
    - ${host} replication replicator ${layout.network} scram-sha-256
    - ${host} all all ${layout.network} scram-sha-256

# Where the kernel has a watchdog, a primary whose Patroni hangs is reset before another one is promoted.
watchdog:
  mode: ${watchdog}
`
}

const certificateLines = ({ certificate, key }: NonNullable<Postgres['tls']>): string => `
    ssl: on
    ssl_cert_file: ${certificate}
    ssl_key_file: ${key}`
